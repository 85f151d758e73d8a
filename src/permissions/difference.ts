/** Compares who has permissions in two states of an organization. */
import { joinFirst, peopleAndBots } from "../counted.ts";
import { groupBy } from "../group-by.ts";
import type { Person, Snapshot } from "../organization/snapshot.ts";
import type { Verdict } from "./decide.ts";
import { type Cell, evaluateBoth } from "./evaluation.ts";
import { actionText, targetText } from "./words.ts";

export interface PermissionChange {
  /** The cell afterwards, or the cell before if it is gone. */
  readonly cell: Cell;
  /** The channel or group exists in both states. */
  readonly existsInBoth: boolean;
  /** Accounts that certainly have it afterwards, and did not before. */
  readonly gain: readonly Person[];
  readonly lose: readonly Person[];
}

/** Matches accounts and things by id. */
export function permissionChanges(one: Snapshot, other: Snapshot) {
  const [before, after] = evaluateBoth(one, other);
  const { facts } = after;
  const nothing: Verdict = { sure: facts.nobody, possible: facts.nobody };
  const shifts: PermissionChange[] = [];
  /** Permissions that are unknown for somebody, unless they are unknown in the same way before and afterwards. */
  const undecided = new Set<string>();
  const compare = (cell: Cell, was: Verdict, is: Verdict, existsInBoth: boolean) => {
    const [gain, lose] = [is.sure.without(was.possible), was.sure.without(is.possible)];
    const isSame = is.sure.equals(was.sure) && is.possible.equals(was.possible);
    if (!isSame && !(was.possible.equals(was.sure) && is.possible.equals(is.sure))) undecided.add(cell.permission);
    if (gain.count || lose.count)
      shifts.push({ cell, existsInBoth, gain: facts.people(gain), lose: facts.people(lose) });
  };
  for (const cell of after.cells()) {
    const was = before.findCell(cell.scope, cell.target_id, cell.permission);
    compare(cell, was ? before.verdict(was) : nothing, after.verdict(cell), was !== undefined);
  }
  for (const cell of before.cells())
    if (!after.findCell(cell.scope, cell.target_id, cell.permission))
      compare(cell, before.verdict(cell), nothing, false);
  return { shifts, undecided: [...undecided] };
}

/** The largest number of people, channels or groups that a sentence names. */
const most = 5;

function countText(people: readonly Person[]): string {
  const bots = people.filter(({ is_bot }) => is_bot).length;
  return peopleAndBots(people.length - bots, bots);
}

/**
 * Writes sentences such as `14 people can no longer read #design: …`. Channels or groups with the same people share a
 * sentence, and a permission with two names appears once.
 */
export function describeChanges(shifts: readonly PermissionChange[]): string[] {
  const changes = shifts
    .filter(({ cell }) => cell.rule.term.kind !== "permission")
    .flatMap(({ cell, gain, lose }) => [
      { can: "can now", cell, people: gain },
      { can: "can no longer", cell, people: lose },
    ])
    .filter(({ people }) => people.length);
  const same = groupBy(changes, ({ can, cell, people }) =>
    [can, cell.scope, cell.permission, ...people.map(({ user_id }) => user_id)].join(),
  );
  return [...same.values()].map((alike) => {
    const [{ can, cell, people }] = alike as [(typeof alike)[number]];
    const what = actionText(
      cell,
      joinFirst(
        alike.map((each) => targetText(each.cell)),
        most,
      ),
    );
    const names = people.map(({ full_name }) => full_name);
    // Sorts by name if not all are named: otherwise the newest accounts would be missing.
    const sorted = names.length > most ? names.sort() : names;
    return `${countText(people)} ${can} ${what}: ${joinFirst(sorted, most)}`;
  });
}
