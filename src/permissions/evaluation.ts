/** Who may do what in an organization, and why, as far as one snapshot tells. */
import type { GroupSetting } from "../api/group-setting.ts";
import {
  type Channel,
  channelsOf,
  everybodyOf,
  type Group,
  type Person,
  type Snapshot,
} from "../organization/snapshot.ts";
import { type Allowed, Decisions } from "./decide.ts";
import { explanation, type Way } from "./explain.ts";
import { Facts, type Target } from "./facts.ts";
import { rulesOf } from "./rules.ts";
import type { Rule, Rules, Scope } from "./term.ts";

/** The groups that the value of a setting names. */
export const groupsNamedBy = ({ granted_to }: Pick<Cell, "granted_to">): readonly number[] =>
  granted_to === null ? [] : typeof granted_to === "number" ? [granted_to] : granted_to.direct_subgroups;

/** A group and those that it is in, directly or through others. */
export const containing = ({ facts }: Evaluation, group: number): Set<number> =>
  new Set([...facts.groups.keys()].filter((id) => facts.reached([id]).has(group)));

export type { Path, Setting, Way } from "./explain.ts";
export type { Scope, Word } from "./term.ts";

/** One permission on one thing. An evaluation has each once. */
export interface Cell {
  readonly scope: Scope;
  /** Null for the organization. */
  readonly target_id: number | null;
  /** The name of the channel or group; null for the organization. */
  readonly name: string | null;
  /** Archived, or deactivated. */
  readonly away: boolean;
  /** The wire name of a setting, or an act. */
  readonly permission: string;
  /** The name of the setting behind it; null where there is none. */
  readonly setting: string | null;
  /** Its value, as the server has it. */
  readonly granted_to: GroupSetting | null;
  /** What it is to have it, after "may"; `{}` stands for the name. Absent for settings that are not known here. */
  readonly lets?: string | undefined;
  /** Another permission of the same thing that is the same right. */
  readonly sameAs?: string | undefined;
  /** What every active account may do without it; `{}` stands for whom the setting names. */
  readonly exceptions?: readonly string[] | undefined;
  /** What somebody who looks at it has to know besides. */
  readonly note?: string | undefined;
}

export interface Counts {
  /** Guests among them; no bots. */
  people: number;
  guests: number;
  bots: number;
}

/**
 * Everything that `permissions` answers, as a function of a snapshot alone.
 *
 *     const evaluation = evaluate(readSnapshot(text, path));
 *     for (const cell of evaluation.cells())
 *       console.log(cell.scope, cell.name, cell.permission, evaluation.counts(cell).people);
 *
 *     const posting = evaluation.cell("channel", 7, "post")!;
 *     evaluation.may(10, posting); // true, false, or undefined where the snapshot cannot decide
 *     evaluation.ways(10, posting); // [{ groups: [11, 40], names: ["role:members", "designers"], by: […] }, { word: "public" }]
 *     evaluation.lacks(12, posting); // ["not in designers, nor in any group in it (can_send_message_group)"]
 */
export class Evaluation {
  readonly snapshot: Snapshot;
  /** Everybody, bots and deactivated people too. */
  readonly accounts: readonly Person[];
  /** The server's feature level. */
  readonly level: number;
  /** @internal Sets of places in `accounts`. */
  readonly facts: Facts;
  readonly #things = new Map<string, Decisions>();
  readonly #cells = new Map<string, Cell>();

  constructor(snapshot: Snapshot, accounts?: readonly Person[]) {
    this.snapshot = snapshot;
    this.facts = new Facts(snapshot, accounts);
    this.accounts = this.facts.accounts;
    this.level = this.facts.level;
    const { facts } = this;
    const rules = {
      organization: rulesOf(facts, "organization"),
      channel: rulesOf(facts, "channel"),
      group: rulesOf(facts, "group"),
    };
    this.#add({ scope: "organization" }, rules.organization, { target_id: null, name: null, away: false });
    for (const channel of channelsOf(snapshot))
      this.#add({ scope: "channel", channel }, rules.channel, channelCell(channel));
    for (const group of this.facts.groups.values()) this.#add({ scope: "group", group }, rules.group, groupCell(group));
  }

  #add(target: Target, rules: Rules, about: Pick<Cell, "target_id" | "name" | "away">): void {
    const { scope } = target;
    this.#things.set(`${scope} ${about.target_id}`, new Decisions(this.facts, rules, target));
    for (const [permission, rule] of Object.entries(rules)) {
      const { shows = permission, lets, exceptions, note } = rule;
      const granted_to = (shows === null ? undefined : this.facts.value(target, scope, shows)) ?? null;
      this.#cells.set(`${scope} ${about.target_id} ${permission}`, {
        scope,
        ...about,
        permission,
        setting: shows,
        granted_to,
        lets,
        sameAs: anotherName(rule),
        exceptions,
        note,
      });
    }
  }

  #decisions({ scope, target_id }: Cell): Decisions {
    return this.#things.get(`${scope} ${target_id}`)!;
  }

  /** All of them: the organization's, those of each channel, those of each group. */
  cells(): IterableIterator<Cell> {
    return this.#cells.values();
  }

  cell(scope: Scope, target: number | null, permission: string): Cell | undefined {
    return this.#cells.get(`${scope} ${target} ${permission}`);
  }

  /** The places in `accounts` of those who certainly may, and of those who possibly may. */
  verdict(cell: Cell): Allowed {
    return this.#decisions(cell).permission(cell.permission);
  }

  /** Undefined where the snapshot cannot decide. Nobody whom it does not know may anything. */
  may(id: number, cell: Cell): boolean | undefined {
    const place = this.facts.place(id);
    if (place === undefined) return false;
    const { sure, possible } = this.verdict(cell);
    return sure.has(place) || (possible.has(place) ? undefined : false);
  }

  /** Who may, bots too, in the order of `accounts`. */
  who(cell: Cell): Person[] {
    return this.facts.people(this.verdict(cell).sure);
  }

  /** Of whom the snapshot cannot decide it. */
  doubtful(cell: Cell): Person[] {
    const { sure, possible } = this.verdict(cell);
    return sure === possible ? [] : this.facts.people(possible.without(sure));
  }

  counts(cell: Cell): Counts {
    const { sure } = this.verdict(cell);
    const { bots, guests } = this.facts;
    const people = sure.without(bots);
    return { people: people.count, guests: people.and(guests).count, bots: sure.count - people.count };
  }

  /** By what somebody may, the shortest path first; at most so many of each setting. */
  ways(id: number, cell: Cell, most?: number): Way[] {
    return this.facts.place(id) === undefined ? [] : explanation(this.#decisions(cell), id).ways(cell.permission, most);
  }

  /** The shortest way; undefined where somebody may not. */
  way(id: number, cell: Cell): Way | undefined {
    return this.ways(id, cell, 1)[0];
  }

  /** What somebody lacks who may not. */
  lacks(id: number, cell: Cell): string[] {
    return this.may(id, cell) === false && this.facts.place(id) !== undefined
      ? explanation(this.#decisions(cell), id).lacks(cell.permission)
      : [];
  }

  /** Why the snapshot cannot decide it; undefined where it does. */
  unknown(id: number, cell: Cell): string | undefined {
    return this.may(id, cell) === undefined
      ? explanation(this.#decisions(cell), id).unknown(cell.permission)
      : undefined;
  }
}

/** Of a rule that lets whoever may do something else, and nobody besides, that other permission. */
function anotherName({ never, needs, by, besides = [] }: Rule): string | undefined {
  const [only, another] = besides;
  return !never && !needs && !by && !another && only?.kind === "may" ? only.permission : undefined;
}

const channelCell = ({ stream_id, name, is_archived }: Channel) => ({
  target_id: stream_id,
  name,
  away: is_archived ?? false,
});

const groupCell = ({ id, name, deactivated }: Group) => ({ target_id: id, name, away: deactivated ?? false });

export const evaluate = (snapshot: Snapshot): Evaluation => new Evaluation(snapshot);

/** Of two states of one organization: a place in `accounts` is the same person in both. */
export function evaluateBoth(before: Snapshot, after: Snapshot): readonly [Evaluation, Evaluation] {
  const byId = (snapshot: Snapshot) => new Map(everybodyOf(snapshot).map((person) => [person.user_id, person]));
  const [one, other] = [byId(before), byId(after)];
  const earlierFirst = new Map([...one, ...other]);
  const ids = [...earlierFirst.keys()];
  return [
    new Evaluation(
      before,
      ids.flatMap((id) => one.get(id) ?? other.get(id) ?? []),
    ),
    new Evaluation(after, [...earlierFirst.values()]),
  ];
}
