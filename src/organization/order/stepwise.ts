/**
 * Requests that the server goes about step by step, asking for the caller's right at each. One step may give what the next
 * takes, or take it away.
 */
import { updateMembers } from "../../api/groups.ts";
import type { OrderContext } from "./context.ts";
import { argsOf, type Draft } from "./draft.ts";
import { parted } from "./edges.ts";
import { keyOf, type Use } from "./regranting.ts";
import { regrants, rightsOf } from "./rights.ts";
import type { Standing } from "./standing.ts";

export interface RightStep {
  readonly draft: Draft;
  /** What is asked for before it is done. */
  readonly takes: readonly Use[];
}

/** The lists of one request, in the order of the server. */
const lists = ["add", "delete", "add_subgroups", "delete_subgroups"];

/** The steps of a request in which the caller's rights may change on the way; of any other it is the only step. */
export function stepsOf(context: OrderContext, draft: Draft, taken: readonly Use[]): RightStep[] {
  const { user_group_id, ...args } = argsOf(draft);
  if (draft.operation !== updateMembers || Object.keys(args).length < 2 || !regrants(draft, context.me))
    return [{ draft, takes: taken }];
  return lists.flatMap((list) => {
    if (!(list in args)) return [];
    const step = { ...draft, args: { user_group_id, [list]: args[list] }, pieces: [] };
    const keys = new Set(rightsOf(step, context).map(keyOf));
    return [{ draft: step, takes: taken.filter(({ right }) => keys.has(keyOf(right))) }];
  });
}

/** What the caller lacks for one of them, as things stand. */
export function lackIn(standing: Standing, steps: readonly RightStep[]): Use | undefined {
  const undo: (() => void)[] = [];
  try {
    for (const [n, { draft, takes }] of steps.entries()) {
      const lack = takes.find(({ right }) => !standing.holds(right));
      if (lack) return lack;
      if (n < steps.length - 1) undo.unshift(standing.do(draft));
    }
    return undefined;
  } finally {
    for (const back of undo) back();
  }
}

/** As two, of which the later one takes the caller out of the group. */
export const leavingLater = (draft: Draft, me: number): [Draft, Draft] | undefined =>
  parted(
    draft,
    draft.pieces.filter(({ args }) => (args.delete as number[] | undefined)?.includes(me)),
  );
