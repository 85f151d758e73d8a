/** Converts values of a snapshot to the canonical form that `difference.ts` describes. */
import type { GroupSetting } from "../api/group-setting.ts";
import type { Known, WhoValue } from "./difference.ts";
import type { Snapshot } from "./snapshot.ts";

/** Returns a key for lookups. */
export const keyOfKnown = (known: Known): number | string => (typeof known === "number" ? known : known.new);

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;

const isKnown = (value: unknown): value is Known =>
  typeof value === "number" || (isObject(value) && typeof value.new === "string");

/** Returns the things that a canonical list names. */
export const knownIn = (list: unknown): Known[] => (Array.isArray(list) ? list.filter(isKnown) : []);

/** Removes duplicates and sorts: ids first, by size; then names of things that the plan creates. */
export function sorted<K extends Known>(all: Iterable<K>): K[] {
  const known = new Set<number>();
  const made = new Set<string>();
  for (const each of all)
    if (typeof each === "number") known.add(each);
    else made.add(each.new);
  return [...[...known].sort((a, b) => a - b), ...[...made].sort().map((name) => ({ new: name }))] as K[];
}

/** Returns what a change adds to a list of people or groups, and what it removes. */
export function listChanges<K extends Known = number>(from: unknown, to: unknown): readonly [added: K[], removed: K[]] {
  const [before, after] = [knownIn(from), knownIn(to)];
  const without = (all: readonly Known[], others: readonly Known[]) => {
    const keys = new Set(others.map(keyOfKnown));
    return all.filter((each) => !keys.has(keyOfKnown(each))) as K[];
  };
  return [without(after, before), without(before, after)];
}

/** Compares two canonical values. The order matters in lists, not in objects. */
export function same(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, n) => same(each, other[n]));
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]))
  );
}

/** Some servers leave out empty texts and lists. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Returns the id of the system group `role:nobody`. */
export const nobodyIn = ({ organization }: Snapshot): number | undefined =>
  organization.realm_user_groups.find(({ name }) => name === "role:nobody")?.id;

export const whoValue = (users: Iterable<number>, groups: Iterable<Known>, nobody: number | undefined): WhoValue => ({
  users: sorted(users),
  groups: sorted([...groups].filter((group) => group !== nobody)),
});

export const permissionValue = (setting: GroupSetting, nobody: number | undefined): WhoValue =>
  typeof setting === "number"
    ? whoValue([], [setting], nobody)
    : whoValue(setting.direct_members, setting.direct_subgroups, nobody);
