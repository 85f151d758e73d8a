/**
 * Compares a confirmed plan with a fresh one: what is unchanged, what is done, what somebody else changed. After the
 * requests, finds what only shows then: servers give reactivated accounts their old memberships and permissions back, and
 * no list can name a bot before it is created.
 */

import { membersOf } from "../common/object-members.ts";
import { isListOfPeople } from "../model/kinds/lists.ts";
import { type Difference, type FieldChange, idIn, isCreation, isWhoValue, type ThingId } from "./difference.ts";
import { idsIn, same } from "./id-values.ts";
import type { Wording } from "./plan/wording.ts";
import { labelOf } from "./section-registry.ts";
import { everybodyOf, type Snapshot } from "./snapshot.ts";

/** Returns whether both are about the same thing. A thing to create is found by name, since it has no id. */
function isSameThing(one: Difference, other: Difference): boolean {
  if (one.section !== other.section || (one.action === "reorder") !== (other.action === "reorder")) return false;
  const [id, otherId] = [idIn(one), idIn(other)];
  return id !== undefined && otherId !== undefined ? id === otherId : one.name === other.name;
}

/** Returns the differences about the same thing. */
export const findSameThing = (one: Difference, all: readonly Difference[]): Difference[] =>
  all.filter((each) => isSameThing(each, one));

export const isSameField = (one: FieldChange, other: FieldChange): boolean =>
  one.field === other.field && same(one.of, other.of);

/** Returns whether the fresh difference was confirmed, with the same values before and after. */
function isConfirmed(fresh: Difference, confirmed: Difference): boolean {
  if (fresh.name !== confirmed.name) return false;
  if ("fields" in fresh)
    return (
      "fields" in confirmed &&
      (fresh.action === confirmed.action || fresh.action === "update") &&
      fresh.fields.every((change) =>
        confirmed.fields.some(
          (each) => isSameField(each, change) && same(each.from, change.from) && same(each.to, change.to),
        ),
      )
    );
  if (fresh.action !== confirmed.action) return false;
  return ["from", "to"].every((side) => same(membersOf(fresh)[side], membersOf(confirmed)[side]));
}

/** Describes what somebody else changed since. */
function changeOf(fresh: Difference, confirmed: Difference | undefined, { value }: Wording): string {
  if (!confirmed) return "differs since the plan was confirmed";
  if (isCreation(fresh) !== isCreation(confirmed))
    return isCreation(fresh) ? "no longer exists" : "was created by somebody else meanwhile";
  if (fresh.name !== confirmed.name) return `is now named ${JSON.stringify(fresh.name)}`;
  if ("fields" in fresh && "fields" in confirmed) {
    const other = fresh.fields.find(
      (change) => !confirmed.fields.some((each) => isSameField(each, change) && same(each.from, change.from)),
    );
    if (other) return `changed meanwhile (${labelOf(other)}: ${value(fresh.section, other, other.from)})`;
  }
  return "changed meanwhile";
}

/** `wording`: writes values as the plan shows them. */
export function recheck(confirmed: readonly Difference[], fresh: readonly Difference[], wording: Wording) {
  /** Fresh differences that were not confirmed, with what changed. The text follows the name of the thing. */
  const conflicts = new Map<Difference, string>();
  for (const one of fresh) {
    const confirmedOnes = findSameThing(one, confirmed);
    if (!confirmedOnes.some((each) => isConfirmed(one, each)))
      conflicts.set(one, changeOf(one, confirmedOnes[0], wording));
  }
  /** Confirmed differences that are already applied. */
  const done = confirmed.filter((one) => !findSameThing(one, fresh).length);
  return { conflicts, done };
}

/** Returns ids of the accounts that these differences reactivated or created. */
export function newAccounts(snapshot: Snapshot, applied: readonly Difference[]): ReadonlySet<number> {
  const addresses = new Map(everybodyOf(snapshot).map(({ email, user_id }) => [email.toLowerCase(), user_id]));
  return new Set(
    applied.flatMap((one) => {
      if (one.section !== "people" && one.section !== "bots") return [];
      if (one.action === "reactivate") return one.id ?? [];
      return one.action === "create" ? (addresses.get(one.name.toLowerCase()) ?? []) : [];
    }),
  );
}

/** Returns the list with those of `accounts` who are in `to`, and with the others of `from`. */
function withAccounts(from: unknown, to: unknown, accounts: ReadonlySet<number>): number[] {
  const people = (value: unknown) => idsIn(value).filter((id: ThingId): id is number => typeof id === "number");
  return [...people(from).filter((id) => !accounts.has(id)), ...people(to).filter((id) => accounts.has(id))].sort(
    (a, b) => a - b,
  );
}

/** Returns the value with only the changes of `accounts`. Undefined if the attribute names no people. */
function limitedTo(accounts: ReadonlySet<number>, { field, from, to }: FieldChange): unknown {
  if (isListOfPeople(field)) return withAccounts(from, to, accounts);
  if (!isWhoValue(from) || !isWhoValue(to)) return undefined;
  return { users: withAccounts(from.users, to.users, accounts), groups: from.groups };
}

/** Returns the parts of differences that are about these accounts: their places in lists and permissions. */
export const aboutAccounts = (remaining: readonly Difference[], accounts: ReadonlySet<number>): Difference[] =>
  remaining.flatMap((one) => {
    if (one.action !== "update") return [];
    const fields = one.fields.flatMap((change): FieldChange[] => {
      const to = limitedTo(accounts, change);
      return to === undefined || same(change.from, to) ? [] : [{ ...change, to }];
    });
    return fields.length ? [{ ...one, fields }] : [];
  });
