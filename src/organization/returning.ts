/**
 * People who come back. Servers keep where they were, in lists and permissions, and show it only when they are back: so
 * what a file says of those cannot be compared before.
 */
import { compare } from "./compare.ts";
import type { Difference, WhoValue } from "./difference.ts";
import type { Content } from "./place.ts";
import type { Snapshot } from "./snapshot.ts";

/** Their ids. */
export const returningIn = (differences: readonly Difference[]): ReadonlySet<number> =>
  new Set(differences.flatMap((one) => (one.section === "people" && one.action === "reactivate" ? [one.id!] : [])));

const idsIn = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : ((value as WhoValue | null | undefined)?.users ?? []);

/** What differs from the file now that they are back: the lists and permissions that they stand in again and should not. */
export function regained(snapshot: Snapshot, content: Content, returning: ReadonlySet<number>): Difference[] {
  return compare(snapshot, content).differences.filter(
    (one) =>
      "fields" in one &&
      one.fields.some(({ from, to }) => {
        const stay = new Set(idsIn(to));
        return idsIn(from).some((id) => returning.has(id as number) && !stay.has(id));
      }),
  );
}
