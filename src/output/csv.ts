/** CSV as RFC 4180 has it, and the same with tabs. */
import type { Options } from "csv-stringify/sync";
import { jsonText } from "./json.ts";
import { tame } from "./safe.ts";

const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const formula = /^[=+\-@\t\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * A text that a spreadsheet would run gets a leading `'`; one that is a whole number or decimal, such as `-5`, is no
 * formula and stays. Objects and lists stand as JSON, absent and null as nothing.
 */
export function csvCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return typeof value === "number" ? String(value) : jsonText(value);
  const text = tame(value);
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

const options = (form: "csv" | "tsv"): Options => ({
  delimiter: form === "csv" ? "," : "\t",
  // Lines of a TSV end as those of `cut` and `awk` do.
  record_delimiter: form === "csv" ? "\r\n" : "\n",
  // By itself the library leaves a lone line end unquoted where it is not the record's.
  quoted_match: /[\r\n]/,
});

/** Loads the library; what it gives renders rows of cells. */
export async function csvRows(form: "csv" | "tsv"): Promise<(rows: string[][]) => string> {
  const { stringify } = await import("csv-stringify/sync");
  const plain = options(form);
  // An empty line would be no record at all to a reader, so an only cell is quoted where it is empty.
  const single = { ...plain, quoted_empty: true };
  return (rows) => stringify(rows, rows[0]?.length === 1 ? single : plain);
}
