/** Compares who has permissions in two states of an organization. */
import { andList, joinFirst, mostNamed, peopleAndBots } from "../common/counted.ts";
import { groupBy } from "../common/group-by.ts";
import { unchangeable } from "../model/organization.ts";
import type { AccessChange } from "../organization/plan/access-change.ts";
import type { Person, Snapshot } from "../organization/snapshot.ts";
import type { AccountSets } from "./decide.ts";
import { type Cell, evaluateBoth } from "./evaluation.ts";
import { inputComparison } from "./inputs.ts";
import { actionText, targetText } from "./permission-text.ts";

export interface PermissionChange {
  /** The cell afterwards, or the cell before if it is gone. */
  readonly cell: Cell;
  /** The channel or group exists in both states. */
  readonly existsInBoth: boolean;
  /** Accounts that certainly have it afterwards, and did not before. */
  readonly gain: readonly Person[];
  readonly lose: readonly Person[];
}

/** Matches accounts and things by id. Permissions of which nothing differs are not evaluated. `isIncluded`: for whom. */
export function permissionChanges(one: Snapshot, other: Snapshot, isIncluded?: (id: number) => boolean) {
  const [before, after] = evaluateBoth(one, other, isIncluded);
  const canDiffer = inputComparison(before, after);
  const { facts } = after;
  const nothing: AccountSets = { sure: facts.nobody, possible: facts.nobody };
  const changes: PermissionChange[] = [];
  /** Permissions that are unknown for somebody, unless they are unknown in the same way before and afterwards. */
  const undecided = new Set<string>();
  const compare = (cell: Cell, old: AccountSets, now: AccountSets, existsInBoth: boolean) => {
    const [gain, lose] = [now.sure.without(old.possible), old.sure.without(now.possible)];
    const isSame = now.sure.equals(old.sure) && now.possible.equals(old.possible);
    if (!isSame && !(old.possible.equals(old.sure) && now.possible.equals(now.sure))) undecided.add(cell.permission);
    if (gain.count || lose.count)
      changes.push({ cell, existsInBoth, gain: facts.people(gain), lose: facts.people(lose) });
  };
  for (const cell of after.cells()) {
    const oldCell = before.findCell(cell.scope, cell.target_id, cell.permission);
    if (!oldCell) compare(cell, nothing, after.holderSets(cell), false);
    else if (canDiffer(oldCell, cell)) compare(cell, before.holderSets(oldCell), after.holderSets(cell), true);
  }
  for (const cell of before.cells())
    if (!after.findCell(cell.scope, cell.target_id, cell.permission))
      compare(cell, before.holderSets(cell), nothing, false);
  return { changes, undecided: [...undecided] };
}

/** Returns changes as plain data, without permissions that have another name too, or that no account can change. */
export const statedChanges = (changes: readonly PermissionChange[]): AccessChange[] =>
  changes
    .filter(({ cell }) => cell.rule.term.kind !== "permission" && cell.permission !== unchangeable)
    .map(({ cell, gain, lose }) => {
      const { scope, target_id, name, permission } = cell;
      return { scope, target_id, name, permission, action: actionText(cell, "{}"), gain, lose };
    });

/** `Otis Member`, or `2 people and 1 bot (Iris Owner, Gwen Guest, Beep Bot)`. */
function subjectOf(people: readonly Person[]): string {
  const names = people.map(({ full_name }) => full_name);
  const [first = ""] = names;
  if (names.length === 1) return first;
  const bots = people.filter(({ is_bot }) => is_bot).length;
  // Sorts by name if there are too many: otherwise the newest accounts would be missing.
  const sortedNames = names.length > mostNamed ? names.sort() : names;
  return `${peopleAndBots(people.length - bots, bots)} (${joinFirst(sortedNames)})`;
}

/** Returns phrases such as `see, read and post in #design, #general`: each has all that is said of the same things. */
function phrasesOf(all: readonly AccessChange[]): string[] {
  const permissions = groupBy(all, ({ scope, permission }) => `${scope} ${permission}`);
  const actions = [...permissions.values()].map((same) => {
    return { action: same[0].action, things: same.map((each) => targetText(each)) };
  });
  const together = groupBy(actions, ({ things }) => things.join("\n"));
  return [...together.values()].flatMap((same) => {
    const things = joinFirst(same[0].things);
    if (!things) return same.map(({ action }) => action);
    return [`${andList(same.map(({ action }) => action.replace(/ \{\}$/, "")))} ${things}`];
  });
}

/**
 * Writes sentences such as `Otis Member can no longer create bots; see, read and post in #design`. What the same people
 * gain or lose is one sentence.
 */
export function describeChanges(changes: readonly AccessChange[]): string[] {
  const rows = changes
    .flatMap((change) => [
      { can: "can now", change, people: change.gain },
      { can: "can no longer", change, people: change.lose },
    ])
    .filter(({ people }) => people.length);
  const sentences = groupBy(rows, ({ can, people }) => [can, ...people.map(({ user_id }) => user_id)].join());
  return [...sentences.values()].map((sameRows) => {
    const [{ can, people }] = sameRows;
    return `${subjectOf(people)} ${can} ${phrasesOf(sameRows.map(({ change }) => change)).join("; ")}`;
  });
}
