/** The results of a jq filter as records. */
import type { FilteredForm, Row } from "./form.ts";

const isObject = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);

const isList = (value: unknown): value is Row[] => Array.isArray(value) && value.every(isObject);

/** Lists of objects give their objects. In rows, any other value is the cell of a column `value`. */
export function recordsOf(results: readonly string[], form: FilteredForm): unknown[] {
  const values: unknown[] = results.map((json) => JSON.parse(json));
  const records = values.every(isList) ? values.flat() : values;
  const hasRows = form === "table" || form === "csv" || form === "tsv";
  return hasRows ? records.map((record) => (isObject(record) ? record : { value: record })) : records;
}
