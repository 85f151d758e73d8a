/** Which rows of a file a run is about: `--where` and `--skip-empty`. */
import { nfc } from "../common/folding.ts";
import { Usage } from "../errors.ts";
import { trimmed } from "../notation/blanks.ts";
import { type CellValue, textOfCell } from "./json-cells.ts";

/** A cell by its column. Undefined if it is missing. */
export type CellReader = (column: string) => CellValue | undefined;

/** `--where Status=Active`: the value that a column must have, or must not have. */
export interface Condition {
  column: string;
  value: string;
  negated: boolean;
}

const folded = (text: string): string => nfc(trimmed(text)).toLowerCase();

export const isEmptyCell = (cell: CellValue | undefined): boolean => cell === undefined || !trimmed(textOfCell(cell));

/** Reads `column=value` or `column!=value`. Throws `Usage` for another text. */
export function readCondition(typed: string): Condition {
  const [, column = "", sign, value = ""] = /^(.*?)(!?=)(.*)$/s.exec(typed) ?? [];
  if (!trimmed(column) || value.startsWith("="))
    throw new Usage(`invalid --where "${typed}": must be <column>=<value> or <column>!=<value>`);
  return { column: nfc(trimmed(column)), value: folded(value), negated: sign === "!=" };
}

/** Returns whether all conditions hold. Case and surrounding blanks do not matter. */
export const holdsIn = (conditions: readonly Condition[], cell: CellReader): boolean =>
  conditions.every(({ column, value, negated }) => (folded(textOfCell(cell(column) ?? "")) === value) !== negated);
