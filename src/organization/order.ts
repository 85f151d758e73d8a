/**
 * Turns differences into requests and puts them in order. Requests that give the caller a right go first, and those that
 * take one go last. A missing right ends the run midway: the next run does the rest.
 */
import { type Change, change } from "../engine/change.ts";
import { largestPortion } from "../model/kinds/lists.ts";
import type { Difference } from "./difference.ts";
import { phases } from "./order/phases.ts";
import { schedule, type TitledDraft } from "./order/schedule.ts";
import type { Prediction } from "./prediction.ts";
import { hasAccounts, isSettings } from "./section-names.ts";
import { differenceTitle, sections } from "./section-registry.ts";
import { argsOf, type RequestContext, type RequestDraft, resultOf } from "./sections/requests.ts";

/** One request. */
export interface RequestStep {
  /** The index of the difference it belongs to. */
  readonly of: number;
  readonly change: Change;
  /** Indexes of steps that must succeed before it. */
  readonly needs: readonly number[];
}

function draftsOf(context: RequestContext, difference: Difference): RequestDraft[] {
  const { section, action } = difference;
  const { requests } = sections[section];
  if ("fields" in difference) return requests.update(context, difference);
  if (difference.action === "remove") return requests.remove?.(context, difference) ?? [];
  if (difference.action !== "reorder") return requests.create?.(context, difference) ?? [];
  if (isSettings(section)) throw new Error(`cannot ${action} ${section}`);
  const request = requests.reorder?.(context.ids.all(section, difference.to));
  return request ? [{ phase: phases.orders, result: "put in order", ...request }] : [];
}

function changeOf(draft: TitledDraft, verifyWith: string): Change {
  const { operation, title, makes, member = makes?.member, newChannel, ifChanged } = draft;
  return {
    ...change(operation, argsOf(draft), {
      target: title,
      done: "{what}.",
      words: { what: resultOf(draft) },
      verifyWith,
    }),
    ...(member !== undefined && { ids: member }),
    ...(makes && { provisionalId: makes.id }),
    ...(newChannel !== undefined && { newChannel }),
    ...(ifChanged && { ifChanged }),
  };
}

interface OrderOptions {
  /** The command that shows the remaining differences. */
  readonly verifyWith: string;
  /** The largest number of people in one request. The default is what servers finish in time. */
  readonly portion?: number | undefined;
}

/** Returns the requests in the order in which they are sent. */
export function orderRequests(
  { before, ids, rights, differences }: Prediction,
  { verifyWith, portion = largestPortion }: OrderOptions,
): RequestStep[] {
  const { snapshot } = before;
  const context: RequestContext = {
    snapshot,
    ids,
    me: snapshot.organization.user_id,
    rights,
    reactivated: new Set(
      differences.flatMap((one) =>
        hasAccounts(one.section) && one.action === "reactivate" && one.id !== undefined ? [one.id] : [],
      ),
    ),
    portion,
  };
  const drafts = differences.flatMap((difference, of) =>
    draftsOf(context, difference).map((draft) => ({ ...draft, of, title: differenceTitle(difference) })),
  );
  return schedule(drafts).map(({ draft, needs }) => ({
    of: draft.of,
    change: changeOf(draft, verifyWith),
    needs,
  }));
}

/** Sorts differences by their first requests. */
export function inStartOrder(found: readonly Difference[], steps: readonly RequestStep[]) {
  const order = [...new Set(steps.map(({ of }) => of))];
  const places = new Map(order.map((of, place) => [of, place]));
  const stated = new Set<number>();
  return {
    differences: order.flatMap((of) => found[of] ?? []),
    steps: steps.map((step): RequestStep => {
      const effects = stated.has(step.of) ? [] : (found[step.of]?.effects ?? []);
      stated.add(step.of);
      const change = effects.length ? { ...step.change, judged: effects } : step.change;
      return { ...step, change, of: places.get(step.of) ?? step.of };
    }),
  };
}
