/** Why somebody may: by which groups, or by what else. And why not: what is missing. */
import type { GroupSetting } from "../api/group-setting.ts";
import { firstOf } from "../counted.ts";
import { type Decisions, termOf } from "./decide.ts";
import { type Facts, partsOf, subgroupsOf } from "./facts.ts";
import type { Scope, Term, Word } from "./term.ts";

/** Ids of groups, the outermost first; none where the value names the person. */
export type Path = readonly number[];

/** Every path once, the shortest first, those of one length by the names of their groups. A circle ends the path. */
export function* paths(facts: Facts, value: GroupSetting, person: number): Generator<Path> {
  const { direct_members, direct_subgroups } = partsOf(value);
  if (direct_members.includes(person)) yield [];
  const place = facts.place(person);
  if (place === undefined) return;
  const name = (id: number): string => facts.groups.get(id)?.name ?? "";
  const inside = (ids: readonly number[]): number[] =>
    [...new Set(ids)]
      .filter((id) => facts.groups.has(id) && facts.members(id).has(place))
      .sort((one, other) => (name(one) < name(other) ? -1 : name(one) > name(other) ? 1 : one - other));

  const starts = inside(direct_subgroups);
  const met = [...facts.reached(starts)].filter((id) => facts.groups.has(id) && facts.members(id).has(place));
  const below = new Map(met.map((id) => [id, inside(subgroupsOf(facts.groups.get(id)!))]));
  // Which groups lead to one with the person in as many steps, so that no path ends without the person.
  let steps = [new Set(met.filter((id) => facts.groups.get(id)!.members.includes(person)))];

  function* on(path: readonly number[], left: number): Generator<Path> {
    if (left === 0) yield path;
    else
      for (const next of below.get(path.at(-1)!) ?? [])
        if (steps[left - 1]?.has(next) && !path.includes(next)) yield* on([...path, next], left - 1);
  }

  for (let length = 0; length < met.length; length++) {
    const last = steps[length];
    if (!last?.size) return;
    for (const start of starts) if (last.has(start)) yield* on([start], length);
    steps = [...steps, new Set(met.filter((id) => below.get(id)!.some((sub) => last.has(sub))))];
  }
}

/** A setting, as a reason. */
export interface Setting {
  readonly scope: Scope;
  readonly setting: string;
}

export type Way =
  /** In these groups, the outermost first; none where a setting names the person. All settings that give it so. */
  | { readonly groups: Path; readonly names: readonly string[]; readonly by: readonly Setting[] }
  | { readonly word: Word };

/** So many paths by one setting are listed. */
export const mostPaths = 1000;

/** So many of the people and groups in a value are named. */
const mostNamed = 5;

/** Explains what one account may do with one thing. The snapshot must know the account. */
export function explanation(decisions: Decisions, person: number) {
  const { facts, target } = decisions;
  const place = facts.place(person)!;
  const termNamed = (permission: string): Term => termOf(decisions.rule(permission));
  const holds = (term: Term): boolean => decisions.term(term).sure.has(place);

  /** The facts and settings that give the right. */
  function* grants(term: Term): Generator<Term> {
    if (!holds(term)) return;
    switch (term.kind) {
      case "may":
        return yield* grants(termNamed(term.permission));
      case "any":
        for (const each of term.of) yield* grants(each);
        return;
      case "when":
        return yield* grants(term.grant);
      case "levels":
        return yield* grants(term.term);
      default:
        yield term;
    }
  }

  /** The shortest first; words come after groups. */
  function ways(permission: string, most = mostPaths): Way[] {
    if (!decisions.permission(permission).sure.has(place)) return [];
    const found = new Map<string, { groups: Path; names: string[]; by: Setting[] }>();
    const words = new Set<Word>();
    for (const term of grants(termNamed(permission))) {
      if (term.kind === "fact" && term.word) words.add(term.word);
      if (term.kind === "owner in") words.add("bot-owner");
      if (term.kind !== "in") continue;
      const { scope, setting } = term;
      const value = facts.value(target, scope, setting)!;
      // By its date somebody may be a full member whom the group does not list.
      const unlisted = typeof value === "number" && !facts.members(value).has(place);
      let left = most;
      for (const groups of unlisted ? [[value]] : paths(facts, value, person)) {
        const way = found.get(groups.join()) ?? { groups, names: groups.map(nameOf), by: [] };
        found.set(groups.join(), way);
        if (!way.by.some((one) => one.scope === scope && one.setting === setting)) way.by.push({ scope, setting });
        if (--left === 0) break;
      }
    }
    const byGroups = [...found.values()].sort(
      (one, other) => one.groups.length - other.groups.length || byNames(one.names, other.names),
    );
    return [...byGroups, ...[...words].map((word) => ({ word }))];
  }

  const nameOf = (group: number): string => facts.groups.get(group)?.name ?? "";

  /** What somebody lacks who may not; of what is enough alone, everything. */
  function lacks(permission: string): string[] {
    if (!facts.active.has(place)) return ["deactivated"];
    if (facts.webhooks.has(place) && !decisions.rule(permission).webhooks)
      return ["incoming webhooks may send messages and nothing else"];
    return [...new Set(missing(termNamed(permission)))];
  }

  function missing(term: Term): string[] {
    if (holds(term)) return [];
    switch (term.kind) {
      case "fact":
        return [term.lack];
      case "in": {
        const value = facts.value(target, term.scope, term.setting);
        return value === undefined ? [`${term.setting} is unknown`] : [notIn(value, term)];
      }
      case "owner in":
        return facts.bots.has(place) ? [`nor is its owner (${term.setting})`] : [];
      case "may":
        return lacks(term.permission);
      case "any":
        return term.of.flatMap(missing);
      case "when": {
        const needs = term.needs.filter((each) => !holds(each));
        return needs.length ? needs.flatMap(missing) : missing(term.grant);
      }
      case "levels":
        return facts.level >= term.from && facts.level < term.below ? missing(term.term) : [];
      case "doubt":
        return [term.why];
      default:
        return term satisfies never;
    }
  }

  function notIn(value: GroupSetting, { scope, setting }: Setting): string {
    const of = ` (${setting}${scope === target.scope ? "" : ` of the ${scope}`})`;
    if (facts.guests.has(place) && !facts.letsGuests(scope, setting)) return `guests never have ${setting}`;
    const { direct_members, direct_subgroups } = partsOf(value);
    const groups = direct_subgroups.map((id) => facts.groups.get(id)?.name ?? `group ${id}`);
    if (!direct_members.length && groups.every((name) => name === "role:nobody")) return `nobody has it${of}`;
    const people = direct_members.map((id) => facts.fullName(id) ?? `user ${id}`);
    const parts = [
      ...(people.length ? [`not among ${firstOf(people, mostNamed)}`] : []),
      ...(groups.length
        ? [`not in ${firstOf(groups, mostNamed)}, nor in any group in ${groups.length > 1 ? "them" : "it"}`]
        : []),
    ];
    return `${parts.join(", and ")}${of}`;
  }

  /** Why nobody knows whether somebody may. */
  const unknown = (permission: string): string => [...new Set(missing(termNamed(permission)))].join("; ");

  return { ways, lacks, unknown };
}

function byNames(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((name, at) => name !== other[at]);
  return at < 0 ? 0 : (one[at] ?? "") < (other[at] ?? "") ? -1 : 1;
}
