/** Why somebody may: by which groups or by what else. And why not: what lacks. */
import type { GroupSetting } from "../api/group-setting.ts";
import { firstOf } from "../counted.ts";
import { type Decisions, termOf } from "./decide.ts";
import { type Facts, partsOf, subgroupsOf, type Target } from "./facts.ts";
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
  // Which groups lead to one with the person in as many steps: so no path is begun that leads nowhere.
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

/** No more paths than these are counted of one setting. */
export const mostPaths = 1000;

/** Of the people and groups in a value, as many are told. */
const mostNamed = 5;

export class Reasons {
  readonly #facts: Facts;
  readonly #target: Target;
  readonly #decisions: Decisions;
  readonly #person: number;
  readonly #place: number;

  constructor(facts: Facts, target: Target, decisions: Decisions, person: number) {
    this.#facts = facts;
    this.#target = target;
    this.#decisions = decisions;
    this.#person = person;
    this.#place = facts.place(person)!;
  }

  /** The shortest first; words come after groups. */
  ways(permission: string, most = mostPaths): Way[] {
    if (!this.#decisions.permission(permission).sure.has(this.#place)) return [];
    const paths = new Map<string, { groups: Path; by: Setting[] }>();
    const words = new Set<Word>();
    this.#grants(termOf(this.#decisions.rule(permission)), most, paths, words);
    const groups = [...paths.values()].map(({ groups, by }) => ({
      groups,
      names: groups.map((id) => this.#facts.groups.get(id)?.name ?? ""),
      by,
    }));
    groups.sort((one, other) => one.groups.length - other.groups.length || byNames(one.names, other.names));
    return [...groups, ...[...words].map((word) => ({ word }))];
  }

  #holds(term: Term): boolean {
    return this.#decisions.term(term).sure.has(this.#place);
  }

  #grants(term: Term, most: number, found: Map<string, { groups: Path; by: Setting[] }>, words: Set<Word>): void {
    if (!this.#holds(term)) return;
    switch (term.kind) {
      case "fact":
        if (term.word) words.add(term.word);
        return;
      case "in": {
        const { scope, setting } = term;
        let left = most;
        const value = this.#facts.value(this.#target, scope, setting)!;
        // By its date somebody may be a full member whom the group does not list.
        const unlisted = typeof value === "number" && !this.#facts.members(value).has(this.#place);
        for (const groups of unlisted ? [[value]] : paths(this.#facts, value, this.#person)) {
          const key = groups.join();
          const known = found.get(key);
          if (!known) found.set(key, { groups, by: [{ scope, setting }] });
          else if (!known.by.some((one) => one.scope === scope && one.setting === setting))
            known.by.push({ scope, setting });
          if (--left === 0) return;
        }
        return;
      }
      case "owner in":
        words.add("bot-owner");
        return;
      case "may":
        this.#grants(termOf(this.#decisions.rule(term.permission)), most, found, words);
        return;
      case "any":
        for (const each of term.of) this.#grants(each, most, found, words);
        return;
      case "given":
        this.#grants(term.grant, most, found, words);
        return;
      case "levels":
        this.#grants(term.term, most, found, words);
        return;
      case "doubt":
        return;
      default:
        term satisfies never;
    }
  }

  /** What somebody lacks who may not; of what is enough alone, everything. */
  lacks(permission: string): string[] {
    const { active, webhooks } = this.#facts;
    if (!active.has(this.#place)) return ["deactivated"];
    if (webhooks.has(this.#place) && !this.#decisions.rule(permission).webhooks)
      return ["incoming webhooks may send messages and nothing else"];
    return [...new Set(this.#missing(termOf(this.#decisions.rule(permission))))];
  }

  #missing(term: Term): string[] {
    if (this.#holds(term)) return [];
    switch (term.kind) {
      case "fact":
        return [term.lack];
      case "in": {
        const value = this.#facts.value(this.#target, term.scope, term.setting);
        return value === undefined ? [`${term.setting} is unknown`] : [this.#notIn(value, term)];
      }
      case "owner in":
        return this.#facts.bots.has(this.#place) ? [`nor is its owner (${term.setting})`] : [];
      case "may":
        return this.lacks(term.permission);
      case "any":
        return term.of.flatMap((each) => this.#missing(each));
      case "given": {
        const needs = term.needs.filter((each) => !this.#holds(each));
        return needs.length ? needs.flatMap((each) => this.#missing(each)) : this.#missing(term.grant);
      }
      case "levels":
        return this.#facts.level >= term.from && this.#facts.level < term.below ? this.#missing(term.term) : [];
      case "doubt":
        return [term.why];
      default:
        return term satisfies never;
    }
  }

  #notIn(value: GroupSetting, { scope, setting }: Setting): string {
    const of = ` (${setting}${scope === this.#target.scope ? "" : ` of the ${scope}`})`;
    const barred = this.#facts.guests.has(this.#place) && !this.#facts.letsGuests(scope, setting);
    if (barred) return `guests never have ${setting}`;
    const { direct_members, direct_subgroups } = partsOf(value);
    const groups = direct_subgroups.map((id) => this.#facts.groups.get(id)?.name ?? `group ${id}`);
    if (!direct_members.length && groups.every((name) => name === "role:nobody")) return `nobody has it${of}`;
    const people = direct_members.map((id) => this.#facts.fullName(id) ?? `user ${id}`);
    const named = people.length ? `not among ${firstOf(people, mostNamed)}` : "";
    const inside = groups.length
      ? `${named ? ", and " : ""}not in ${firstOf(groups, mostNamed)}, nor in any group in ${groups.length > 1 ? "them" : "it"}`
      : "";
    return `${named}${inside}${of}`;
  }

  /** Why nobody knows whether somebody may. */
  unknown(permission: string): string {
    return [...new Set(this.#missing(termOf(this.#decisions.rule(permission))))].join("; ");
  }
}

function byNames(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((name, at) => name !== other[at]);
  return at < 0 ? 0 : (one[at] ?? "") < (other[at] ?? "") ? -1 : 1;
}
