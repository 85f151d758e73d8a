/** Runs the action of a command: makes what it needs, and prints its result. Loaded when the command is known. */

import { outputOptions } from "../argv/global-flags.ts";
import { commandLine } from "../common/shell-words.ts";
import { Failure, Interrupted, Partial } from "../errors.ts";
import type { Listing } from "../output/form.ts";
import { printLine, programLine } from "../output/line.ts";
import { checkOutputOptions, print } from "../output/printer.ts";
import { WaitDisplay } from "../output/wait-display.ts";
import { withWaitDisplay } from "../output/with-wait-display.ts";
import type { World } from "../world/world.ts";
import { type Conclusion, type Context, type LocalChange, requests, showRequest } from "./context.ts";
import { ListLocks } from "./list-locks.ts";
import { type ContextParts, DryRunShown, makeContext } from "./make-context.ts";
import { NameCollector } from "./name-collector.ts";
import { Recorder } from "./recorder.ts";

interface PerformOptions extends Pick<ContextParts, "world" | "command" | "flags" | "servers" | "isLongRun"> {
  /** The whole command line. */
  argv: readonly string[];
  /** It can print Markdown. */
  markdown?: boolean;
  /** It is started to change something. */
  records?: "run" | "undo" | undefined;
}

type CommandWork = (context: Context) => Promise<Conclusion | undefined>;

/** Runs a command and handles its result. */
export type Perform = (options: PerformOptions, work: CommandWork) => Promise<void>;

/** What several commands of one process share. */
type SharedSetup = Pick<ContextParts, "waits" | "label" | "approve">;

/** Prints the result of a command. */
export const perform: Perform = async (options, work) => {
  const waits = new WaitDisplay(options.world, { quiet: options.flags.quiet });
  const print = async (context: Context) => {
    try {
      const choice = outputOptions(options.flags);
      await checkOutputOptions(choice, undefined, options.markdown);
      await printConclusion(await runWork(context, work), context);
    } finally {
      waits.close();
    }
  };
  const silent = { onExposedFile: () => undefined };
  const world = { ...withWaitDisplay(options.world, waits), ...(options.flags.quiet && silent) };
  await checkConfiguration(world, options.command);
  await inContext({ ...options, world }, { waits }, print);
};

/** Throws `Usage` for a configuration file with unknown keys. `doctor` reports them among other things. */
async function checkConfiguration(world: World, command: string): Promise<void> {
  if (/^(doctor|help|completion)\b/.test(command)) return;
  const loaded = await world.settings.load().catch(() => undefined);
  if (loaded) (await import("../credentials/profiles.ts")).refuseUnknownKeys(world.settings.path, loaded.document);
}

/** Makes the context of a command, and closes it afterwards. */
export async function inContext(
  options: PerformOptions,
  shared: SharedSetup,
  use: (context: Context) => Promise<void>,
): Promise<void> {
  const { world, command, flags, servers, isLongRun, argv, records: kind } = options;
  const { job, dryRun, quiet, verbose, profile, zuliprc } = flags;
  const hints = !quiet && ((world.stderr.isTerminal && world.stdout.isTerminal) || verbose === true);
  const recorder = new Recorder(world, { argv, job, isUndo: kind === "undo", hints });
  const nameCollector = new NameCollector(world);
  const locks = new ListLocks(world, flags.maxWait * 1000);
  let isInterrupted = false;
  try {
    if (kind && !dryRun) await recorder.begin();
    const parts = { world, command, flags, servers, isLongRun, ...shared, recorder, nameCollector, locks };
    await use(makeContext(parts));
  } catch (error) {
    isInterrupted = error instanceof Interrupted;
    throw error;
  } finally {
    await locks.release();
    // Completion keeps its old names.
    await nameCollector.keep().catch(() => undefined);
    const unwritten = await recorder.close({ isInterrupted });
    if (unwritten) await warnOfLog(world, unwritten);
    const run = recorder.undoable;
    const account = { "--profile": profile, "--zuliprc": zuliprc };
    const words = [
      "undo",
      ...Object.entries(account).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value])),
    ];
    if (run !== undefined)
      await printLine(world.stderr, `Undo with: ${commandLine([...words, run])}`).catch(() => undefined);
  }
}

/** A change that cannot be logged is still done. */
async function warnOfLog({ stderr }: World, { message }: Error): Promise<void> {
  const line = programLine(
    `warning: what was changed could not be written into the log: ${message}. ZULIPCTL_STATE_DIR names another directory for it.`,
  );
  await printLine(stderr, line).catch(() => undefined);
}

type ShownConclusion = Exclude<Conclusion, LocalChange>;

/** Runs the command's code. A dry run returns requests. */
export async function runWork(context: Context, work: CommandWork): Promise<ShownConclusion | undefined> {
  const conclusion = await work(context).catch((error) => {
    if (error instanceof DryRunShown) return error.result;
    throw error;
  });
  if (conclusion?.kind !== "local") return conclusion;
  if (!context.flags.dryRun) return conclusion.make();
  const request = await conclusion.asks?.();
  if (!request) return requests([]);
  const { judgedCall } = await import("./judge-changes.ts");
  return requests([await showRequest(request.server, await judgedCall(context, request.call))]);
}

const unchangedPlurals = new Set(["emoji", "messages", "drafts", "users", "permissions", "settings", "bots"]);

/** The text for an empty list in a terminal: `No channels match.` */
function emptyText(command: string): string {
  const [noun = "", verb = ""] = command.split(" ");
  if (noun === "batch") return "No earlier runs.";
  const things = unchangedPlurals.has(noun) ? noun : `${noun}s`;
  return verb === "list" || verb === "find" ? `No ${things} match.` : "No results.";
}

/** Throws the failure of the result. */
export async function printConclusion(conclusion: ShownConclusion | undefined, context: Context): Promise<void> {
  const { world, flags } = context;
  const choice = { ...outputOptions(flags), empty: emptyText(context.command) };
  if (conclusion?.kind === "requests") {
    const { printRequests } = await import("../output/shown-requests.ts");
    await printRequests(conclusion.requests, choice, world, { exact: flags.verbose ?? false });
    if (conclusion.failure) throw conclusion.failure;
  } else if (conclusion?.kind === "ended") {
    const { result, failure } = conclusion;
    // A failure of changes is more important than one of printing.
    if (result)
      await print(result, choice, world).catch(async (error: Error) => {
        await context.warn(programLine(error.message));
        if (error instanceof Failure && error.details.hint) await context.warn(programLine(error.details.hint));
      });
    throw failure;
  } else if (conclusion?.kind === "listing" && conclusion.finish) await printAndEnd(conclusion, context);
  else if (conclusion) await print(conclusion, choice, world);
}

/** A failure of changes is more important than one of printing. */
async function printAndEnd(result: Listing, { world, flags, warn }: Context): Promise<void> {
  const printError = await print(result, outputOptions(flags), world).catch((error: Error) => error);
  const failure = await result.finish?.();
  if (printError && failure) await warn(programLine(printError.message));
  if (failure) throw failure;
  if (printError)
    throw new Partial(
      `everything was done, but ${printError.message}`,
      printError instanceof Failure ? printError.details : { cause: printError },
    );
}
