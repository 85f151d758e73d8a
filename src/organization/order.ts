/**
 * Turns differences into requests and puts them in order. Fixed phases and the needs of each request decide the order.
 * Requests that give the caller a right go first, and those that take one go last. A missing right ends the run midway:
 * the next run does the rest.
 */
import { type Change, change } from "../engine/change.ts";
import { applyTo } from "./apply-to-snapshot.ts";
import { Ids } from "./canonical.ts";
import type { Difference } from "./difference.ts";
import { sections, titleOf } from "./file.ts";
import { ownRights, phases } from "./order/phases.ts";
import { type Request, schedule } from "./order/schedule.ts";
import { argsOf, type Draft, largestPortion, type RequestContext, resultOf } from "./sections/requests.ts";
import type { Snapshot } from "./snapshot.ts";

/** One request. */
export interface Step {
  /** The index of the difference it belongs to. */
  readonly of: number;
  readonly change: Change;
  /** Indexes of steps that must succeed before it. */
  readonly needs: readonly number[];
}

function draftsOf(context: RequestContext, difference: Difference): Draft[] {
  const { section, action } = difference;
  const { requests } = sections[section];
  if ("fields" in difference) return requests.update(context, difference);
  if (difference.action === "remove") return requests.remove?.(context, difference) ?? [];
  if (difference.action !== "reorder") return requests.create?.(context, difference) ?? [];
  if (section === "settings" || section === "new_users") throw new Error(`cannot ${action} ${section}`);
  const request = requests.reorder?.(context.ids.all(section, difference.to));
  return request ? [{ phase: phases.orders, result: "put in order", ...request }] : [];
}

function changeOf(draft: Request, verifyWith: string): Change {
  const { operation, title, makes, newChannel, ifChanged } = draft;
  return {
    ...change(operation, argsOf(draft) as never, {
      target: title,
      done: "{what}.",
      words: { what: resultOf(draft) },
      verifyWith,
    }),
    ...(makes && { ids: makes.member, provisionalId: makes.id }),
    ...(newChannel !== undefined && { newChannel }),
    ...(ifChanged && { ifChanged }),
  };
}

interface OrderOptions {
  /** The command that shows the remaining differences. */
  readonly verifyWith: string;
  /** The largest number of people in one request. The default is what servers finish in time. */
  readonly portion?: number | undefined;
  /** The organization after the plan. */
  readonly result?: Snapshot;
}

/** Returns the requests in the order in which they are sent. */
export function orderRequests(
  snapshot: Snapshot,
  differences: readonly Difference[],
  { verifyWith, portion = largestPortion, result = applyTo(snapshot, differences) }: OrderOptions,
): Step[] {
  const context: RequestContext = {
    snapshot,
    ids: new Ids(snapshot, differences),
    me: snapshot.organization.user_id,
    rights: ownRights(snapshot, result),
    reactivated: new Set(
      differences.flatMap((one) =>
        (one.section === "people" || one.section === "bots") && one.action === "reactivate" && one.id !== undefined
          ? [one.id]
          : [],
      ),
    ),
    portion,
  };
  const drafts = differences.flatMap((difference, of) =>
    draftsOf(context, difference).map((draft) => ({ ...draft, of, title: titleOf(difference) })),
  );
  return schedule(drafts).map(({ draft, needs }) => ({
    of: draft.of,
    change: changeOf(draft, verifyWith),
    needs,
  }));
}
