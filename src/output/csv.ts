/** CSV as RFC 4180 has it, and the same with tabs. */
import { jsonText, sanitizeText } from "./sanitize.ts";

const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const formula = /^[=+\-@\t\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * A text that a spreadsheet would run gets a leading `'`; a whole number or decimal, such as `-5`, is not a formula.
 * Objects and lists stand as JSON, absent and null as nothing.
 */
export function csvCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return jsonText(value);
  const text = sanitizeText(value);
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

const forms = {
  csv: { delimiter: ",", end: "\r\n", special: /[",\r\n]/ },
  // Lines end as those of `cut` and `awk` do.
  tsv: { delimiter: "\t", end: "\n", special: /["\t\r\n]/ },
};

/** One row, with its line end. */
export function csvRow(form: keyof typeof forms, cells: readonly string[]): string {
  const { delimiter, end, special } = forms[form];
  const row = cells.map((cell) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter);
  // Readers skip an empty line.
  return (row || (cells.length === 1 ? '""' : "")) + end;
}
