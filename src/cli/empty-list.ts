/** The header of an empty list is that of a full one: CSV is read by programs. */
import { membersOf } from "../common/object-members.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { fieldsOfRecords } from "../wire/record-fields.ts";

/** So many records show which fields exist. */
const sample = 256;

/** Returns the fields of records that are left out, or those that are stated. */
export const fieldsOfEmpty =
  (operation: AnyOperation, leftOut: readonly unknown[], stated: readonly string[] = fieldsOfRecords(operation)) =>
  (): string[] => {
    const fields = new Set(leftOut.slice(0, sample).flatMap((record) => Object.keys(membersOf(record))));
    return fields.size ? [...fields] : [...stated];
  };

/** Filters records, and remembers fields of those that it leaves out. */
export function filtering<R>(operation: AnyOperation, keep: (record: R) => boolean) {
  const leftOut: R[] = [];
  return {
    keep(record: R): boolean {
      const isKept = keep(record);
      if (!isKept && leftOut.length < sample) leftOut.push(record);
      return isKept;
    },
    emptyFields: () => fieldsOfEmpty(operation, leftOut)(),
  };
}
