/** Who gains and who loses a permission between two states of an organization. */
import { counted, firstOf } from "../counted.ts";
import type { Person } from "../organization/snapshot.ts";
import type { Cell, Judgement } from "./judgement.ts";
import { inWords } from "./words.ts";

export interface Shift {
  /** As it is afterwards; as it was before, where it is not there any more. */
  readonly cell: Cell;
  /** Those who may for sure now, and could not before. */
  readonly gain: readonly Person[];
  readonly lose: readonly Person[];
}

export interface Shifts {
  readonly shifts: readonly Shift[];
  /** Permissions that are not known before or not known afterwards of somebody, whom they are not told of. */
  readonly doubtful: readonly string[];
}

interface Known {
  sure: ReadonlySet<number>;
  possible: ReadonlySet<number>;
}

function knownOf(judgement: Judgement, cell: Cell | undefined): Known {
  const sure = new Set(cell && judgement.who(cell).map(({ user_id }) => user_id));
  const doubtful = cell ? judgement.doubtful(cell).map(({ user_id }) => user_id) : [];
  return { sure, possible: doubtful.length ? new Set([...sure, ...doubtful]) : sure };
}

/** By id: whoever and whatever has the same id is the same. */
export function shiftsBetween(before: Judgement, after: Judgement): Shifts {
  const people = new Map([...before.accounts, ...after.accounts].map((one) => [one.user_id, one]));
  const shifts: Shift[] = [];
  const doubtful = new Set<string>();
  const compare = (cell: Cell, was: Cell | undefined, is: Cell | undefined) => {
    const [one, other] = [knownOf(before, was), knownOf(after, is)];
    for (const { sure, possible } of [one, other]) if (sure !== possible) doubtful.add(cell.permission);
    const beyond = (mine: ReadonlySet<number>, theirs: ReadonlySet<number>) =>
      [...mine].flatMap((id) => (theirs.has(id) ? [] : [people.get(id)!]));
    const [gain, lose] = [beyond(other.sure, one.possible), beyond(one.sure, other.possible)];
    if (gain.length || lose.length) shifts.push({ cell, gain, lose });
  };
  for (const is of after.cells()) compare(is, before.cell(is.scope, is.target_id, is.permission), is);
  for (const was of before.cells())
    if (!after.cell(was.scope, was.target_id, was.permission)) compare(was, was, undefined);
  return { shifts, doubtful: [...doubtful] };
}

/** As many people are told by name. */
const most = 5;

function told(people: readonly Person[], what: string): string[] {
  if (!people.length) return [];
  const bots = people.filter(({ is_bot }) => is_bot).length;
  const humans = people.length - bots;
  const who = [humans && counted(humans, "person", "people"), bots && counted(bots, "bot")]
    .filter(Boolean)
    .join(" and ");
  const names = firstOf(
    people.map(({ full_name }) => full_name),
    most,
  );
  return [`${who} ${what}: ${names}`];
}

/** `14 people can no longer read #design: …`. A right that has two names is told once. */
export const sentencesOf = (shifts: readonly Shift[]): string[] =>
  shifts
    .filter(({ cell }) => cell.sameAs === undefined)
    .flatMap(({ cell, gain, lose }) => [
      ...told(gain, `can now ${inWords(cell)}`),
      ...told(lose, `can no longer ${inWords(cell)}`),
    ]);
