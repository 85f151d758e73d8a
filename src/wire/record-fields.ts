/** The fields of the records that an operation lists, as far as they are stated. */
import { membersOf } from "../common/object-members.ts";
import type { AnyOperation } from "./operation.ts";

/** Returns the names of an object type. Undefined for other types. */
function namesIn(type: unknown): string[] | undefined {
  const { entries } = membersOf(type);
  return entries === undefined ? undefined : Object.keys(membersOf(entries));
}

/** Returns the fields of the records in the first list of the answer. */
export function fieldsOfRecords({ result }: Pick<AnyOperation, "result">): string[] {
  for (const type of Object.values(membersOf(membersOf(result).entries))) {
    // A list has a type of items, and a mapping has one of values.
    const { item, value } = membersOf(type);
    const names = namesIn(item ?? value);
    if (names) return names;
  }
  return [];
}
