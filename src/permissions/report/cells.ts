/** One cell of the tables: who may, in words, counted, and as a set. */
import { deflateRawSync } from "node:zlib";
import type { GroupSetting } from "../../api/group-setting.ts";
import { counted } from "../../counted.ts";
import type { Bits } from "../bits.ts";
import { type Cell as Asked, type Evaluation, groupsNamedBy } from "../evaluation.ts";
import { groupTitle, visible } from "./words.ts";

/** One permission of one target: who may. */
export interface Cell {
  /** The group's name, or what the people are where other rules decide than the setting alone. */
  readonly label: string;
  /** What the setting says, where the label is another. */
  readonly setting?: string;
  /** Active ones who may; guests are among the people, bots are not. */
  readonly people: number;
  readonly guests: number;
  readonly bots: number;
  /** The number of their set. */
  readonly set: number;
  /** Groups that the setting names itself, by id. */
  readonly names: readonly number[];
  /** What the snapshot does not tell, where it does not decide about everybody. */
  readonly unknown?: string;
}

/** Gives each different set of accounts a number. */
export class Sets {
  readonly #numbers = new Map<string, number>();
  readonly #sets: Uint8Array[] = [];

  number(set: Bits): number {
    const bytes = set.bytes();
    const key = Buffer.from(bytes).toString("latin1");
    const number = this.#numbers.get(key) ?? this.#sets.push(bytes) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** All sets, one after the other, a bit an account: deflated, in base 64. */
  get text(): string {
    return deflateRawSync(Buffer.concat(this.#sets)).toString("base64");
  }
}

/** What a setting says. */
function settingTitle({ facts }: Evaluation, value: GroupSetting): string {
  const title = (id: number): string => groupTitle(facts.groups.get(id)?.name ?? `group ${id}`);
  if (typeof value === "number") return title(value);
  const { direct_members, direct_subgroups } = value;
  const [first, another] = direct_members;
  const only = first !== undefined && another === undefined ? facts.fullName(first) : undefined;
  const people =
    only !== undefined
      ? [visible(only)]
      : direct_members.length > 0
        ? [counted(direct_members.length, "person", "people")]
        : [];
  return [...direct_subgroups.map(title), ...people].join(", ") || "Nobody";
}

export class Cells {
  readonly #evaluation: Evaluation;
  readonly #sets: Sets;

  constructor(evaluation: Evaluation, sets: Sets) {
    this.#evaluation = evaluation;
    this.#sets = sets;
  }

  /** Those of one row. `subscribers` are those of the channel. */
  row(asked: readonly Asked[], subscribers?: Bits): Cell[] {
    /** The sets of this row, and what they were called. */
    const labels = new Map<number, string>();
    return asked.map((cell) => {
      const { sure } = this.#evaluation.verdict(cell);
      const set = this.#sets.number(sure);
      const setting = cell.granted_to === null ? undefined : settingTitle(this.#evaluation, cell.granted_to);
      const label =
        this.#exact(cell, sure, setting, subscribers) ??
        labels.get(set) ??
        this.#vague(cell, sure, setting, subscribers);
      if (!labels.has(set)) labels.set(set, label);
      const [doubtful] = this.#evaluation.doubtful(cell);
      const unknown = doubtful && this.#evaluation.unknown(doubtful.user_id, cell);
      return {
        label,
        ...(setting !== undefined && setting !== label && { setting }),
        ...this.#evaluation.counts(cell),
        set,
        names: groupsNamedBy(cell),
        ...(unknown !== undefined && { unknown }),
      };
    });
  }

  #peopleIn(set: Bits): Bits {
    const { active, bots } = this.#evaluation.facts;
    return set.and(active).without(bots);
  }

  #inside = ({ granted_to }: Asked): Bits | undefined =>
    granted_to === null ? undefined : this.#evaluation.facts.inside(granted_to, true);

  /** The name of the setting where it alone decides; otherwise what the people are who may, where one word says it. */
  #exact(cell: Asked, sure: Bits, setting: string | undefined, subscribers: Bits | undefined): string | undefined {
    const { active, guests, owners, administrators, nobody } = this.#evaluation.facts;
    const members = active.without(guests);
    const people = this.#peopleIn(sure);
    const is = (other: Bits | undefined): boolean => other !== undefined && same(people, this.#peopleIn(other));
    const inside = this.#inside(cell);
    if (is(inside) || is(inside?.without(guests))) return setting;
    const known: readonly (readonly [string, () => Bits | undefined])[] = [
      ["Nobody", () => nobody],
      ["Everyone", () => active],
      ["Members", () => members],
      ["Subscribers", () => subscribers],
      ["Members, subscribers", () => subscribers?.or(members)],
      ["Subscribers, admins", () => subscribers?.or(administrators)],
      ["Owners", () => owners],
      ["Administrators", () => administrators],
      [`${setting}, admins`, () => inside?.or(administrators)],
      [`${setting}, subscribers`, () => subscribers && inside?.or(subscribers)],
    ];
    return known.find(([, other]) => is(other()))?.[0];
  }

  /** What most of the people are. */
  #vague(cell: Asked, sure: Bits, setting: string | undefined, subscribers: Bits | undefined): string {
    const people = this.#peopleIn(sure);
    const holds = (other: Bits | undefined): boolean =>
      other !== undefined && this.#peopleIn(other).count > 0 && this.#peopleIn(other).without(people).count === 0;
    const inside = this.#inside(cell);
    if (holds(inside)) return `${setting}, others`;
    if (holds(subscribers)) return "Subscribers, others";
    return inside && people.without(inside).count === 0 ? `Some of ${setting}` : "Some";
  }
}

const same = (one: Bits, other: Bits): boolean => one.count === other.count && one.without(other).count === 0;
