/** Records a run and its changes. What it needs is loaded before the first change, so reads start faster. */

import type { NewIds, Sender, SentChange } from "../client/sending-types.ts";
import { membersOf } from "../common/object-members.ts";
import { asError, undefinedOnFailure } from "../errors.ts";
import type { ChangeLog, LoggedChange } from "../log/change-log.ts";
import type { RunBook, RunRecord } from "../log/runs.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { World } from "../world/world.ts";

interface RecordedRun {
  readonly argv: readonly string[];
  /** The value of `--job`. */
  readonly job?: string | undefined;
  /** An undo belongs to no job. */
  readonly isUndo?: boolean;
  /** The command that takes the run back is shown. */
  readonly hints?: boolean;
}

/** What is kept of this run. */
interface Kept {
  readonly book: RunBook;
  readonly log: ChangeLog | undefined;
  readonly previous: boolean;
}

type Read = (list: AnyOperation) => Promise<Record<string, unknown>>;

export class Recorder {
  #opening: Promise<Kept> | undefined;
  #run: string | undefined;
  /** Entries are written in the order in which changes end. */
  #pending: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  /** For the hint: the number of changes that can be taken back, up to two, and whether one of them was destructive. */
  #reversible = 0;
  #asks = false;
  #sends: Promise<void> | undefined;
  #lines = 0;
  #changes = 0;
  /** By the number of a line, how the ids of what it made are found when the run ends. */
  readonly #sought = new Map<number, NewIds & { readonly read: Read }>();

  constructor(
    private readonly world: World,
    private readonly recorded: RecordedRun,
  ) {}

  /** Queues an entry. Never throws or waits. `read`: absent if nothing may be read for the log. */
  record(sender: Sender, change: SentChange, names: LoggedChange["names"], read?: Read): void {
    this.#lines++;
    if (change.newIds && read) this.#sought.set(this.#lines, { ...change.newIds, read });
    if (change.outcome !== "refused") this.#changes++;
    if (this.#failure) return;
    const made = { sender, change, names, time: this.world.clock.now() };
    this.#pending = this.#pending.then(() => this.#add(made)).catch((error) => this.#fail(error));
  }

  /** Begins the run. Throws `Usage` for an invalid job. Other failures are reported when a change is to be logged. */
  async begin(): Promise<void> {
    const { jobOf } = await import("../log/runs.ts");
    jobOf(this.world, this.recorded.job);
    await this.#open().catch(() => undefined);
  }

  /** Returns the name of the run. Where none can be kept, and in a dry run, it is one that no other run has. */
  async nameFor(dryRun: boolean | undefined): Promise<string> {
    const { unkeptName } = await import("../log/runs.ts");
    if (dryRun) return unkeptName(this.world.clock);
    this.#run ??= await this.#open()
      .then(({ book }) => book.name)
      .catch(() => unkeptName(this.world.clock));
    return this.#run;
  }

  #open(): Promise<Kept> {
    this.#opening ??= this.#opened();
    return this.#opening;
  }

  async #opened(): Promise<Kept> {
    const { world } = this;
    const [{ jobOf, RunBook }, loaded] = await Promise.all([
      import("../log/runs.ts"),
      // Commands that need the configuration report that it cannot be read; the log stays on.
      world.settings.load().catch(() => undefined),
    ]);
    const { log, record_previous } = membersOf(loaded?.document);
    const { argv, isUndo } = this.recorded;
    const job = isUndo ? undefined : jobOf(world, this.recorded.job);
    const about = { argv, ...(job !== undefined && { job }), ...(isUndo && { isUndo }) };
    const book = await RunBook.begin(world, { ...about, ...(log === false && { unlogged: true }) });
    if (log === false) return { book, log: undefined, previous: false };
    const { ChangeLog } = await import("../log/change-log.ts");
    const run = { run: book.name, ...(job !== undefined && { job }) };
    return { book, log: new ChangeLog(world, argv, run), previous: record_previous !== false };
  }

  /** Adds what is known of the run now. A failure is reported when a change is to be logged. */
  async know(more: Omit<RunRecord, "run">): Promise<void> {
    await this.#opening?.then(({ book }) => book.add(more)).catch(() => undefined);
  }

  /**
   * Returns whether the configuration lets the log keep what changes replace. Called before the first change is sent: whether a
   * run that was killed can have changed something is known from then on.
   */
  async keepsPrevious(sender: Sender): Promise<boolean> {
    this.#sends ??= this.#open()
      .then(({ book }) => book.add({ sends: true, site: sender.site, account: sender.email }))
      .catch(async () => (await import("../log/runs.ts")).markUnkept(this.world));
    await this.#sends;
    return this.#open().then(
      ({ previous }) => previous,
      () => true,
    );
  }

  /** Keeps a change that is sent next: it is all that is left of it if the run is killed. Never throws. */
  async sending(sender: Sender, change: SentChange): Promise<void> {
    const [time, n] = [this.world.clock.now(), this.#lines + 1];
    await this.#open()
      .then(async ({ book, log }) => log && book.addOpen(await log.entryOf({ sender, change, time }, n)))
      .catch(() => undefined);
  }

  async #add(made: LoggedChange): Promise<void> {
    if (this.#failure) return;
    const { log } = await this.#open();
    const entry = await log?.add(made);
    if (!entry || !this.recorded.hints || this.#asks || this.#reversible > 1) return;
    const { whyNot } = await import("../undo/undoable.ts");
    if (whyNot({ ...entry, operation: entry.stated ?? entry.operation }) !== undefined) return;
    this.#reversible++;
    this.#asks = made.change.asks === true;
    this.#run = entry.run;
  }

  /** The run for the hint, if it made something destructive or several changes. Call `close` first. */
  get undoable(): string | undefined {
    return this.#asks || this.#reversible > 1 ? this.#run : undefined;
  }

  #fail(error: unknown): void {
    this.#failure ??= asError(error);
  }

  /** Reads each list once. A read that fails leaves its ids out. */
  async #made(): Promise<RunRecord["made"]> {
    const lists = new Map<AnyOperation, Promise<Record<string, unknown> | undefined>>();
    const made: Record<string, readonly unknown[]> = {};
    for (const [line, { list, read, in: idsIn }] of this.#sought) {
      const reading = lists.get(list) ?? undefinedOnFailure(read(list));
      lists.set(list, reading);
      const answer = await reading;
      if (answer) made[line] = idsIn(answer);
    }
    return lists.size ? made : undefined;
  }

  /** Resolves when everything is written. Returns the error, if any. `isInterrupted`: nothing more is read. */
  async close({ isInterrupted = false }: { isInterrupted?: boolean } = {}): Promise<Error | undefined> {
    await this.#pending;
    const kept = await this.#opening?.catch(() => undefined);
    if (!kept) return this.#failure;
    const ended = new Date(this.world.clock.now()).toISOString();
    const made = kept.previous && !isInterrupted ? await this.#made() : undefined;
    const counts = { ended, lines: this.#lines, changes: this.#changes, ...(made && { made }) };
    await kept.book.add(counts).catch((error) => this.#fail(error));
    for (const file of [kept.log, kept.book]) await file?.close().catch((error) => this.#fail(error));
    return this.#failure;
  }
}
