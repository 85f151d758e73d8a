/** Compares who has permissions in two states of an organization. */
import { andList, joinFirst, mostNamed, peopleAndBots } from "../common/counted.ts";
import { groupBy } from "../common/group-by.ts";
import { unchangeable } from "../model/organization.ts";
import type { Person, Snapshot } from "../organization/snapshot.ts";
import type { Verdict } from "./decide.ts";
import { type Cell, evaluateBoth } from "./evaluation.ts";
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
function phrasesOf(cells: readonly Cell[]): string[] {
  const permissions = groupBy(cells, ({ scope, permission }) => `${scope} ${permission}`);
  const actions = [...permissions.values()].map((same) => {
    return { action: actionText(same[0], "{}"), things: same.map((each) => targetText(each)) };
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
 * gain or lose is one sentence, and a permission with two names appears once. Nobody is told of the group of all users of
 * a workplace, which no account can change.
 */
export function describeChanges(changes: readonly PermissionChange[]): string[] {
  const rows = changes
    .filter(({ cell }) => cell.rule.term.kind !== "permission" && cell.permission !== unchangeable)
    .flatMap(({ cell, gain, lose }) => [
      { can: "can now", cell, people: gain },
      { can: "can no longer", cell, people: lose },
    ])
    .filter(({ people }) => people.length);
  const sentences = groupBy(rows, ({ can, people }) => [can, ...people.map(({ user_id }) => user_id)].join());
  return [...sentences.values()].map((sameRows) => {
    const [{ can, people }] = sameRows;
    return `${subjectOf(people)} ${can} ${phrasesOf(sameRows.map(({ cell }) => cell)).join("; ")}`;
  });
}
