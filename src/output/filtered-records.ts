/** The results of a jq filter as records. */
import { isMapping } from "../common/members.ts";
import type { FilteredForm, Row } from "./form.ts";

const isList = (value: unknown): value is Row[] => Array.isArray(value) && value.every(isMapping);

/** Lists of objects give their objects. In rows, any other value is the cell of a column `value`. */
export function recordsOf(results: readonly string[], form: FilteredForm): unknown[] {
  const values: unknown[] = results.map((json) => JSON.parse(json));
  const records = values.every(isList) ? values.flat() : values;
  const hasRows = form === "table" || form === "csv" || form === "tsv";
  return hasRows ? records.map((record) => (isMapping(record) ? record : { value: record })) : records;
}
