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
  const recorded = replay.operationsOf(row);
  const isDone = (part: number) => replay.resultOf(taskKey(row, part))?.outcome === "done";
  const differsFrom = (shift: number) => (operation: string | undefined, part: number) =>
    part >= shift && operation !== undefined && changes[part - shift]?.operation.name !== operation;
  const [first] = changes;
  // An unknown change may have been made, so more is needed now.
  const isMore = changes.length > recorded.length && differsFrom(0)(recorded[0], 0);
  if (!isMore && !recorded.some((operation, part) => isDone(part) && differsFrom(0)(operation, part))) return changes;
  const missing = recorded.length - changes.length;
  const isWhole = recorded.every((_, part) => isDone(part));
  if (missing <= 0) return isWhole ? changes.slice(-missing) : undefined;
  const before = recorded.slice(0, missing);
  const isSuffix = before.every((_, part) => isDone(part)) && !recorded.some(differsFrom(missing));
  if (!first || !(isWhole || isSuffix)) return undefined;
  return [...before.map((operation = "") => madeBefore(first, operation)), ...changes];
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
