/** CSV as RFC 4180 has it, and the same with tabs. */
import type { Options } from "csv-stringify/sync";
import { jsonText } from "./json.ts";
import { sanitizeText } from "./sanitize.ts";

const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const formula = /^[=+\-@\t\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * A text that a spreadsheet would run gets a leading `'`; one that is a whole number or decimal, such as `-5`, is no
 * formula and stays. Objects and lists stand as JSON, absent and null as nothing.
 */
export function csvCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return jsonText(value);
  const text = sanitizeText(value);
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

const options = (form: "csv" | "tsv") =>
  ({
    delimiter: form === "csv" ? "," : "\t",
    // Lines of a TSV end as those of `cut` and `awk` do.
    record_delimiter: form === "csv" ? "\r\n" : "\n",
    // By itself the library leaves a lone line end unquoted where it is not the record's.
    quoted_match: /[\r\n]/,
  }) satisfies Options;

/** Loads the library; what it gives renders rows of cells. */
export async function csvRows(form: "csv" | "tsv"): Promise<(rows: string[][]) => string> {
  const { stringify } = await import("csv-stringify/sync");
  const plain = options(form);
  // An empty line would be no record at all to a reader, so an only cell is quoted where it is empty.
  const single = { ...plain, quoted_empty: true };
  const special = form === "csv" ? /[",\r\n]/ : /["\t\r\n]/;
  const { delimiter, record_delimiter: end } = plain;
  return (rows) => {
    if (rows[0]?.length === 1) return stringify(rows, single);
    // The library takes three times as long as all else together, and a row without special signs needs none of it.
    let text = "";
    let odd: string[][] = [];
    for (const row of rows) {
      const line = row.join("");
      if (special.test(line)) {
        odd.push(row);
        continue;
      }
      if (odd.length) text += stringify(odd, plain);
      if (odd.length) odd = [];
      text += `${row.join(delimiter)}${end}`;
    }
    return odd.length ? text + stringify(odd, plain) : text;
  };
}
