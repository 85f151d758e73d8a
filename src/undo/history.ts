/** What this machine knows of its runs: their records, their lines in the log, and their journals. */
import { hour } from "../common/unit-sizes.ts";
import type { Header } from "../engine/journal.ts";
import type { TaskKey } from "../engine/task.ts";
import type { LogEntry } from "../log/change-log.ts";
import { readLog } from "../log/read-log.ts";
import { readRuns, readSending } from "../log/read-runs.ts";
import { compareRuns, isLastUnkept, type RunRecord } from "../log/runs.ts";
import type { World } from "../world/world.ts";
import { changedSomething } from "./undoable.ts";

/** What the journal of a run knows. */
export interface Journaled {
  readonly isRunning: boolean;
  readonly header: Header | undefined;
  /** It has changes that were not sent or are unknown. */
  readonly isUnfinished: boolean;
  readonly unanswered: readonly LogEntry[];
  /** The changes that were made. */
  readonly done: readonly TaskKey[];
}

/** How far the clock may have jumped between two lines of the log, in milliseconds. */
const mostJump = 48 * hour;

type ReadJournal = (run: string) => Promise<Journaled | undefined>;

export class History {
  /** The lines that were read so far, the newest first. */
  readonly #lines: LogEntry[] = [];
  readonly #rest: AsyncGenerator<LogEntry>;
  readonly #journals = new Map<string, Promise<Journaled | undefined>>();
  /** The number of damaged lines that were read so far. */
  unreadable = 0;
  #isWhole = false;

  private constructor(
    private readonly world: World,
    /** The newest first. */
    readonly runs: readonly RunRecord[],
    private readonly readJournal: ReadJournal,
    /** The last run could not be kept. */
    readonly isLastUnkept: boolean,
  ) {
    this.#rest = readLog(
      world,
      () => true,
      () => this.unreadable++,
    );
  }

  static async open(world: World, readJournal: ReadJournal): Promise<History> {
    const runs: RunRecord[] = [];
    for await (const record of readRuns(world)) runs.push(record);
    const isKilled = ({ sends, ended }: RunRecord) => sends === true && ended === undefined;
    const sending = runs.some(isKilled) ? await readSending(world) : undefined;
    return new History(
      world,
      runs
        .map((record) => (isKilled(record) ? { ...record, open: sending?.get(record.run) } : record))
        .sort((one, other) => compareRuns(other.run, one.run)),
      readJournal,
      runs.length > 0 && (await isLastUnkept(world)),
    );
  }

  record(run: string): RunRecord | undefined {
    return this.runs.find((each) => each.run === run);
  }

  journal(run: string): Promise<Journaled | undefined> {
    const read = this.#journals.get(run) ?? this.readJournal(run);
    this.#journals.set(run, read);
    return read;
  }

  /** Returns the runs that are parts of one: they were resumed. The oldest first. */
  partsOf(run: string): string[] {
    const journal = this.record(run)?.journal ?? run;
    const parts = this.runs.filter((each) => each.journal === journal).map((each) => each.run);
    return [...new Set([run, ...parts])].sort(compareRuns);
  }

  /** Returns the newest line of the log that is chosen. */
  async newest(isChosen: (entry: LogEntry) => boolean): Promise<LogEntry | undefined> {
    return this.#lines.find(isChosen) ?? this.#read(isChosen);
  }

  async #read(isLast: (entry: LogEntry) => boolean): Promise<LogEntry | undefined> {
    for (;;) {
      const { done, value } = this.#isWhole ? { done: true, value: undefined } : await this.#rest.next();
      if (done || !value) {
        this.#isWhole = true;
        return undefined;
      }
      this.#lines.push(value);
      if (isLast(value)) return value;
    }
  }

  /** Returns all lines since the first one of these runs, the oldest first. */
  async since(runs: readonly string[]): Promise<readonly LogEntry[]> {
    const open = new Set(runs.filter((run) => !this.#hasNoLine(run)));
    const began = Math.min(...[...open].map((run) => Date.parse(this.record(run)?.began ?? "") || 0));
    const [oldest = ""] = [...runs].sort(compareRuns);
    const isLast = ({ run, n, time }: LogEntry) => {
      if (n === 1) open.delete(run);
      // Names do not go back with the clock.
      return open.size === 0 || (compareRuns(run, oldest) < 0 && Date.parse(time) < began - mostJump);
    };
    if (open.size && !this.#lines.some(isLast)) await this.#read(isLast);
    // A run that was killed need not have a line.
    const first = this.#lines.findLastIndex(({ run }) => runs.includes(run) || compareRuns(run, oldest) > 0);
    return this.#lines.slice(0, first + 1).reverse();
  }

  #hasNoLine(run: string): boolean {
    const record = this.record(run);
    return record !== undefined && (record.ended === undefined ? !record.sends : record.lines === 0);
  }

  /** Returns whether a run changed something, or may have. */
  async hasChanged(run: string): Promise<boolean> {
    const record = this.record(run);
    if (this.#hasNoLine(run) || record?.changes === 0) return false;
    const lines = await this.since([run]);
    const own = lines.filter((entry) => entry.run === run);
    if (own.some(changedSomething)) return true;
    // The log has lost some of its lines.
    if (record?.ended !== undefined) return (record.changes ?? 0) > 0 && own.length < (record.lines ?? 0);
    const journal = await this.journal(record?.journal ?? run);
    return journal === undefined ? record?.sends === true : journal.unanswered.length + journal.done.length > 0;
  }

  /** Returns whether a run is still going, as far as it can be told. */
  async isGoing(run: string): Promise<boolean> {
    const record = this.record(run);
    const { stateOf } = await this.world.processes();
    if (record?.process !== undefined && record.ended === undefined && stateOf(record.process) === "alive") return true;
    // Another machine can have resumed it.
    const journal = record ? record.journal : run;
    return journal !== undefined && (await this.journal(journal))?.isRunning === true;
  }

  /** Returns whether a run has changes that were not sent or have no answer. */
  async isUnfinished(run: string): Promise<boolean> {
    if (this.record(run)?.ended === undefined || (await this.journal(run))?.isUnfinished) return true;
    return (await this.since([run])).some((entry) => entry.run === run && entry.outcome === "unknown");
  }

  /**
   * Returns whether a run was taken back, by an undo that was not taken back itself and is of whole runs. `isWhole`: all of
   * that undo was done, and it left no conflict.
   */
  async isTakenBack(run: string, { isWhole = false } = {}): Promise<boolean> {
    for (const undo of this.runs) {
      if (compareRuns(undo.run, run) <= 0) break;
      if (!undo.undoes?.includes(run) || undo.only) continue;
      const isPart = undo.hasConflicts || undo.changes !== undo.lines;
      if (isWhole && (isPart || (await this.isUnfinished(undo.run)))) continue;
      if ((await this.hasChanged(undo.run)) && !(await this.isTakenBack(undo.run))) return true;
    }
    return false;
  }
}
