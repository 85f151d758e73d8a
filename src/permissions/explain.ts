/** Explains why somebody has a permission, or what is missing. */
import { joinFirst } from "../common/counted.ts";
import { type GroupSetting, whoIn } from "../model/permission.ts";
import { byText } from "../organization/naming.ts";
import type { SnapshotGroup } from "../organization/snapshot.ts";
import type { Cell } from "./cell.ts";
import { type Decisions, grants } from "./decide.ts";
import { type Facts, memoize, type Scope } from "./facts.ts";
import type { Reason, Term } from "./term.ts";

/** The largest number of paths that are listed for one setting, and of paths of one length that are followed. */
const mostPaths = 1000;

/**
 * Finds paths of group ids from a setting to a person, the outermost group first. A path is empty if the setting names
 * the person. Shorter paths come first, then the order of names.
 */
function* groupPaths(facts: Facts, value: GroupSetting, person: number): Generator<readonly number[]> {
  const { direct_members, direct_subgroups } = whoIn(value);
  if (direct_members.includes(person)) yield [];
  const place = facts.indexOf(person);
  const inside = memoize((ids: readonly number[]): SnapshotGroup[] =>
    [...new Set(ids)]
      .flatMap((id) => facts.groups.get(id) ?? [])
      .filter(({ id }) => facts.members(id).has(place))
      .sort((one, other) => byText(one.name, other.name) || one.id - other.id),
  );
  let all = inside(direct_subgroups).map((group) => ({ path: [group.id], group }));
  while (all.length) {
    for (const { path, group } of all) if (group.members.includes(person)) yield path;
    all = all
      .flatMap(({ path, group }) => inside(group.direct_subgroup_ids).map((next) => ({ path, group: next })))
      .filter(({ path, group }) => !path.includes(group.id))
      .map(({ path, group }) => ({ path: [...path, group.id], group }))
      .slice(0, mostPaths);
  }
}

interface SettingName {
  readonly scope: Scope;
  readonly setting: string;
}

interface GroupPath {
  /** The outermost group first. Empty if a setting names the person. */
  readonly groups: readonly number[];
  readonly names: readonly string[];
  /** All settings where the path starts. */
  readonly settings: readonly SettingName[];
}

/** What gives somebody a permission: groups, or a reason without a group. */
export type PermissionPath = GroupPath | { readonly reason: Reason };

type Explained = Pick<Cell, "decisions" | "permission">;

/** Returns at most so many group paths from one setting to a person. */
function pathsFrom(facts: Facts, value: GroupSetting, person: number, most: number): (readonly number[])[] {
  // The join date can make somebody a full member before the group lists them.
  if (typeof value === "number" && !facts.members(value).has(facts.indexOf(person))) return [[value]];
  const paths: (readonly number[])[] = [];
  for (const path of groupPaths(facts, value, person)) if (paths.push(path) === most) break;
  return paths;
}

/** Returns what gives a permission to an account of the snapshot: the shortest path first, and reasons after groups. */
export function pathsTo({ decisions, permission }: Explained, person: number, most = mostPaths): PermissionPath[] {
  const { facts, target } = decisions;
  const pathsByGroups = new Map<string, GroupPath & { settings: SettingName[] }>();
  const reasons = new Set<Reason>();
  for (const { term } of grants(decisions, decisions.rule(permission).term, facts.setOfIds([person]))) {
    if (term.kind === "fact" && term.reason) reasons.add(term.reason);
    if (term.kind === "owner in") reasons.add("bot-owner");
    if (term.kind !== "in") continue;
    const { scope, setting } = term;
    const value = facts.value(target, scope, setting);
    if (value === undefined) continue;
    for (const groups of pathsFrom(facts, value, person, most)) {
      const names = groups.map((group) => facts.groups.get(group)?.name ?? "");
      const path = pathsByGroups.get(groups.join()) ?? { groups, names, settings: [] };
      pathsByGroups.set(groups.join(), path);
      if (!path.settings.some((one) => one.scope === scope && one.setting === setting))
        path.settings.push({ scope, setting });
    }
  }
  const byGroups = [...pathsByGroups.values()].sort(
    (one, other) => one.groups.length - other.groups.length || compareNames(one.names, other.names),
  );
  return [...byGroups, ...[...reasons].map((reason) => ({ reason }))];
}

function compareNames(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((name, at) => name !== other[at]);
  return byText(one[at] ?? "", other[at] ?? "");
}

/** Returns what an account of the snapshot is missing for a permission. Of alternatives it returns all. */
export function missingFor({ decisions, permission }: Explained, person: number): string[] {
  const { facts, target } = decisions;
  const place = facts.indexOf(person);
  const isHeld = (term: Term): boolean => decisions.term(term).sure.has(place);

  function missing(name: string): string[] {
    const { term, webhooks } = decisions.rule(name);
    if (!facts.active.has(place)) return ["deactivated"];
    if (facts.webhooks.has(place) && !webhooks) return ["incoming webhooks may send messages and nothing else"];
    return [...new Set(missingIn(term))];
  }

  function missingIn(term: Term): string[] {
    if (isHeld(term)) return [];
    switch (term.kind) {
      case "fact":
        return term.ofBots && !facts.bots.has(place) ? [] : [term.missing];
      case "in": {
        const value = facts.value(target, term.scope, term.setting);
        return value === undefined ? [`${term.setting} is unknown`] : [notInSetting(decisions, term, value, place)];
      }
      case "owner in":
        return facts.bots.has(place) ? [`nor is its owner (${term.setting})`] : [];
      case "permission":
        return missing(term.permission);
      case "any":
        return term.of.flatMap(missingIn);
      case "when": {
        const needs = term.requires.filter((each) => !isHeld(each));
        return needs.length ? needs.flatMap(missingIn) : missingIn(term.grant);
      }
      case "levels":
        return facts.level >= term.from && facts.level < term.below ? missingIn(term.term) : [];
      case "uncertain":
        return [term.why];
      default:
        return term satisfies never;
    }
  }

  return missing(permission);
}

/** Says that the account at an index is not in a setting. */
function notInSetting(
  { facts, target }: Decisions,
  { scope, setting }: SettingName,
  value: GroupSetting,
  place: number,
): string {
  const of = ` (${setting}${scope === target.scope ? "" : ` of the ${scope}`})`;
  if (facts.guests.has(place) && !facts.allowsGuests(scope, setting)) return `guests never have ${setting}`;
  const { direct_members, direct_subgroups } = whoIn(value);
  const groups = direct_subgroups.map((id) => facts.groups.get(id)?.name ?? `group ${id}`);
  if (!direct_members.length && groups.every((name) => name === "role:nobody")) return `nobody has it${of}`;
  const people = direct_members.map((id) => facts.fullName(id) ?? `user ${id}`);
  const parts = [
    ...(people.length ? [`not among ${joinFirst(people)}`] : []),
    ...(groups.length ? [`not in ${joinFirst(groups)}, nor in any group in ${groups.length > 1 ? "them" : "it"}`] : []),
  ];
  return `${parts.join(", and ")}${of}`;
}
