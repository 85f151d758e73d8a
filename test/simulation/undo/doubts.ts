/** Whether an undo may change a value that the ledger does not give to its runs: the program cannot tell. */
import { claimOf, isSame, type Ledger, standing, type Write } from "./ledger.ts";
import type { Ran } from "./machine.ts";

export class Doubts {
  constructor(
    private readonly ledger: Ledger,
    private readonly session: readonly Ran[],
    private readonly runs: readonly Ran[],
    /** What others did until then must stay. */
    private readonly until: number,
    /** The plan of the undo marks what had no answer. */
    private readonly isMarked: boolean,
  ) {}

  #isOwn = ({ by }: Write): boolean => this.runs.some((run) => run === by);

  /** `at`: when the undo changed it. */
  has(key: string, at: number): boolean {
    const before = this.ledger.of(key).filter((write) => write.at < at);
    return (
      this.#mayHaveSet(key) ||
      this.#isOwnAgain(before) ||
      this.#isRedone(before) ||
      this.#isAlike(before) ||
      this.#isOfKilledPart(before)
    );
  }

  /** Whether a run between the runs may have set a value that was there already. */
  isSetBetween(key: string, value: string | undefined): boolean {
    const own = this.ledger.of(key).filter((write) => write.at <= this.until && this.#isOwn(write));
    const isBetween = (ran: Ran, from: number, to: number) =>
      !this.runs.includes(ran) && !ran.means && ran.accepted > 0 && ran.from >= from && ran.to <= to;
    return own.some(
      ({ at, from }, n) =>
        isSame(key, from, value) && this.session.some((ran) => isBetween(ran, own[n - 1]?.at ?? at, at)),
    );
  }

  /** Whether the runs may have set the value that is there now: they had no answer. */
  #mayHaveSet(key: string): boolean {
    const { writes, possible } = this.ledger;
    const now = this.ledger.valueAt(key, this.until);
    const isThis = (write: Write) => write.key === key && this.#isOwn(write) && isSame(key, write.to, now);
    // Whether the last change was applied is not known either.
    const isUnanswered = this.runs.some(({ unanswered, isLost }) => isLost || unanswered > 0) && writes.some(isThis);
    return isUnanswered || possible.some(isThis);
  }

  /**
   * Whether others had set it back to what the runs left when the undo changed it: nobody sees that they were there. The log
   * need not have what later runs did.
   */
  #isOwnAgain(before: readonly Write[]): boolean {
    const isForgotten = ({ by }: Write) => by !== "other" && by.isLost && !this.runs.includes(by);
    const isCutOff = ({ by }: Write) =>
      by !== "other" && (by.ended.code === undefined || by.unanswered > 0) && !this.runs.includes(by);
    if (before.some(isCutOff) && this.#isAsLeft(before)) return true;
    return claimOf(standing(before.filter((write) => !isForgotten(write))), this.runs)?.isOwned === true;
  }

  #isAsLeft(before: readonly Write[]): boolean {
    const own = before.findLast(this.#isOwn);
    return own !== undefined && isSame(own.key, before.at(-1)?.to, own.to);
  }

  /** Whether others had done what an undo of an undo of the runs would have done: it found nothing to change. */
  #isRedone(before: readonly Write[]): boolean {
    const isOfRuns = ({ means = [] }: Ran) => means.some((run) => this.runs.includes(run));
    const since = before.at(-1)?.at ?? 0;
    const redo = this.session.find(({ means = [], to }) => to > since && to <= this.until && means.some(isOfRuns));
    return redo !== undefined && this.#isAsLeft(before);
  }

  /** Whether others made the change that is there while one of the runs was going: it can have made the same one. */
  #isAlike(before: readonly Write[]): boolean {
    const last = before.at(-1);
    const isDuring = ({ at }: Write) => this.runs.some(({ from, to }) => at > from && at <= to);
    return before.some((write) => write.by === "other" && isDuring(write) && isSame(write.key, write.to, last?.to));
  }

  /**
   * Whether a run, or a part of it, was killed, and made the change last, or somebody else did: the plan has the change
   * without an answer.
   */
  #isOfKilledPart(before: readonly Write[]): boolean {
    const by = before.at(-1)?.by;
    const isUndone = before.some((write) => write.by !== "other" && write.by.means !== undefined);
    const isTheirs = by === "other" && this.isMarked && !isUndone;
    const isKilled = (part: Ran) => part.ended.code === undefined && (by === part || isTheirs);
    const partsOf = ({ resumes }: Ran) =>
      resumes ? this.session.filter((each) => each === resumes || each.resumes === resumes) : [];
    return this.runs.flatMap((run) => [run, ...partsOf(run)]).some(isKilled);
  }
}
