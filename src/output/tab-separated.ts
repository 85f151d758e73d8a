/** Tables in a pipe. They need no widths of text, whose tables take a quarter of a list's time to load. */
import type { ChalkInstance } from "chalk";
import type { OutputField } from "./chosen-fields.ts";
import type { Row } from "./form.ts";
import { paintedValue } from "./painted-cell.ts";
import { sanitizeLine } from "./sanitize.ts";

/** A line for each record, and a header. */
export function* tabSeparated(
  records: Iterable<Row>,
  fields: readonly OutputField[],
  chalk: ChalkInstance,
): Iterable<string> {
  yield `${fields.map(({ name }) => sanitizeLine(name)).join("\t")}\n`;
  for (const record of records) yield `${fields.map((field) => paintedValue(field, record, chalk)).join("\t")}\n`;
}
