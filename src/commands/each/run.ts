/** Runs a command for several organizations, each with its own command line, server and result. */
import { confirmText } from "../../argv/confirm.ts";
import { choiceOf, type Flags } from "../../argv/flags.ts";
import { runsInEach } from "../../argv/options.ts";
import { isNoun, read } from "../../argv/reading.ts";
import { choosingFlags } from "../../cli/choosing.ts";
import { nameOf, unknownCommand } from "../../cli/misuse.ts";
import { HelpShown, Program } from "../../cli/program.ts";
import { findProfile, listProfiles } from "../../credentials/profiles.ts";
import { Cancelled, Failure, NeedsLogin, signalOf, Usage } from "../../errors.ts";
import { write } from "../../output/buffered-writer.ts";
import { checkChoice } from "../../output/present.ts";
import type { Context } from "../../run/context.ts";
import { concluded, inContext, type Perform, printConclusion } from "../../run/perform.ts";
import { Shell } from "../../run/shell.ts";
import type { Input, World } from "../../world.ts";
import type { Options } from "../each.ts";
import { registry } from "../nouns.ts";
import { Barrier, questionOf, Slots } from "./barrier.ts";
import { collected, merged, type Outcome } from "./merge.ts";
import { doneLine, type Failed, failureLines, failureOf, Skipped } from "./report.ts";

const usage = (message: string, hint?: string) => new Usage(message, { outcome: "not_sent", hint });

/** Returns the names of profiles without duplicates. */
async function chosen(world: World, named = "all"): Promise<string[]> {
  if (named === "all") {
    const all = (await listProfiles(world)).map(({ name }) => name);
    if (all.length) return all;
    throw new NeedsLogin("no profiles found", { hint: "Create one with: zulipctl fetch-key --site <url>" });
  }
  const names = [...new Set(named.split(",").map((name) => name.trim()))];
  for (const name of names) await findProfile(world, name, "--profiles");
  return names;
}

/** Throws for commands that cannot run for several organizations. */
async function checkCommand(shell: Shell, world: World, words: readonly string[]): Promise<void> {
  if (!shell.argv.includes("--"))
    throw usage("missing -- before the command", "For example: zulipctl each -- channel list");
  const program = new Program(world.version, registry(new Shell(world, shell.rerun, words)));
  const root = await program.rootFor(words);
  const { command, unknown, asks, flags } = read(root, words);
  if (unknown !== undefined) throw unknownCommand(unknown, command);
  if (asks) throw usage(`--${asks} is not allowed after --`);
  const own = flags.find(({ option }) => choosingFlags.includes(option.long ?? ""));
  if (own) throw usage(`${own.option.long} is not allowed after --: --profiles chooses the organizations`);
  if (command === root) throw usage("missing command after --");
  const name = nameOf(command);
  if (!runsInEach(command)) throw usage(`${name} cannot run for several organizations`);
  if (isNoun(command)) {
    const verbs = command.commands.filter(runsInEach).map((verb) => verb.name());
    throw usage(`${name} requires a subcommand: ${verbs.join(", ")}`);
  }
  if (name === "batch" && words.includes("-")) throw usage("batch cannot read stdin in each: name a file");
  const all = read(root, [...shell.globalWords, ...words]).flags;
  if (all.some(({ option, value }) => option.long === "--output" && value === "ids"))
    throw usage("each cannot print ids alone: ids of several organizations mix", "Use --fields profile,id.");
}

/** Reads stdin once and passes all of it to each organization. A single organization reads it normally. */
function sharedInput(stdin: Input): () => Input {
  let all: Promise<Uint8Array> | undefined;
  const wholly = async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stdin.bytes()) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  return () => ({
    isTerminal: stdin.isTerminal,
    async *bytes() {
      all ??= wholly();
      yield await all;
    },
  });
}

const prompting = (): never => {
  throw usage("this command prompts: it cannot run for several organizations");
};

/** Commands do not know the field `profile`. */
function withoutProfile({ fields, ...flags }: Flags): Flags {
  const own = fields?.split(",").filter((name) => name.trim().toLowerCase() !== "profile");
  return own?.length ? { ...flags, fields: own.join(",") } : flags;
}

interface Work {
  shell: Shell;
  context: Context;
  options: Options;
  profiles: readonly string[];
  words: readonly string[];
}

/** Runs a command for organizations, side by side. */
function organizations({ shell, context, options, profiles, words }: Work) {
  const { world, waits, warn } = context;
  const { globalWords, rerun } = shell;
  const slots = new Slots(options.parallel ?? 8);
  const input = sharedInput(world.stdin);
  const failures: Failed[] = [];
  const state: {
    /** The flags of the command, known from the first organization. */
    flags?: Flags;
    /** Set if the user declined, or if confirmation was impossible. */
    declined?: Failure;
    finished: number;
  } = { finished: 0 };
  let checked: Promise<void> | undefined;

  /** Throws if no further organization may start. */
  function checkStart(): void {
    const { stop } = world.signals;
    if (stop.aborted) throw new Cancelled("interrupted; nothing was sent", signalOf(stop.reason));
    if (options.onError === "stop" && failures.length) throw new Skipped();
  }

  /** Prints what is impossible, then asks one question. */
  const barrier = new Barrier(profiles.length, async (arrivals) => {
    const inOrder = <T extends { profile: string }>(all: readonly T[]): T[] =>
      profiles.flatMap((name) => all.filter(({ profile }) => profile === name));
    try {
      checkStart();
      const question = questionOf(inOrder(arrivals));
      if (question === undefined || !state.flags || state.flags.yes) return;
      for (const line of failureLines(inOrder(failures), world)) await warn(`zulipctl: ${line}`);
      await confirmText(world, state.flags, question);
    } catch (error) {
      if (error instanceof Failure && !(error instanceof Skipped)) state.declined = error;
      throw error;
    }
  });

  /** Never rejects. */
  async function organization(profile: string): Promise<Outcome> {
    const outcome: Outcome = { profile, printed: "" };
    let passed = false;
    await slots.take();
    const own: World = {
      ...world,
      stdin: input(),
      stdout: Object.create(world.stdout, {
        write: {
          value: async (text: string | Uint8Array) => {
            outcome.printed += Buffer.from(text).toString();
          },
        },
      }),
      prompts: { confirm: prompting, text: prompting, password: prompting },
    };
    const approve: Context["approve"] = async (asked) => {
      if (passed) return;
      passed = true;
      slots.give();
      try {
        await barrier.pass({ ...asked, profile });
      } finally {
        await slots.take();
      }
      checkStart();
    };
    const perform: Perform = async (performing, work) => {
      state.flags ??= performing.flags;
      checked ??= checkChoice(choiceOf(performing.flags));
      await checked;
      const flags = withoutProfile(performing.flags);
      await inContext({ ...performing, flags }, { waits, label: profile, approve }, async (inner) => {
        const { limit, sort } = choiceOf(flags);
        const ownSort = sort?.replace(/^-/, "").toLowerCase() === "profile" ? undefined : sort;
        Object.assign(outcome, await collected(await concluded(inner, work), { limit, sort: ownSort }));
      });
    };
    const argv = [...globalWords, `--profile=${profile}`, ...words];
    const ownShell = new Shell(own, rerun, argv, perform);
    try {
      checkStart();
      await new Program(world.version, registry(ownShell)).run(argv).finally(() => ownShell.close());
    } catch (error) {
      outcome.error = error instanceof HelpShown ? usage("--help is not allowed after --") : error;
    }
    if (outcome.error !== undefined) failures.push({ profile, error: outcome.error });
    slots.give();
    state.finished++;
    if (!passed) barrier.leave();
    return outcome;
  }

  return { state, barrier, run: () => Promise.all(profiles.map(organization)) };
}

export const each =
  (shell: Shell) =>
  async (context: Context, options: Options, words: string[]): Promise<undefined> => {
    const { world, waits } = context;
    for (const flag of choosingFlags)
      if (shell.globalWords.some((word) => word.startsWith(`${flag}=`)))
        throw usage(`${flag} cannot be combined with each: use --profiles`);
    await checkCommand(shell, world, words);
    const profiles = await chosen(world, options.profiles);
    const { state, barrier, run } = organizations({ shell, context, options, profiles, words });
    const drawn = () => `zulipctl: ${doneLine(state.finished, profiles.length)}`;
    const what = `running for ${profiles.length} organizations`;
    const waiting = waits.begin({ what, drawn, around: true });
    const outcomes = await run().finally(() => waiting.end());
    if (state.declined) throw state.declined;
    const flags = state.flags ?? context.flags;
    // A raw answer is printed as JSON.
    const raw = outcomes.some(({ result }) => result && "raw" in result && result.raw);
    if (raw && choiceOf(flags).form === "table" && !flags.fields) flags.output = "json";
    const shown = { ...context, flags: { ...flags, limit: undefined } };
    const failures = outcomes.flatMap(({ profile, error }) => (error === undefined ? [] : [{ profile, error }]));
    for (const { printed } of outcomes) if (printed) await write(world.stdout, printed);
    await printConclusion(merged(outcomes, barrier.used), shown);
    const failure = failureOf(profiles.length, failures, world);
    if (failure) throw failure;
    if (!flags.quiet) await context.note(`zulipctl: ${doneLine(profiles.length, profiles.length)}`);
    return undefined;
  };
