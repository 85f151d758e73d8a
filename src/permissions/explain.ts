/** Explains why somebody has a permission, or what is missing. */
import { joinFirst } from "../common/counted.ts";
import { type GroupSetting, whoIn } from "../model/permission.ts";
import { byText } from "../organization/naming.ts";
import type { SnapshotGroup } from "../organization/snapshot.ts";
import type { Cell } from "./cell.ts";
import { grants } from "./decide.ts";
import { type Facts, memoize, type Scope } from "./facts.ts";
import type { Reason, Term } from "./term.ts";

/** The largest number of paths listed for one setting, and followed for one length. */
const mostPaths = 1000;

/**
 * Finds paths of group ids from a setting to a person, the outermost group first. A path is empty if the setting names
 * the person. Shorter paths come first, then the order of names.
 */
function* paths(facts: Facts, value: GroupSetting, person: number): Generator<readonly number[]> {
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

/** Makes a reason of a setting. */
interface SettingName {
  readonly scope: Scope;
  readonly setting: string;
}

export type Way =
  /**
   * The groups of the path, the outermost first, and all settings where it starts. Empty if a setting names the person.
   */
  | { readonly groups: readonly number[]; readonly names: readonly string[]; readonly settings: readonly SettingName[] }
  | { readonly reason: Reason };

/** Explains the permissions of one account on one thing. The snapshot must contain the account. */
export function explanation({ decisions, permission }: Pick<Cell, "decisions" | "permission">, person: number) {
  const { facts, target } = decisions;
  const place = facts.indexOf(person);
  const isHeld = (term: Term): boolean => decisions.term(term).sure.has(place);

  /** The shortest path comes first, and words come after groups. */
  function ways(most = mostPaths): Way[] {
    const waysByGroups = new Map<string, { groups: readonly number[]; names: string[]; settings: SettingName[] }>();
    const reasons = new Set<Reason>();
    for (const { term } of grants(decisions, decisions.rule(permission).term, facts.setOfIds([person]))) {
      if (term.kind === "fact" && term.reason) reasons.add(term.reason);
      if (term.kind === "owner in") reasons.add("bot-owner");
      if (term.kind !== "in") continue;
      const { scope, setting } = term;
      const value = facts.value(target, scope, setting);
      if (value === undefined) continue;
      // The join date can make somebody a full member before the group lists them.
      const unlisted = typeof value === "number" && !facts.members(value).has(place);
      let pathsLeft = most;
      for (const groups of unlisted ? [[value]] : paths(facts, value, person)) {
        const way = waysByGroups.get(groups.join()) ?? { groups, names: groups.map(nameOf), settings: [] };
        waysByGroups.set(groups.join(), way);
        if (!way.settings.some((one) => one.scope === scope && one.setting === setting))
          way.settings.push({ scope, setting });
        if (--pathsLeft === 0) break;
      }
    }
    const byGroups = [...waysByGroups.values()].sort(
      (one, other) => one.groups.length - other.groups.length || compareNames(one.names, other.names),
    );
    return [...byGroups, ...[...reasons].map((reason) => ({ reason }))];
  }

  const nameOf = (group: number): string => facts.groups.get(group)?.name ?? "";

  /** Returns what a person without the permission is missing. Of alternatives it returns all. */
  function missing(name = permission): string[] {
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
        return value === undefined ? [`${term.setting} is unknown`] : [notInSetting(value, term)];
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

  function notInSetting(value: GroupSetting, { scope, setting }: SettingName): string {
    const of = ` (${setting}${scope === target.scope ? "" : ` of the ${scope}`})`;
    if (facts.guests.has(place) && !facts.allowsGuests(scope, setting)) return `guests never have ${setting}`;
    const { direct_members, direct_subgroups } = whoIn(value);
    const groups = direct_subgroups.map((id) => facts.groups.get(id)?.name ?? `group ${id}`);
    if (!direct_members.length && groups.every((name) => name === "role:nobody")) return `nobody has it${of}`;
    const people = direct_members.map((id) => facts.fullName(id) ?? `user ${id}`);
    const parts = [
      ...(people.length ? [`not among ${joinFirst(people)}`] : []),
      ...(groups.length
        ? [`not in ${joinFirst(groups)}, nor in any group in ${groups.length > 1 ? "them" : "it"}`]
        : []),
    ];
    return `${parts.join(", and ")}${of}`;
  }

  return { ways, missing };
}

function compareNames(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((name, at) => name !== other[at]);
  return byText(one[at] ?? "", other[at] ?? "");
}
