/** Values with ids in place of names, which `difference.ts` describes: from a snapshot, compared, and for requests. */

import { isDeepStrictEqual } from "node:util";
import { membersOf } from "../common/object-members.ts";
import { provisional } from "../engine/provisional-ids.ts";
import { type GroupSetting, whoIn } from "../model/permission.ts";
import { type Difference, isWhoValue, type ThingId, type WhoValue } from "./difference.ts";
import type { SectionName, ThingSection } from "./section-names.ts";
import type { Snapshot } from "./snapshot.ts";

/** Returns a key for lookups. */
export const keyOfId = (known: ThingId): number | string => (typeof known === "number" ? known : known.new);

const isThingId = (value: unknown): value is ThingId =>
  typeof value === "number" || typeof membersOf(value).new === "string";

/** Returns the things that a list of ids names. */
export const idsIn = (list: unknown): ThingId[] => (Array.isArray(list) ? list.filter(isThingId) : []);

/** Removes duplicates and sorts: ids first, by size; then names of things that the plan creates. */
export function sorted<K extends ThingId>(all: Iterable<K>): K[] {
  const existing = new Set<number>();
  const created = new Set<string>();
  for (const each of all)
    if (typeof each === "number") existing.add(each);
    else created.add(each.new);
  return [...[...existing].sort((a, b) => a - b), ...[...created].sort().map((name) => ({ new: name }))] as K[];
}

/** Returns what a change adds to a list of people or groups, and what it removes. */
export function listChanges<K extends ThingId = number>(
  from: unknown,
  to: unknown,
): readonly [added: K[], removed: K[]] {
  const [before, after] = [idsIn(from), idsIn(to)];
  const without = (all: readonly ThingId[], others: readonly ThingId[]) => {
    const keys = new Set(others.map(keyOfId));
    return all.filter((each) => !keys.has(keyOfId(each))) as K[];
  };
  return [without(after, before), without(before, after)];
}

/** Puts the listed items in their new order, into the places that they have among all. */
export function reorderListed<T>(all: readonly T[], listed: readonly T[]): T[] {
  const places = new Set(listed);
  const next = listed[Symbol.iterator]();
  return all.map((each) => (places.has(each) ? (next.next().value ?? each) : each));
}

/** Compares two values with ids. The order matters in lists, not in objects. */
export const same = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other);

/** Some servers leave out empty texts and lists. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Returns the id of the system group `role:nobody`. */
export const nobodyIn = ({ organization }: Snapshot): number | undefined =>
  organization.realm_user_groups.find(({ name }) => name === "role:nobody")?.id;

export const whoValue = (users: Iterable<number>, groups: Iterable<ThingId>, nobody: number | undefined): WhoValue => ({
  users: sorted(users),
  groups: sorted([...groups].filter((group) => group !== nobody)),
});

export function permissionValue(setting: unknown, nobody: number | undefined): WhoValue {
  const { direct_members, direct_subgroups } = whoIn(setting);
  return whoValue(direct_members, direct_subgroups, nobody);
}

/** Looks up ids: real ids of existing things, provisional ids of things that the plan creates. */
export class Ids {
  readonly #made = new Map<string, number>();
  readonly #again = new Map<string, number>();
  readonly #nobody: number | undefined;

  constructor(snapshot: Snapshot, differences: readonly Difference[]) {
    this.#nobody = nobodyIn(snapshot);
    for (const [n, { action, section, name }] of differences.entries()) {
      if (action === "create") this.#made.set(`${section} ${name}`, provisional(n + 1));
      if (action === "update") this.#again.set(`${section} ${name}`, provisional(n + 1));
    }
  }

  /** Returns the new id of a thing that is removed and created again. */
  again(section: SectionName, name: string): number {
    const id = this.#again.get(`${section} ${name}`);
    if (id === undefined) throw new Error(`the plan does not change ${name} in ${section}`);
    return id;
  }

  of(section: SectionName, id: unknown): number {
    if (typeof id === "number") return id;
    const createdId = isThingId(id) ? this.#made.get(`${section} ${keyOfId(id)}`) : undefined;
    if (createdId === undefined) throw new Error(`the plan makes no ${JSON.stringify(id)} in ${section}`);
    return createdId;
  }

  all(section: ThingSection, list: unknown): number[] {
    return idsIn(list).map((each) => this.of(section, each));
  }

  /** Returns a permission as servers write it: an id for one group alone, and `role:nobody` for nobody. */
  who(value: unknown): GroupSetting {
    if (!isWhoValue(value)) throw new Error(`not the value of a permission: ${JSON.stringify(value)}`);
    const { users, groups } = value;
    const ids = this.all("groups", groups);
    const [first] = ids;
    if (!users.length && ids.length === 1 && first !== undefined) return first;
    if (!users.length && !ids.length && this.#nobody !== undefined) return this.#nobody;
    return { direct_members: [...users], direct_subgroups: ids };
  }
}
