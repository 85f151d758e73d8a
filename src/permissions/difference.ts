/** Compares who has permissions in two states of an organization. */
import { joinFirst, peopleAndBots } from "../common/counted.ts";
import { groupBy } from "../common/group-by.ts";
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
  const changes: PermissionChange[] = [];
  /** Permissions that are unknown for somebody, unless they are unknown in the same way before and afterwards. */
  const undecided = new Set<string>();
  const compare = (cell: Cell, old: Verdict, now: Verdict, existsInBoth: boolean) => {
    const [gain, lose] = [now.sure.without(old.possible), old.sure.without(now.possible)];
    const isSame = now.sure.equals(old.sure) && now.possible.equals(old.possible);
    if (!isSame && !(old.possible.equals(old.sure) && now.possible.equals(now.sure))) undecided.add(cell.permission);
    if (gain.count || lose.count)
      changes.push({ cell, existsInBoth, gain: facts.people(gain), lose: facts.people(lose) });
  };
  for (const cell of after.cells()) {
    const oldCell = before.findCell(cell.scope, cell.target_id, cell.permission);
    compare(cell, oldCell ? before.verdict(oldCell) : nothing, after.verdict(cell), oldCell !== undefined);
  }
  for (const cell of before.cells())
    if (!after.findCell(cell.scope, cell.target_id, cell.permission))
      compare(cell, before.verdict(cell), nothing, false);
  return { changes, undecided: [...undecided] };
}

/** The largest number of people, channels or groups that a sentence names. */
const mostNames = 5;

function countText(people: readonly Person[]): string {
  const bots = people.filter(({ is_bot }) => is_bot).length;
  return peopleAndBots(people.length - bots, bots);
}

/**
 * Writes sentences such as `14 people can no longer read #design: …`. Channels or groups with the same people share a
 * sentence, and a permission with two names appears once.
 */
export function describeChanges(changes: readonly PermissionChange[]): string[] {
  const rows = changes
    .filter(({ cell }) => cell.rule.term.kind !== "permission")
    .flatMap(({ cell, gain, lose }) => [
      { can: "can now", cell, people: gain },
      { can: "can no longer", cell, people: lose },
    ])
    .filter(({ people }) => people.length);
  const sentences = groupBy(rows, ({ can, cell, people }) =>
    [can, cell.scope, cell.permission, ...people.map(({ user_id }) => user_id)].join(),
  );
  return [...sentences.values()].map((sameRows) => {
    const [{ can, cell, people }] = sameRows as [(typeof rows)[number]];
    const targets = sameRows.map((row) => targetText(row.cell));
    const names = people.map(({ full_name }) => full_name);
    // Sorts by name if there are too many: otherwise the newest accounts would be missing.
    const sortedNames = names.length > mostNames ? names.sort() : names;
    const action = actionText(cell, joinFirst(targets, mostNames));
    return `${countText(people)} ${can} ${action}: ${joinFirst(sortedNames, mostNames)}`;
  });
}
