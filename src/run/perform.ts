/** Runs the action of a command: makes what it needs, and prints its result. Loaded when the command is known. */

import { type Flags, outputForm, outputOptions } from "../argv/global-flags.ts";
import { RetryBudget } from "../client/retry.ts";
import type { AccountWithKey, Sender } from "../client/sending-types.ts";
import { Server } from "../client/server.ts";
import { commandLine } from "../common/shell-words.ts";
import { readOnlyBy } from "../credentials/read-only.ts";
import { Failure, Interrupted, Partial } from "../errors.ts";
import { isStreamed, type Listing } from "../output/form.ts";
import { printLine, programLine } from "../output/line.ts";
import { checkOutputOptions, print } from "../output/printer.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import type { ShownRequest } from "../output/shown-requests.ts";
import { WaitDisplay } from "../output/wait-display.ts";
import { withWaitDisplay } from "../output/with-wait-display.ts";
import { Resolver } from "../resolve/resolver.ts";
import { call } from "../wire/call.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { World } from "../world/world.ts";
import { type Conclusion, type Context, type LocalChange, type Requests, requests, showRequest } from "./context.ts";
import { ListLocks } from "./list-locks.ts";
import { NameCollector } from "./name-collector.ts";
import { runsOnOlder } from "./older-servers.ts";
import { Recorder } from "./recorder.ts";

interface PerformOptions {
  world: World;
  /** The command as typed: `folder update`. */
  command: string;
  /** The whole command line. */
  argv: readonly string[];
  flags: Flags;
  /** Receives every server made, so that the caller can close it. */
  servers: Server[];
  /** It sends many requests, so the rate limiter starts with the first. */
  isLongRun: boolean;
  /** It can print Markdown. */
  markdown?: boolean;
  /** It is started to change something. */
  records?: "run" | "undo" | undefined;
}

type CommandWork = (context: Context) => Promise<Conclusion | undefined>;

/** Runs a command and handles its result. */
export type Perform = (options: PerformOptions, work: CommandWork) => Promise<void>;

/** What several commands of one process share. */
interface SharedSetup {
  waits: WaitDisplay;
  /** Precedes every line on stderr. */
  label?: string;
  approve?: Context["approve"];
}

type PerformDependencies = PerformOptions &
  SharedSetup & { recorder: Recorder; nameCollector: NameCollector; locks: ListLocks };

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
  const { world, argv, records: kind } = options;
  const { job, dryRun, quiet, verbose, profile, zuliprc } = options.flags;
  const hints = !quiet && ((world.stderr.isTerminal && world.stdout.isTerminal) || verbose === true);
  const recorder = new Recorder(world, { argv, job, isUndo: kind === "undo", hints });
  const nameCollector = new NameCollector(world);
  const locks = new ListLocks(world, options.flags.maxWait * 1000);
  let isInterrupted = false;
  try {
    if (kind && !dryRun) await recorder.begin();
    await use(contextOf({ ...options, ...shared, recorder, nameCollector, locks }));
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

/** Ends a command after its reads were shown. */
class DryRunShown extends Error {
  readonly result: Requests;
  constructor(shown: readonly ShownRequest[]) {
    super("a dry run asks nothing");
    this.result = requests(shown);
  }
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

function contextOf(dependencies: PerformDependencies): Context {
  const { world, flags, command, servers, isLongRun, waits, label, recorder, nameCollector } = dependencies;
  const own = programLine("");
  const labeled = (line: string) =>
    label === undefined ? line : `${own}${label}: ${line.startsWith(own) ? line.slice(own.length) : line}`;
  const say = (line: string) => printLine(world.stderr, labeled(line));
  const retryBudget = new RetryBudget(flags.maxWait * 1000);
  let server: Promise<Server> | undefined;
  let site: Promise<Server> | undefined;
  const made = (sender: Sender) => {
    const one = new Server(world, sender, {
      timeout: flags.timeout * 1000,
      retryBudget,
      level: flags.featureLevel,
      allowIgnored: flags.allowIgnored ?? false,
      readOnlyBy: readOnlyBy(world, flags, sender),
      grace: isLongRun ? flags.timeout * 1000 : 2000,
      isLongRun,
      waits,
      keepsPrevious: async () => (await recorder.keepsPrevious(sender)) && flags.record,
      onSending: (change) => recorder.sending(sender, change),
      onSent: (change) =>
        recorder.record(sender, change, context.names, flags.record ? (list) => one.call(list, {}) : undefined),
      onRead: (call, answer) => nameCollector.add(sender, call, answer),
      trace: flags.verbose ? (line) => void world.stderr.write(`${sanitizeLine(labeled(line))}\n`) : undefined,
      warn: say,
    });
    servers.push(one);
    return one;
  };
  /** Which account a run is of is known before its first request. */
  const known = async (account: AccountWithKey) => {
    await recorder.know({ site: account.site, account: account.email });
    return made(account);
  };
  const accounts = () => import("../credentials/accounts.ts");
  const checksLevel = !runsOnOlder(command);
  const supported = async (one: Server) => {
    if (checksLevel) await one.featureLevel.requireOldest();
    return one;
  };
  const context: Context = {
    world,
    command,
    flags,
    waits,
    label,
    run: {
      name: () => recorder.nameFor(flags.dryRun),
      know: (more) => recorder.know(more),
    },
    server: () =>
      (server ??= accounts().then(async ({ resolveAccount }) =>
        supported(await known(await resolveAccount(world, flags))),
      )),
    site: () => (site ??= accounts().then(async ({ resolveSite }) => made(await resolveSite(world, flags)))),
    connectAs: made,
    names: new Resolver(() => context.server(), { note: (line) => context.note(line) }),
    saveNames: () => nameCollector.keep(),
    note: async (line) => {
      if (!flags.quiet) await say(line);
    },
    warn: (line) => say(line),
    lockList: async (list) => dependencies.locks.hold(await context.server(), list),
    approve: async (asked) => {
      const { changes, question, organization } = asked;
      if (changes) organization.requireWritable();
      if (dependencies.approve) return dependencies.approve(asked);
      if (question) await (await import("../argv/confirm.ts")).confirm(world, flags, question, organization);
    },
    checkSupported: async (operation, typed) => {
      await (await context.server()).featureLevel.checkFlags(operation, typed, { command });
    },
    ask: async (operation, args, typed) => (await context.askAll(operation, [args], typed))[0]!,
    askAll: async (operation: AnyOperation, parts, typed) => {
      const to = await (operation.anonymous ? context.site() : context.server());
      const calls = parts.map((args) => ({ ...call(operation, args), command, flags: typed }));
      await context.showInstead(calls, to);
      const answers = [];
      for (const { args } of calls) answers.push(await to.call(operation, args, { command, flags: typed }));
      return answers;
    },
    list: async (operation, args, member, typed) => {
      const from = await context.server();
      const spelled = { command, flags: typed };
      await context.showInstead([{ ...call(operation, args), ...spelled }]);
      return from.list(operation, args, member, { whole: !isStreamed(outputForm(flags)), ...spelled });
    },
    showInstead: async (calls, to) => {
      if (!flags.dryRun) return;
      const shown = to ?? (await context.server());
      throw new DryRunShown(await Promise.all(calls.map((each) => showRequest(shown, each, context.names))));
    },
  };
  return context;
}
