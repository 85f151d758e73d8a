/** Runs commands: resolves credentials, asks, does the dry run, sends and reports. */
import type { Command } from "commander";
import { allowInEach, allowInRows, type CommandAction, commandName, marksRun } from "../argv/commander-options.ts";
import { flagsOf, typedGlobalFlags } from "../argv/global-flags.ts";
import { globalWords, withoutOperands } from "../argv/parse-line.ts";
import type { Server } from "../client/server.ts";
import type { Allowed, Change } from "../engine/change.ts";
import { beforeSending, NoChangeRequested, Usage } from "../errors.ts";
import type { World } from "../world/world.ts";
import type { Conclusion, Context, Plan, Planned, ReadInstead } from "./context.ts";
import type { Perform } from "./perform.ts";
import type { PreviewFlags } from "./preview.ts";

/** Runs another command line in the same process, in another world. */
export type Rerun = (argv: readonly string[], world: World) => Promise<number>;

type ReadWork<O = Record<string, unknown>> = (context: Context, options: O, ...args: never[]) => Promise<Conclusion>;
/** A conclusion if the arguments ask for no change. */
type ChangeWork<O = Record<string, unknown>> = (
  context: Context,
  options: O,
  ...args: never[]
) => Promise<Planned | Conclusion | ReadInstead>;
type OtherWork<O = Record<string, unknown>> = (
  context: Context,
  options: O,
  ...args: never[]
) => Promise<Conclusion | undefined>;

type Load<F> = () => Promise<F>;

export interface CustomOptions {
  readonly many?: boolean | undefined;
  readonly organizations?: boolean | undefined;
  readonly markdown?: boolean | undefined;
  readonly records?: "run" | "undo" | undefined;
}

/** The rows of a batch: where their commands run, and what takes their changes in place of sending them. */
interface Rows {
  readonly context: Context;
  commit(changes: Change[]): void;
}

export class Shell {
  /** The exit code of the last command. */
  exitCode = 0;
  readonly #servers: Server[] = [];
  /** The running command. */
  #command: Command | undefined;

  constructor(
    readonly world: World,
    readonly rerun: Rerun,
    /** The command line as typed, without the program. */
    readonly argv: readonly string[] = [],
    /** Replaces printing: `each` uses it to collect results. */
    private readonly perform?: Perform,
    /** Takes the changes of commands in place of sending them. Commands do not see it. */
    private readonly rows?: Rows,
  ) {}

  /** Returns a shell whose commands are rows of a batch. */
  forRows(rows: Rows): Shell {
    return new Shell(this.world, this.rerun, this.argv, this.perform, rows);
  }

  /** The global flags of the command line. */
  get globalWords(): string[] {
    return globalWords(this.#root, this.argv);
  }

  /** The command line as typed, without its input and these flags. */
  argvWithout(flags: readonly string[]): string[] {
    return withoutOperands(this.#root, this.argv, flags);
  }

  get #root(): Command {
    let root = this.#command!;
    while (root.parent) root = root.parent;
    return root;
  }

  /** Makes an action that only reads. */
  reads(load: Load<ReadWork<never>>): CommandAction {
    return this.custom(load, { organizations: true });
  }

  /** Makes an action that changes the server: `work` returns what to send. */
  changes(load: Load<ChangeWork<never>>): CommandAction {
    const { rows } = this;
    let loaded: Promise<ChangeWork> | undefined;
    const action = async (...all: unknown[]) => {
      const { options, args, command } = splitArguments(all);
      const typed = commandName(command);
      const planned = (context: Context) =>
        beforeSending(async () => {
          loaded ??= load() as Promise<ChangeWork>;
          const found = await (await loaded)(context, options, ...(args as never[]));
          if (options.exitCode && !options.diff) throw new Usage("--exit-code requires --diff");
          if ("kind" in found) return found;
          const plan: Plan = Array.isArray(found) ? { changes: found } : found;
          // Errors about changes name their command.
          const allowed = allowedBy(options);
          const named = plan.changes.map((change) => ({ command: typed, ...(rows && { allowed }), ...change }));
          const prepare = async (changes: Change[]) => {
            const previewed = needsPreview(options, changes)
              ? await (await import("./preview.ts")).preview(context, changes, options)
              : changes;
            // `--diff` only shows.
            if (!options.diff) await (await import("./checks.ts")).checkChanges(context, previewed);
            return previewed;
          };
          if (!named.some(({ operation, already }) => operation.existing && already !== undefined))
            return { ...plan, changes: await prepare(named) };
          const { withExisting } = await import("./existing-things.ts");
          const existing = (isRefused: boolean) =>
            withExisting(context, { ...plan, changes: named }, options, { isRefused });
          const whenRefused = async () => prepare(await existing(true));
          return { ...plan, changes: await prepare(await existing(false)), whenRefused };
        });
      if (rows) {
        const [global] = typedGlobalFlags(command);
        if (global) throw new Usage(`${global} applies to the whole run: put it before --`);
        const found = await planned(rows.context);
        if ("kind" in found && found.kind !== "change")
          throw new NoChangeRequested(`${typed} changes nothing with these arguments`);
        if ("next" in found) this.#refuseRow(all);
        // A result without changes ends here.
        return rows.commit("kind" in found ? [] : found.changes);
      }
      this.world.signals.outcome ??= "not_sent";
      await this.#run(
        all,
        async (context) => {
          const found = await planned(context);
          if ("kind" in found) {
            if (found.kind === "read" || found.kind === "listing") await context.run.know({ isRead: true });
            if (found.kind === "read") {
              // A failed read does not concern changes.
              this.world.signals.outcome = undefined;
              return found.look();
            }
            if (found.kind !== "change" || !context.flags.dryRun) return found;
            const { nothingToSend } = await import("./commit.ts");
            return nothingToSend(context, found.sentence);
          }
          if (found.changes[0]?.diff) {
            const { showDiff } = await import("./preview.ts");
            return showDiff(context, found.changes);
          }
          const { commit } = await import("./commit.ts");
          const plan = { ...found, ...(this.perform && !found.next && { list: true as const }) };
          const made = await commit(context, plan, allowedBy(options));
          return found.next && made.kind === "change" ? found.next(made) : made;
        },
        { records: options.diff ? undefined : "run" },
      );
    };
    return marksRun(allowInEach(allowInRows(action)));
  }

  /**
   * Makes an action for this machine, or one with a special form. `many`: it sends many requests. `organizations`:
   * `each` can run it. `markdown`: it can print Markdown. `records`: it is a run.
   */
  custom(
    load: Load<OtherWork<never>>,
    { many = false, organizations = false, markdown = false, records }: CustomOptions = {},
  ): CommandAction {
    const action: CommandAction = async (...all) => {
      this.#refuseRow(all);
      if (many) this.world.signals.outcome ??= "not_sent";
      const work = async (context: Context, options: Record<string, unknown>, args: unknown[]) =>
        ((await load()) as OtherWork)(context, options, ...(args as never[]));
      await this.#run(all, work, { many, markdown, records });
    };
    if (records === "run") marksRun(action);
    return organizations ? allowInEach(action) : action;
  }

  /**
   * Makes an action that finds many things to change. `single`: its changes are a row of a batch. `all`: the command by
   * itself, which finds everything first and keeps a journal.
   */
  changesMany(single: Load<ChangeWork<never>>, all: Load<OtherWork<never>>): CommandAction {
    const inRow = this.changes(single);
    const onItsOwn = this.custom(all, { many: true, records: "run" });
    return marksRun(allowInRows(this.rows ? inRow : onItsOwn));
  }

  /** Whether a command has begun. */
  get hasBegun(): boolean {
    return this.#command !== undefined;
  }

  #refuseRow(all: unknown[]): void {
    if (this.rows) throw new Usage(`${commandName(splitArguments(all).command)} is not allowed in a batch`);
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  async #run(
    all: unknown[],
    work: (context: Context, options: Record<string, unknown>, args: unknown[]) => Promise<Conclusion | undefined>,
    { many: isLongRun = false, markdown = false, records }: CustomOptions = {},
  ): Promise<void> {
    const { options, args, command } = splitArguments(all);
    this.#command = command;
    // Help and completion do not load these modules.
    const perform = this.perform ?? (await import("./perform.ts")).perform;
    const made = { world: this.world, command: commandName(command), argv: this.argv, flags: flagsOf(command) };
    await perform({ ...made, servers: this.#servers, isLongRun, markdown, records }, (context) =>
      work(context, options, args),
    );
  }
}

/** Returns what the flags of a command allow. */
const allowedBy = ({ allowEmpty, allowLockout, maxRemovals, keep }: Allowed): Allowed => ({
  allowEmpty,
  allowLockout,
  maxRemovals,
  keep,
});

/** Returns whether the changes need a read before they are sent. */
const needsPreview = ({ diff, ifChanged }: PreviewFlags, changes: readonly Change[]): boolean =>
  Boolean(diff || ifChanged) ||
  changes.some(({ expectCurrent, ifChanged, operation }) => expectCurrent || (ifChanged && operation.before));

/** commander passes an action its arguments, its options and the command. */
function splitArguments(all: unknown[]) {
  const [options, command] = all.slice(-2) as [Record<string, unknown>, Command];
  return { command, options, args: all.slice(0, -2) };
}
