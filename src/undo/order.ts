/**
 * Puts what an undo sends in order, with the scheduler of `organization`: the run read backwards, but each request after
 * those that it needs. Names that were exchanged go back over a temporary one.
 */
import { deactivateGroup } from "../api/groups.ts";
import { groupBy } from "../common/group-by.ts";
import { membersOf, numbersIn } from "../common/object-members.ts";
import type { Present } from "../effects/present.ts";
import type { Change } from "../engine/change.ts";
import { everyKind } from "../model/kinds/index.ts";
import { isPermissionName, whoIn } from "../model/permission.ts";
import { reorderListed } from "../organization/id-values.ts";
import { schedule, type TitledDraft } from "../organization/order/schedule.ts";
import type { RequestStep } from "../organization/order.ts";
import {
  argsOf,
  type Conditions,
  groupIsReleased,
  nameIsFree,
  type RequestPiece,
  resultOf,
  temporaryName,
  temporaryPattern,
  thingIsInUse,
} from "../organization/sections/requests.ts";
import { isCall, type NameUse, nameUses } from "../organization/taken-names.ts";
import { type BackValue, changeOf, type Item } from "./item.ts";
import { titleOf } from "./thing.ts";

/** What brings things back, and what these are in conditions. */
const restoring = everyKind.flatMap(([name, { restore, recordOf = name }]) =>
  restore ? [{ restore, of: recordOf }] : [],
);

/** Servers ignore changes of lists of what is archived, so archiving comes last. */
const phaseOf = ({ isSwitch, sign }: Item): number => (isSwitch && sign === "-" ? 1 : 0);

/** Returns conditions for the groups that a permission stops naming. */
function released(param: string, sent: unknown, { now }: Partial<BackValue>): string[] {
  if (param === "delete_subgroups") return numbersIn(sent).map(groupIsReleased);
  if (!isPermissionName(param)) return [];
  const { new: to = sent, old = now } = membersOf(sent);
  const kept = whoIn(to).direct_subgroups;
  return whoIn(old)
    .direct_subgroups.filter((id) => !kept.includes(id))
    .map(groupIsReleased);
}

function namesIn({ kind, frees, takes }: NameUse): Conditions {
  if (frees === takes) return {};
  return {
    provides: frees === undefined ? [] : [nameIsFree(kind, frees)],
    needs: takes === undefined ? [] : [nameIsFree(kind, takes)],
  };
}

/** Returns the part of a request that sets one value. */
function pieceOf(param: string, sent: unknown, value: BackValue, use: NameUse | undefined): RequestPiece {
  const piece = { fields: [value.name], args: { [param]: sent }, provides: released(param, sent, value) };
  if (use?.param !== param || use.frees === use.takes) return piece;
  return { ...piece, ...namesIn(use), temporary: { [param]: temporaryNameOf(use) } };
}

const temporaryNameOf = ({ kind, id, frees }: NameUse): string =>
  kind === "linkifier" ? temporaryPattern(Number(id), frees) : temporaryName(Number(id));

function draftOf(item: Item, { operation, args }: Change, of: number, use: NameUse | undefined): TitledDraft {
  const [id] = Object.values(args);
  const values = new Map((item.values ?? []).map((value) => [value.param ?? "", value]));
  const all = Object.entries(args);
  const pieces = all.flatMap(([param, sent]) => {
    const value = values.get(param);
    return value ? [pieceOf(param, sent, value, use)] : [];
  });
  const rest = all.filter(([param]) => !values.has(param));
  const names = use && use.param === undefined ? namesIn(use) : {};
  const back = restoring.filter(({ restore }) => isCall(restore, operation, args));
  return {
    ...{ of, operation, pieces, title: titleOf(item), phase: phaseOf(item), result: item.says ?? "updated" },
    args: Object.fromEntries(rest),
    needs: [...(names.needs ?? []), ...(operation === deactivateGroup ? [groupIsReleased(id)] : [])],
    provides: [
      ...(names.provides ?? []),
      ...back.map((each) => thingIsInUse(each.of, id)),
      ...rest.flatMap(([param, sent]) => released(param, sent, {})),
    ],
  };
}

/** The item of each request in order, by its place, and the places of requests that must succeed before. */
export type Order = readonly Omit<RequestStep, "change">[];

/** Returns the items by their first requests, and the order of these. What is left alone keeps its place. */
export async function inOrder(
  items: readonly Item[],
  present: Present,
): Promise<{ readonly items: Item[]; readonly order: Order }> {
  const all = items.flatMap((item) => (item.left ? [] : item.changes.map((change) => ({ item, change }))));
  const uses = await nameUses(
    all.map(({ change }) => change),
    present,
  );
  const drafts = all.map(({ item, change }, of) => draftOf(item, change, of, uses.get(change)));
  const steps = schedule(drafts).flatMap(({ draft, needs }) => {
    const one = all[draft.of];
    if (!one) return [];
    const { item, change } = one;
    return [{ item, needs, change: drafts[draft.of] === draft ? change : partOf(item, change, draft) }];
  });
  const stepsOf = groupBy(steps, ({ item }) => item);
  const placed = reorderListed(items, [...stepsOf.keys()]);
  const places = new Map(placed.map((item, n) => [item, n]));
  return {
    items: placed.map((item) => ({
      ...item,
      ...(stepsOf.has(item) && { changes: (stepsOf.get(item) ?? []).map(({ change }) => change) }),
    })),
    order: steps.map(({ item, needs }) => ({ of: places.get(item) ?? 0, needs })),
  };
}

/** Returns a part of a change that was split. */
function partOf(item: Item, change: Change, draft: TitledDraft): Change {
  const step = { operation: draft.operation, args: argsOf(draft), says: "updated", what: resultOf(draft) };
  const { done, words } = changeOf(item, step);
  return { ...change, args: step.args, done, ...(words && { words }) };
}

/** Returns the requests of ordered items. */
export function stepsOf(items: readonly Item[], order: Order): RequestStep[] {
  const open = items.map(({ changes }) => [...changes]);
  return order.flatMap((step) => {
    const change = open[step.of]?.shift();
    return change ? [{ ...step, change }] : [];
  });
}
