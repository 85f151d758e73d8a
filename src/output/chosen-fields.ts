/** Chooses fields and columns for `--fields`, in the given order. */
import { membersOf } from "../common/object-members.ts";
import { similarNames } from "../common/suggestions.ts";
import { Usage } from "../errors.ts";
import type { Column, Row } from "./form.ts";
import { sanitizeLine } from "./sanitize.ts";

export interface OutputField {
  name: string;
  /** Undefined if the record does not have it. */
  of: (record: Row) => unknown;
  /** A record's own member comes before a column with this name. */
  member?: string;
  column?: Column;
}

const sameIgnoringCase = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export const memberField = (name: string): OutputField => ({
  name,
  member: name,
  of: (record) => (Object.hasOwn(membersOf(record), name) ? record[name] : undefined),
});

export const columnField = (column: Column): OutputField => ({ name: column.head, of: column.value, column });

/**
 * Finds a field. If a field and a column share a name, people get the column (`ROLE`: "owner") and programs the
 * server's value (`role`: 100), unless they type the column's name exactly. `known` gives the server's spelling.
 */
export const chosenFields = (
  names: readonly string[],
  {
    columns,
    known,
    forPeople,
    exactHeads = false,
  }: { columns: readonly Column[]; known: readonly string[]; forPeople: boolean; exactHeads?: boolean },
): OutputField[] =>
  [...new Set(names)].map((typed) => {
    const isHead = exactHeads && !known.includes(typed) && columns.some(({ head }) => head === typed);
    const name = known.includes(typed) ? typed : (known.find((other) => sameIgnoringCase(other, typed)) ?? typed);
    const own = memberField(name);
    const column =
      columns.find(({ head }) => head === typed) ?? columns.find(({ head }) => sameIgnoringCase(head, typed));
    if (!column) return own;
    if (forPeople || isHead) return columnField(column);
    return {
      name: typed,
      member: name,
      of: (record) => (Object.hasOwn(membersOf(record), name) ? own.of(record) : column.value(record)),
      column,
    };
  });

/** Throws `Usage` for the first unknown name. Case does not matter. */
export function checkFields(names: readonly string[], known: readonly string[], flag = "--fields"): void {
  const unknown = names.find((name) => !known.some((other) => sameIgnoringCase(other, name)));
  if (unknown === undefined) return;
  const all = [...new Set(known.map((name) => name.toLowerCase()))].sort();
  const similar = similarNames(unknown, all);
  const listed = (names: readonly string[]) => names.map(sanitizeLine).join(", ");
  const hint = all.length ? `Available: ${listed(all)}.` : `This answer has no fields; remove ${flag}.`;
  throw new Usage(`${flag}: unknown field "${sanitizeLine(unknown)}"`, {
    hint: similar.length ? `Did you mean: ${listed(similar)}?` : hint,
  });
}
