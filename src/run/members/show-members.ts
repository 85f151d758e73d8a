/** Lists the members of channels and groups. */

import { firstOfEach } from "../../common/first-of-each.ts";
import type { Column, Result, Row } from "../../output/form.ts";
import type { Context } from "../context.ts";
import type { MembersSpec, Owner } from "./spec.ts";

/** Several owners have a column for their names. */
export async function showMembers(
  context: Context,
  { of, show: load }: MembersSpec,
  owners: readonly Owner[],
  values: Readonly<Record<string, unknown>>,
): Promise<Result> {
  const show = await load();
  const [first] = owners;
  if (first && owners.length === 1) return show(context, first, values);
  const records: Row[] = [];
  let columns: Column[] = [];
  for (const owner of owners) {
    const people = await show(context, owner, values);
    ({ columns } = people);
    for await (const person of people.records) records.push({ [of]: owner.typed, ...person });
  }
  const firsts = firstOfEach(records, (record) => record.user_id);
  return {
    kind: "listing",
    records,
    // Each person once.
    id: (record) => (firsts.has(record) ? record.user_id : undefined),
    columns: [{ head: of.toUpperCase(), value: (record) => record[of], importance: "high" }, ...columns],
  };
}
