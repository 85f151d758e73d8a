/** `--sort` and `--limit` for all lists. */

import { checkFields, chosenFields } from "./chosen-fields.ts";
import type { Column, OutputOptions, Row } from "./form.ts";
import { cellText } from "./table-cell.ts";
import { batchesOf, collect, type RecordSource } from "./write-records.ts";

interface RecordsToArrange {
  records: RecordSource<Row>;
  columns: Column[];
  known?: readonly string[];
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === "";

/** Returns a function that compares numbers by size, and other values as text. */
function comparison(): (one: unknown, other: unknown) => number {
  // Node needs 6 ms for the first one: a list that is not sorted makes none.
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  return (one, other) =>
    typeof one === "number" && typeof other === "number"
      ? one - other
      : collator.compare(cellText(one), cellText(other));
}

/** Sorts by a member or column. Records without it come last. */
async function sorted({ records, columns, known = [] }: RecordsToArrange, sort: string): Promise<Row[]> {
  const all = [...(await collect(records, (record) => record))];
  const descending = sort.startsWith("-");
  const name = descending ? sort.slice(1) : sort;
  const members = [...new Set([...known, ...all.flatMap((record) => Object.keys(record))])];
  if (members.length) checkFields([name], [...columns.map(({ head }) => head), ...members], "--sort");
  const [field] = chosenFields([name], { columns, known: members, forPeople: false });
  if (!field) return all;
  const valued = all.map((record) => ({ record, value: field.of(record) }));
  const rest = valued.filter(({ value }) => isAbsent(value));
  const some = valued.filter(({ value }) => !isAbsent(value));
  const compare = comparison();
  some.sort((one, other) => (descending ? compare(other.value, one.value) : compare(one.value, other.value)));
  return [...some, ...rest].map(({ record }) => record);
}

async function* limited(records: RecordSource<Row>, limit: number): AsyncGenerator<Row> {
  let left = limit;
  for await (const batch of batchesOf(records))
    for (const record of batch) {
      yield record;
      if (--left === 0) return;
    }
}

export async function sortAndLimit(
  sheet: RecordsToArrange,
  { sort, limit }: Pick<OutputOptions, "sort" | "limit">,
): Promise<RecordSource<Row>> {
  const records = sort === undefined ? sheet.records : await sorted(sheet, sort);
  return limit === undefined ? records : limited(records, limit);
}
