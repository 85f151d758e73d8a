/**
 * Rows of a resumed run whose first changes were made: they are planned without those. The journal knows the parts of a row
 * by number.
 */
import { operationNamed } from "../api/registry.ts";
import type { Change } from "../engine/change.ts";
import type { JournalReplay } from "../engine/journal-replay.ts";
import { taskKey } from "../engine/task.ts";
import { Usage } from "../errors.ts";
import type { RunRow } from "../run/journal/row.ts";

type Recorded = Pick<JournalReplay, "operationsOf" | "resultOf">;

/** Stands for a change that an earlier process has made. */
const madeBefore = (likeness: Change, operation: string): Change => ({
  ...likeness,
  operation: operationNamed(operation) ?? likeness.operation,
  done: `Earlier: ${operation}.`,
});

/** Returns the changes as the journal numbers them. Undefined if they are others than when the run began. */
function alignedWith(replay: Recorded, { row, changes }: RunRow): readonly Change[] | undefined {
  const parts = replay.operationsOf(row).map((operation, part) => ({
    /** Undefined for a part that was not sent: it may be any change. */
    operation,
    isDone: replay.resultOf(taskKey(row, part))?.outcome === "done",
  }));
  type Part = (typeof parts)[number];
  const isSame = ({ operation }: Part, at: number) =>
    operation === undefined || changes[at]?.operation.name === operation;
  const missing = parts.length - changes.length;
  // An unknown change may have been made, so others come before it now.
  const hasOthersFirst = missing < 0 && !parts.slice(0, 1).every(isSame);
  if (!hasOthersFirst && parts.every((part, at) => !part.isDone || isSame(part, at))) return changes;
  const isWhole = parts.every(({ isDone }) => isDone);
  if (missing <= 0) return isWhole ? changes.slice(-missing) : undefined;
  const made = parts.slice(0, missing);
  const isRest = made.every(({ isDone }) => isDone) && parts.slice(missing).every(isSame);
  const [first] = changes;
  if (!first || !(isWhole || isRest)) return undefined;
  return [...made.map(({ operation = "" }) => madeBefore(first, operation)), ...changes];
}

/** Numbers the changes of resumed rows as the journal does. Throws `Usage` for a row that needs other changes now. */
export function alignWithJournal(replay: Recorded, rows: readonly RunRow[]): void {
  for (const each of rows) {
    if (!each.changes.length) continue;
    const aligned = alignedWith(replay, each);
    if (!aligned)
      throw new Usage(
        `line ${each.line ?? each.row} cannot be resumed: it now needs other changes than when the run began`,
        { outcome: "not_sent", hint: "Run the file again without --resume: rows that are done are left out." },
      );
    each.changes = aligned;
  }
}
