import { type Flags, outputForm } from "../argv/global-flags.ts";
import { rawCustomVerb } from "../cli/verbs-with-code.ts";
import { counted } from "../common/counted.ts";
import { commandLine, quoteWord } from "../common/shell-words.ts";
import { CommandFailed } from "../errors.ts";
import { write } from "../output/buffered-writer.ts";
import { chalkFor, colorLevel } from "../output/color.ts";
import type { Result } from "../output/form.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import type { Conclusion, Context } from "../run/context.ts";
import type { Rerun } from "../run/shell.ts";
import type { Output, World } from "../world/world.ts";
import { environment, type SandboxStartOptions, serverFlags, setupOf } from "./sandbox.ts";
import { abilities } from "./server/info.ts";
import { type TourStep, tourSteps } from "./tour/steps.ts";

const notFound = (path: string) => Object.assign(new Error(`${path} is not there`), { code: "ENOENT" });
const reject = async (path: string) => Promise.reject(notFound(path));
const nothing = async () => undefined;

/** A world without files, settings and keychain, so that the tour leaves nothing behind. */
const isolated = (world: World): World => ({
  ...world,
  files: {
    read: nothing,
    async *streamFromEnd() {},
    // biome-ignore lint/correctness/useYield: there is nothing to yield.
    async *stream(path) {
      throw notFound(path);
    },
    readWithAccess: nothing,
    open: reject,
    write: nothing,
    createFile: reject,
    kind: nothing,
    remove: nothing,
    list: async () => [],
    sweep: nothing,
    identity: nothing,
    realPath: nothing,
    append: reject,
    rollingLog: () => ({ add: nothing, close: nothing }),
    temporary: (work) => work("/"),
    lock: async () => ({ isHeld: () => true, release: nothing }),
  },
  settings: { path: world.settings.path, load: nothing, edit: (work) => work(undefined, nothing) },
  keychain: { get: nothing, set: nothing, forget: async () => false },
});

const memoryOutput = (): Output & { text: string } => ({
  text: "",
  isClosed: false,
  isTerminal: false,
  columns: undefined,
  colorLevel: 0,
  async write(text) {
    this.text += typeof text === "string" ? text : Buffer.from(text).toString("utf8");
  },
});

/** The kinds of failures by exit code. */
const kinds = [undefined, "refused", "usage", "login", "unreachable", "partial", "conflict", "unknown"];

const failureOf = ({ title }: TourStep, exitCode: number): CommandFailed =>
  new CommandFailed(
    `the tour stopped at "${title}": exit code ${exitCode}`,
    exitCode,
    kinds[exitCode] ?? (exitCode > 128 ? "cancelled" : "bug"),
  );

/** Global flags that apply to every command of the tour. */
const sharedFlags = ({ dryRun, quiet, verbose, color, timeout, maxWait }: Flags): string[] => [
  ...(dryRun ? ["--dry-run"] : []),
  ...(quiet ? ["--quiet"] : []),
  ...(verbose ? ["--verbose"] : []),
  `--color=${color}`,
  `--timeout=${timeout}`,
  `--max-wait=${maxWait}`,
];

/** Returns why a step cannot be shown. Undefined if it can. */
function obstacle({ argv }: TourStep, level: number): string | undefined {
  const ability = abilities(level, {}).find(({ command }) => argv.join(" ").startsWith(command));
  const missing = ability?.without.find(({ flag }) => !ability.available || argv.includes(flag));
  if (missing) return `it requires feature level ${missing.needs}`;
  return argv.includes(undefined) ? "the organization has nothing to try it on" : undefined;
}

interface TourRecord {
  title: string;
  command?: string;
  exit_code?: number;
  stdout?: string;
  stderr?: string;
  left_out?: string;
}

async function guide(context: Context, options: SandboxStartOptions, rerun: Rerun): Promise<Conclusion | undefined> {
  const { world, flags } = context;
  const server = await world.embed(await setupOf(context, options));
  const isolatedWorld: World = {
    ...isolated(world),
    // The tour changes only its own organization.
    env: { ...environment(world.env, server.info), ZULIPCTL_READ_ONLY: undefined },
    connect: async () => ({ request: server.request, close: async () => undefined }),
  };
  const run = (argv: readonly string[], input: string, stdout: Output, stderr: Output) =>
    rerun([...argv, ...sharedFlags(flags)], {
      ...isolatedWorld,
      stdout,
      stderr,
      stdin: {
        isTerminal: false,
        async *bytes() {
          yield Buffer.from(input && `${input}\n`);
        },
      },
    });
  const { users, channels, feature_level: level, zulip_version } = server.info;
  const all = tourSteps(server.info);
  const asData = outputForm(flags) !== "table" || flags.fields !== undefined;
  const paint = chalkFor(colorLevel(flags.color, world.stdout, world.env));
  const print = async (text: string) => {
    if (!asData) await write(world.stdout, text);
  };
  const records: TourRecord[] = [];
  const known = ["title", "command", "exit_code", "stdout", "stderr", "left_out"];
  const result: Result = { kind: "listing", records, id: () => undefined, columns: [], allFields: known };
  try {
    await print(
      `A server in memory, feature level ${level} (Zulip ${zulip_version}), with ${users.length} people and bots and ${counted(channels.length, "channel")}.\nNothing leaves this process, and nothing is kept.\n`,
    );
    for (const [n, step] of all.entries()) {
      const { title, argv, input = "" } = step;
      const words = argv.filter((word) => word !== undefined);
      await print(`\n${paint.bold(`${n + 1}. ${title}`)}\n`);
      const left_out = obstacle(step, level);
      if (left_out !== undefined) {
        records.push({ title, left_out });
        await print(`${paint.dim(`(skipped: ${left_out})`)}\n`);
        continue;
      }
      const command = `${input && `echo ${quoteWord(input)} | `}${commandLine(words)}`;
      await print(`${paint.dim("$")} ${paint.cyan(sanitizeLine(command))}\n`);
      const [out, err] = [memoryOutput(), memoryOutput()];
      const exitCode = await run(words, input, asData ? out : world.stdout, asData ? err : world.stderr);
      records.push({ title, command, exit_code: exitCode, stdout: out.text, stderr: err.text });
      if (exitCode) return { kind: "ended", failure: failureOf(step, exitCode), result: asData ? result : undefined };
    }
    if (asData) return result;
    const leftOut = records.filter(({ left_out }) => left_out !== undefined).length;
    await print(
      `\n${counted(all.length - leftOut, "command")} ${flags.dryRun ? "shown" : "done"}${leftOut ? `, ${leftOut} skipped` : ""}.\n`,
    );
    return undefined;
  } finally {
    await server.close();
  }
}

export const tourVerb = rawCustomVerb({
  doc: "Run eleven commands against a fresh embedded server, and show the result of each",
  exits: "any",
  flags: serverFlags,
  examples: ["zulipctl tour", "zulipctl tour --feature-level 371 -o json"],
  run: async (shell) => (context, options) => guide(context, options, shell.rerun),
});
