/** Writes CSV (RFC 4180) and tab-separated values. */
import { jsonText, sanitizeText } from "./sanitize.ts";
import { Moment } from "./when.ts";

const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * Puts `'` before a text that a spreadsheet would run, and before one that already has it: readers take one off. Numbers such as `-5` are no formulas. Objects and lists become
 * JSON, absent and null become empty.
 */
export function csvCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const plain = value instanceof Moment ? value.toJSON() : value;
  if (typeof plain !== "string") return jsonText(plain);
  const text = sanitizeText(plain);
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

const forms = {
  csv: { delimiter: ",", end: "\r\n", special: /[",\r\n]/ },
  // Lines end as `cut` and `awk` expect.
  tsv: { delimiter: "\t", end: "\n", special: /["\t\r\n]/ },
};

/** Formats a row with its line end. */
export function csvRow(form: keyof typeof forms, cells: readonly string[]): string {
  const { delimiter, end, special } = forms[form];
  const row = cells.map((cell) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter);
  // Readers skip an empty line.
  return (row || (cells.length === 1 ? '""' : "")) + end;
}

const protectedText = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Returns the value of a cell that `csvCell` wrote. */
export const cellValue = (cell: string): string => (protectedText.test(cell) ? cell.slice(1) : cell);
