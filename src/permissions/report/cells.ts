/** One cell of the tables: who may, in words, as a count, and as a set. */
import { deflateRawSync } from "node:zlib";
import { counted } from "../../common/counted.ts";
import { type GroupSetting, whoIn } from "../../model/permission.ts";
import type { Bits } from "../bits.ts";
import { type Cell, type Evaluation, groupsInSetting } from "../evaluation.ts";
import { groupTitle, visibleName } from "../titles.ts";

/** Who has one permission on one target. */
export interface TableCell {
  /** The name of the group, or a description if other rules decide besides the setting. */
  readonly label: string;
  /** The value of the setting, if it differs from the label. */
  readonly setting?: string;
  /** Active accounts that have it. Guests count as people, bots do not. */
  readonly people: number;
  readonly guests: number;
  readonly bots: number;
  /** The number of the set. */
  readonly set: number;
  /** Ids of the groups in the setting. */
  readonly groups: readonly number[];
  /** What the snapshot does not tell, if it cannot decide about everybody. */
  readonly unknown?: string;
}

/** Numbers the different sets of accounts. */
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

  /** All sets in a row with one bit an account, deflated, in base64. */
  get text(): string {
    return deflateRawSync(Buffer.concat(this.#sets)).toString("base64");
  }
}

/** Describes a setting. */
function settingTitle({ facts }: Evaluation, value: GroupSetting): string {
  const { direct_members, direct_subgroups } = whoIn(value);
  const parts = direct_subgroups.map((id) => groupTitle(facts.groups.get(id)?.name ?? `group ${id}`));
  const [first = 0] = direct_members;
  const only = direct_members.length === 1 ? facts.fullName(first) : undefined;
  if (direct_members.length)
    parts.push(only === undefined ? counted(direct_members.length, "person", "people") : visibleName(only));
  return parts.join(", ") || "Nobody";
}

/** Returns the name of the setting if it decides alone, else one word for the people. */
function labelOf(cell: Cell, sure: Bits, setting: string | undefined, subscribers: Bits | undefined): string {
  const { facts } = cell.decisions;
  const { active, bots, guests, owners, administrators, nobody } = facts;
  const people = sure.without(bots);
  const inSetting = cell.granted_to === null ? undefined : facts.accountsIn(cell.granted_to, true);
  const members = active.without(guests);
  const labels: readonly (readonly [string | undefined, Bits | undefined])[] = [
    [setting, inSetting],
    [setting, inSetting?.without(guests)],
    ["Nobody", nobody],
    ["Everyone", active],
    ["Members", members],
    ["Subscribers", subscribers],
    ["Members, subscribers", subscribers?.or(members)],
    ["Subscribers, admins", subscribers?.or(administrators)],
    ["Owners", owners],
    ["Administrators", administrators],
    [`${setting}, admins`, inSetting?.or(administrators)],
    [`${setting}, subscribers`, subscribers && inSetting?.or(subscribers)],
  ];
  const activePeople = (set: Bits) => set.and(active).without(bots);
  const [exact] = labels.find(([, set]) => set && activePeople(set).equals(people)) ?? [];
  if (exact !== undefined) return exact;
  const isPartOfHolders = (set: Bits | undefined) =>
    set && activePeople(set).count > 0 && activePeople(set).without(sure).count === 0;
  if (isPartOfHolders(inSetting)) return `${setting}, others`;
  if (isPartOfHolders(subscribers)) return "Subscribers, others";
  return inSetting && people.without(inSetting).count === 0 ? `Some of ${setting}` : "Some";
}

/** Makes the cells of one row. `subscribers`: those of the channel. */
export const cellsOf = (evaluation: Evaluation, cells: readonly Cell[], sets: Sets, subscribers?: Bits): TableCell[] =>
  cells.map((cell) => {
    const { sure } = evaluation.holderSets(cell);
    const setting = cell.granted_to === null ? undefined : settingTitle(evaluation, cell.granted_to);
    const label = labelOf(cell, sure, setting, subscribers);
    const [undecided] = evaluation.undecided(cell);
    const unknown = undecided && evaluation.whyUnknown(undecided.user_id, cell);
    return {
      label,
      ...(setting !== undefined && setting !== label && { setting }),
      ...evaluation.counts(cell),
      set: sets.number(sure),
      groups: groupsInSetting(cell),
      ...(unknown !== undefined && { unknown }),
    };
  });
