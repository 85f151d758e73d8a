/** Who gains and who loses a permission between two states of an organization. */
import { firstOf, peopleAndBots } from "../counted.ts";
import { channelsOf, type Person, type Snapshot } from "../organization/snapshot.ts";
import type { Allowed } from "./decide.ts";
import { type Cell, evaluateBoth } from "./evaluation.ts";
import { inWords, thingOf } from "./words.ts";

export interface Shift {
  /** As it is afterwards; as it was before, where it is not there any more. */
  readonly cell: Cell;
  /** The channel or group is there before and afterwards. */
  readonly stays: boolean;
  /** Those who may for sure afterwards, and could not before. */
  readonly gain: readonly Person[];
  readonly lose: readonly Person[];
}

export interface Shifts {
  readonly shifts: readonly Shift[];
  /** Permissions that are unknown for somebody, before or afterwards. */
  readonly doubtful: readonly string[];
}

/** Which permissions may be other ones: where channels alone differ, those of these channels; all otherwise. */
function touched(one: Snapshot, other: Snapshot): (cell: Cell) => boolean {
  const rest = ({ organization, feature_level }: Snapshot) =>
    JSON.stringify([{ ...organization, subscriptions: [], unsubscribed: [], never_subscribed: [] }, feature_level]);
  if (rest(one) !== rest(other)) return () => true;
  const [before, after] = [one, other].map(
    (snapshot) => new Map(channelsOf(snapshot).map((channel) => [channel.stream_id, JSON.stringify(channel)])),
  ) as [Map<number, string>, Map<number, string>];
  return ({ scope, target_id }) => scope === "channel" && before.get(target_id!) !== after.get(target_id!);
}

/** By id: whoever and whatever has the same id is the same. */
export function shiftsBetween(one: Snapshot, other: Snapshot): Shifts {
  const [before, after] = evaluateBoth(one, other);
  const may = touched(one, other);
  const { facts } = after;
  const nothing: Allowed = { sure: facts.nobody, possible: facts.nobody };
  const shifts: Shift[] = [];
  const doubtful = new Set<string>();
  const compare = (cell: Cell, was: Allowed, is: Allowed, stays: boolean) => {
    if (was.possible !== was.sure || is.possible !== is.sure) doubtful.add(cell.permission);
    const [gain, lose] = [is.sure.without(was.possible), was.sure.without(is.possible)];
    if (gain.count || lose.count) shifts.push({ cell, stays, gain: facts.people(gain), lose: facts.people(lose) });
  };
  for (const cell of after.cells()) {
    if (!may(cell)) continue;
    const was = before.cell(cell.scope, cell.target_id, cell.permission);
    compare(cell, was ? before.verdict(was) : nothing, after.verdict(cell), was !== undefined);
  }
  for (const cell of before.cells())
    if (!after.cell(cell.scope, cell.target_id, cell.permission)) compare(cell, before.verdict(cell), nothing, false);
  return { shifts, doubtful: [...doubtful] };
}

/** So many people, channels or groups are named. */
const most = 5;

function whoText(people: readonly Person[]): string {
  const bots = people.filter(({ is_bot }) => is_bot).length;
  return peopleAndBots(people.length - bots, bots);
}

interface Same {
  readonly can: string;
  readonly people: readonly Person[];
  readonly first: Cell;
  readonly cells: Cell[];
}

/**
 * `14 people can no longer read #design: …`. What the same people gain or lose of several channels or groups is one
 * sentence, and a right with two names appears once.
 */
export function sentencesOf(shifts: readonly Shift[]): string[] {
  const same: Same[] = [];
  // By what is short: a key of thousands of ids for each of thousands of cells would take more room than all the rest.
  const alike = new Map<string, Same[]>();
  for (const { cell, gain, lose } of shifts) {
    if (cell.sameAs !== undefined) continue;
    for (const [can, people] of [
      ["can now", gain],
      ["can no longer", lose],
    ] as const) {
      if (!people.length) continue;
      const key = `${can} ${cell.scope} ${cell.permission} ${people.length} ${people[0]?.user_id}`;
      const some = alike.get(key) ?? [];
      const known = some.find((one) => one.people.every(({ user_id }, at) => user_id === people[at]?.user_id));
      if (known) {
        known.cells.push(cell);
        continue;
      }
      const fresh = { can, people, first: cell, cells: [cell] };
      same.push(fresh);
      alike.set(key, [...some, fresh]);
    }
  }
  return same.map(({ can, people, first, cells }) => {
    const what = inWords(first, firstOf(cells.map(thingOf), most));
    const names = people.map(({ full_name }) => full_name);
    // By name where not all are named: the newest accounts have the last ids.
    const sorted = names.length > most ? names.sort() : names;
    return `${whoText(people)} ${can} ${what}: ${firstOf(sorted, most)}`;
  });
}
