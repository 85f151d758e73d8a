/** Cells of rows that are JSON objects: `{user.email}` reaches into an object, and a list of texts is a list. */
import { isMapping } from "../common/object-members.ts";
import { trimmed } from "../notation/blanks.ts";

/** A text, or the texts of a list. */
export type CellValue = string | readonly string[];

/** A cell, or why it cannot be read. Undefined if it is missing. */
type JsonCell = { readonly value: CellValue } | { readonly flaw: string };

/** Separates the texts of a list, which may have commas. */
export const listSeparator = "\n";

export const textOfCell = (value: CellValue): string => (typeof value === "string" ? value : value.join(listSeparator));

/** Returns the text of a value. A flaw follows the name of the column. */
function textIn(value: unknown): JsonCell {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    return { flaw: "is a number with too many digits: write it as text" };
  const text = String(value);
  // JSON can contain half of a surrogate pair. Requests cannot.
  if (/\p{Cs}/u.test(text)) return { flaw: "is not valid Unicode" };
  return text.includes("\0") ? { flaw: "contains U+0000" } : { value: text };
}

function listIn(values: readonly unknown[], column: string): JsonCell {
  const [first] = values;
  if (isMapping(first)) {
    const [member = "name"] = Object.keys(first);
    return { flaw: `is a list of objects: write a member of them, such as {${column}.${member}}` };
  }
  const texts: string[] = [];
  for (const [n, value] of values.entries()) {
    if (typeof value !== "string" && typeof value !== "number")
      return { flaw: `must be a list of texts or numbers: item ${n + 1} is not` };
    const cell = textIn(value);
    if ("flaw" in cell) return { flaw: `${cell.flaw} (item ${n + 1})` };
    const text = trimmed(textOfCell(cell.value));
    if (!text || text.includes(listSeparator))
      return { flaw: `has an item that ${text ? "has a line break" : "is empty"} (item ${n + 1})` };
    texts.push(text);
  }
  return { value: texts };
}

/** Returns the part of a value that a path names. In a list of objects it names a part of each. */
function partOf(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.flatMap((item) => partOf(item, path) ?? null);
  if (!isMapping(value)) return undefined;
  // A name can contain a period.
  if (Object.hasOwn(value, path)) return value[path];
  for (let at = path.indexOf("."); at >= 0; at = path.indexOf(".", at + 1)) {
    const name = path.slice(0, at);
    if (Object.hasOwn(value, name)) return partOf(value[name], path.slice(at + 1));
  }
  return undefined;
}

/** Returns whether an object has a member, or `user.email`. */
export const hasPart = (row: Readonly<Record<string, unknown>>, column: string): boolean =>
  partOf(row, column) !== undefined;

/** Returns the cell of a column: a member, or `user.email`. */
export function jsonCell(row: Readonly<Record<string, unknown>>, column: string): JsonCell | undefined {
  const value = partOf(row, column);
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return listIn(value, column);
  if (!isMapping(value)) return textIn(value);
  const [member = "name"] = Object.keys(value);
  return { flaw: `is an object: write a member of it, such as {${column}.${member}}` };
}
