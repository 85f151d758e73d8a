/** Runs a command for several organizations, each with its own command line, server and result. */

import { commandName, isAllowedInEach, isRun } from "../../argv/commander-options.ts";
import { confirmText } from "../../argv/confirm.ts";
import { type Flags, outputOptions } from "../../argv/global-flags.ts";
import { isNoun, parseLine } from "../../argv/parse-line.ts";
import { choosingFlags } from "../../cli/completion/complete.ts";
import { HelpShown, Program } from "../../cli/program.ts";
import type { Registry } from "../../cli/registry.ts";
import { unknownCommand } from "../../cli/usage-errors.ts";
import { Cancelled, Failure, Partial, signalOf, Unreachable, Usage } from "../../errors.ts";
import { limitText } from "../../model/removal-limit.ts";
import { write } from "../../output/buffered-writer.ts";
import { programLine } from "../../output/line.ts";
import { checkOutputOptions } from "../../output/printer.ts";
import type { Context } from "../../run/context.ts";
import { inContext, type Perform, printConclusion, runWork } from "../../run/perform.ts";
import { Shell } from "../../run/shell.ts";
import type { Input, World } from "../../world/world.ts";
import { Barrier, barrierQuestion, Semaphore } from "./barrier.ts";
import type { EachOptions } from "./flags.ts";
import { merge, readToEnd } from "./merge.ts";
import { chooseProfiles, doneLine, requireDistinct } from "./organizations.ts";
import { failureLines, failureOf, isFailedProfile, type ProfileOutcome, Skipped } from "./outcome.ts";

const usage = (message: string, hint?: string) => new Usage(message, { outcome: "not_sent", hint });

/** Flags that name one file or run, which several organizations cannot share. */
const singleFlags = ["--journal", "--resume", "--failed", "--out", "--keep"];

/** Throws unless the command stands after `--`. */
function checkPlace({ argv }: Shell, words: readonly string[]): void {
  if (!argv.includes("--")) throw usage("missing -- before the command", "For example: zulipctl each -- channel list");
  const before = words.slice(0, words.length - (argv.length - argv.indexOf("--") - 1));
  if (before.length)
    throw usage(
      `unexpected argument before --: "${before[0]}"`,
      `To choose organizations, pass --profiles ${before.join(",")}`,
    );
}

/**
 * Throws for commands that `each` cannot run. Returns why this one cannot run for several organizations, if so, and whether it
 * only reads.
 */
async function checkCommand(
  { shell, every, globals }: Pick<Work, "shell" | "every" | "globals">,
  world: World,
  words: readonly string[],
): Promise<{ unlessAlone: Usage | undefined; isRead: boolean }> {
  const program = new Program(world.version, every(new Shell(world, shell.rerun, words)));
  const root = await program.rootFor(words);
  const { command, unknownCommand: unknown, shows, flags } = parseLine(root, words);
  if (unknown !== undefined) throw unknownCommand(unknown, command, words);
  if (shows) throw usage(`--${shows} is not allowed after --`);
  const choosing = flags.find(({ option }) => choosingFlags.includes(option.long ?? ""));
  if (choosing) throw usage(`${choosing.option.long} is not allowed after --: --profiles chooses the organizations`);
  if (command === root) throw usage("missing command after --");
  const name = commandName(command);
  if (!isAllowedInEach(command)) throw usage(`${name} cannot run for several organizations`);
  if (isNoun(command)) {
    const verbs = command.commands.filter(isAllowedInEach).map((verb) => verb.name());
    throw usage(`${name} requires a subcommand: ${verbs.join(", ")}`);
  }
  if (name === "batch" && words.includes("-")) throw usage("batch cannot read stdin in each: name a file");
  const all = parseLine(root, [...globals, ...words]).flags;
  if (all.some(({ option, value }) => option.long === "--output" && value === "ids"))
    throw usage("each cannot print ids alone: ids of several organizations mix", "Use --fields profile,id.");
  const single = flags.find(({ option, value }) => singleFlags.includes(option.long ?? "") && value !== "none")?.option
    .long;
  const isRead = !isRun(command);
  if (single === undefined) return { unlessAlone: undefined, isRead };
  const unlessAlone = usage(
    `${single} names one ${single === "--resume" ? "run" : "file"}, but there are several organizations`,
    single === "--journal"
      ? "Remove --journal: each organization gets a journal of its own."
      : `Choose one organization with --profiles, or run "zulipctl --profile <name> ${name}" for each.`,
  );
  return { unlessAlone, isRead };
}

/** Reads stdin once and passes all of it to each organization. A single organization reads it normally. */
function sharedInput(stdin: Input): () => Input {
  let all: Promise<Uint8Array> | undefined;
  const readAll = async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stdin.bytes()) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  return () => ({
    isTerminal: stdin.isTerminal,
    async *bytes() {
      all ??= readAll();
      yield await all;
    },
  });
}

const refusePrompt = (): never => {
  throw usage("this command prompts: it cannot run for several organizations");
};

const isProfileField = (name: string): boolean => name.trim().toLowerCase() === "profile";

/** Each record says which organization it belongs to. */
const withProfile = (fields: string | undefined): string | undefined =>
  fields === undefined || fields.split(",").some(isProfileField) ? fields : `profile,${fields}`;

/** Commands do not know the field `profile`. */
function withoutProfile({ fields, ...flags }: Flags): Flags {
  const names = fields?.split(",").filter((name) => !isProfileField(name));
  return names?.length ? { ...flags, fields: names.join(",") } : flags;
}

/** The world of one organization: nothing prompts, and output is kept. */
const worldOf = (world: World, stdin: Input, outcome: ProfileOutcome): World => ({
  ...world,
  stdin,
  stdout: Object.create(world.stdout, {
    write: {
      value: async (text: string | Uint8Array) => {
        outcome.printed += Buffer.from(text).toString();
      },
    },
  }),
  prompts: { confirm: refusePrompt, text: refusePrompt, password: refusePrompt },
});

interface Work {
  shell: Shell;
  every: (shell: Shell) => Registry;
  /** The global flags for each organization. */
  globals: readonly string[];
  context: Context;
  options: EachOptions;
  outcomes: readonly ProfileOutcome[];
  words: readonly string[];
}

/** Runs a command for organizations, side by side, and fills in their outcomes. Returns the flags of the command. */
async function runAll({ shell, every, globals, context, options, outcomes, words }: Work): Promise<Flags> {
  const { world, waits, warn } = context;
  const { rerun } = shell;
  const semaphore = new Semaphore(options.parallel ?? 8);
  const input = sharedInput(world.stdin);
  /** Known from the first organization. */
  let commandFlags: Flags | undefined;
  let checked: Promise<void> | undefined;
  /** Set if the user declined, or if confirmation was impossible. */
  let declined: Failure | undefined;
  const finished = new Set<ProfileOutcome>();

  /** Throws if no further organization may start. */
  function checkStart(): void {
    const { stop } = world.signals;
    if (stop.aborted) throw new Cancelled("interrupted; nothing was sent", signalOf(stop.reason));
    if (options.onError === "stop" && outcomes.some(isFailedProfile)) throw new Skipped();
  }

  /** Prints what is impossible, then asks one question. */
  const barrier = new Barrier(outcomes.length, async () => {
    if (!outcomes.some(({ approval }) => approval)) return;
    try {
      checkStart();
      requireDistinct(outcomes);
      const question = barrierQuestion(outcomes);
      if (question === undefined || !commandFlags || commandFlags.yes) return;
      for (const line of failureLines(outcomes.filter(isFailedProfile), world)) await warn(programLine(line));
      await confirmText(world, commandFlags, question);
    } catch (error) {
      if (error instanceof Failure && !(error instanceof Skipped)) declined = error;
      throw error;
    }
  });

  /** Never rejects. */
  async function runOne(outcome: ProfileOutcome): Promise<void> {
    const { profile } = outcome;
    await semaphore.acquire();
    const approve: Context["approve"] = async (approval) => {
      if (outcome.approval) return;
      outcome.approval = approval;
      semaphore.release();
      try {
        await barrier.wait();
      } finally {
        await semaphore.acquire();
      }
      checkStart();
    };
    const perform: Perform = async (performing, work) => {
      commandFlags ??= performing.flags;
      checked ??= checkOutputOptions(outputOptions(performing.flags));
      await checked;
      const flags = withoutProfile(performing.flags);
      await inContext({ ...performing, flags }, { waits, label: profile, approve }, async (inner) => {
        const { limit, sort } = outputOptions(flags);
        const ownSort = sort?.replace(/^-/, "").toLowerCase() === "profile" ? undefined : sort;
        Object.assign(outcome, await readToEnd(await runWork(inner, work), { limit, sort: ownSort }));
      });
    };
    const argv = [...globals, `--profile=${profile}`, ...words];
    const ownShell = new Shell(worldOf(world, input(), outcome), rerun, argv, perform);
    try {
      checkStart();
      await new Program(world.version, every(ownShell)).run(argv).finally(() => ownShell.close());
    } catch (error) {
      outcome.error = error instanceof HelpShown ? usage("--help is not allowed after --") : error;
    }
    semaphore.release();
    finished.add(outcome);
    if (!outcome.approval) barrier.arrive();
  }

  const drawn = () => programLine(doneLine(outcomes, (outcome) => finished.has(outcome)));
  const waiting = waits.begin({ what: `running for ${outcomes.length} profiles`, progress: drawn, isOuter: true });
  await Promise.all(outcomes.map(runOne)).finally(() => waiting.end());
  if (declined) throw declined;
  return commandFlags ?? context.flags;
}

/** Passes the flags of guards on to the command of each organization. */
function withGuards(words: readonly string[], { allowEmpty, maxRemovals }: EachOptions): string[] {
  const guards = [
    ...(allowEmpty ? ["--allow-empty"] : []),
    ...(maxRemovals ? [`--max-removals=${limitText(maxRemovals)}`] : []),
  ];
  const at = words.indexOf("--");
  return at < 0 ? [...words, ...guards] : words.toSpliced(at, 0, ...guards);
}

export const runForEach =
  (shell: Shell, every: Work["every"]) =>
  async (context: Context, options: EachOptions, words: string[]): Promise<undefined> => {
    const { world } = context;
    const isProfile = (word: string) => word.startsWith("--profile=");
    const globals = shell.globalWords.filter((word) => !isProfile(word));
    for (const flag of choosingFlags)
      if (globals.some((word) => word.startsWith(`${flag}=`)))
        throw usage(`${flag} cannot be combined with each: use --profiles`);
    checkPlace(shell, words);
    const ownWords = withGuards(words, options);
    const { unlessAlone, isRead } = await checkCommand({ shell, every, globals }, world, ownWords);
    if (isRead) await context.run.know({ isRead });
    const { profile } = context.flags;
    if (profile !== undefined && options.profiles !== undefined)
      throw usage("--profile cannot be combined with --profiles", "Pass only one of them.");
    const chosen = await chooseProfiles(
      world,
      profile === undefined
        ? { list: options.profiles ?? "all", origin: "--profiles" }
        : { list: profile, origin: "--profile" },
      async (line) => (context.flags.quiet ? undefined : context.note(line)),
    );
    if (unlessAlone && chosen.length > 1) throw unlessAlone;
    const outcomes = chosen.map((one): ProfileOutcome => ({ ...one, printed: "" }));
    const flags = await runAll({ globals, shell, every, context, options, outcomes, words: ownWords });
    const isChange = ({ requests = [] }: ProfileOutcome) =>
      requests.some((each) => "method" in each && each.method !== "GET");
    if (outcomes.some(isChange)) requireDistinct(outcomes);
    // A raw answer is printed as JSON.
    const isRaw = outcomes.some(({ result }) => result && "raw" in result && result.raw);
    if (isRaw && outputOptions(flags).form === "table" && !flags.fields) flags.output = "json";
    for (const { printed } of outcomes) if (printed) await write(world.stdout, printed);
    const printed = { ...flags, fields: withProfile(flags.fields), limit: undefined };
    await printConclusion(merge(outcomes), { ...context, flags: printed }).catch((error) => {
      if (!(error instanceof Unreachable) || !outcomes.some(({ approval }) => approval?.changes)) throw error;
      throw new Partial(`the changes were sent, but ${error.message}`, { ...error.details, cause: error });
    });
    const failure = failureOf(outcomes, world);
    if (failure) throw failure;
    if (!flags.quiet) await context.note(programLine(doneLine(outcomes, () => true)));
    return undefined;
  };
