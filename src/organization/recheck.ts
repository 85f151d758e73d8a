/** Compares a plan that was confirmed with a fresh one: what is still as confirmed, what is done, what somebody else changed. */
import { groupBy } from "../group-by.ts";
import { same } from "./canonical.ts";
import type { Difference, FieldChange } from "./difference.ts";
import { labelOf } from "./file.ts";

const idOf = (one: Difference): number | undefined => ("id" in one ? one.id : undefined);

/** Whether both are about one thing. What was to be created has no id, and its name. */
function sameThing(one: Difference, other: Difference): boolean {
  if (one.section !== other.section || (one.action === "reorder") !== (other.action === "reorder")) return false;
  const [id, otherId] = [idOf(one), idOf(other)];
  return id !== undefined && otherId !== undefined ? id === otherId : one.name === other.name;
}

/** Finds what is about the same thing as another difference, among very many. */
export function findingIn(all: readonly Difference[]): (one: Difference) => Difference[] {
  const byId = groupBy(all, (each) => `${each.section} ${idOf(each)}`);
  const byName = groupBy(all, ({ section, name }) => `${section} ${name}`);
  return (one) => {
    const [ids, names] = [byId.get(`${one.section} ${idOf(one)}`), byName.get(`${one.section} ${one.name}`)];
    return [...new Set([...(ids ?? []), ...(names ?? [])])].filter((each) => sameThing(each, one));
  };
}

export const sameField = (one: FieldChange, other: FieldChange): boolean =>
  one.field === other.field && same(one.of, other.of);

/** Whether all that differs now was confirmed, from what it is now to what it is to be. */
function isConfirmed(fresh: Difference, confirmed: Difference): boolean {
  if (fresh.name !== confirmed.name) return false;
  if ("fields" in fresh)
    return (
      "fields" in confirmed &&
      (fresh.action === confirmed.action || fresh.action === "update") &&
      fresh.fields.every((change) =>
        confirmed.fields.some(
          (each) => sameField(each, change) && same(each.from, change.from) && same(each.to, change.to),
        ),
      )
    );
  if (fresh.action !== confirmed.action) return false;
  const value = (one: Difference, side: "from" | "to"): unknown => (one as { from?: unknown; to?: unknown })[side];
  return (["from", "to"] as const).every((side) => same(value(fresh, side), value(confirmed, side)));
}

/** What somebody else changed since. */
function changeOf(fresh: Difference, confirmed: Difference | undefined): string {
  if (!confirmed) return "differs since the plan was confirmed";
  const creates = (one: Difference) => one.action === "create" || one.action === "invite";
  if (creates(fresh) !== creates(confirmed))
    return creates(fresh) ? "no longer exists" : "was created by somebody else meanwhile";
  if (fresh.name !== confirmed.name) return `is now named ${JSON.stringify(fresh.name)}`;
  if ("fields" in fresh && "fields" in confirmed) {
    const other = fresh.fields.find(
      (change) => !confirmed.fields.some((each) => sameField(each, change) && same(each.from, change.from)),
    );
    if (other) return `now has another ${labelOf(other)}: ${JSON.stringify(other.from) ?? "none"}`;
  }
  return "changed meanwhile";
}

export function recheck(confirmed: readonly Difference[], fresh: readonly Difference[]) {
  const [confirmedOf, freshOf] = [findingIn(confirmed), findingIn(fresh)];
  /** By fresh difference that was not confirmed as it is now, what changed: completes a sentence that begins with the thing. */
  const conflicts = new Map<Difference, string>();
  for (const one of fresh) {
    const known = confirmedOf(one);
    if (!known.some((each) => isConfirmed(one, each))) conflicts.set(one, changeOf(one, known[0]));
  }
  /** Confirmed differences that are gone: what they ask for is so. */
  const done = confirmed.filter((one) => !freshOf(one).length);
  return { conflicts, done };
}
