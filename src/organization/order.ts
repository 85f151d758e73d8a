/**
 * From what differs to the requests that make it so, in order. The order comes from fixed phases and from what each request
 * needs; of the caller's own rights, what gives them goes first and what takes them last. Nothing is searched for: a right
 * that the server misses midway ends the run, and the next run does the rest.
 */
import { type Change, change } from "../engine/change.ts";
import { applyTo } from "./apply-to-snapshot.ts";
import type { Difference } from "./difference.ts";
import { calledIn, sections } from "./file.ts";
import { Ids } from "./ids.ts";
import { ownRights, phases } from "./order/phases.ts";
import { type Request, scheduled } from "./order/schedule.ts";
import { argsOf, type Draft, fieldsOf, largestPortion, type RequestContext } from "./sections/requests.ts";
import type { Snapshot } from "./snapshot.ts";

/** One request. */
export interface Step {
  /** Which of the differences it belongs to. */
  readonly of: number;
  /** What it is called among the requests of that difference. */
  readonly part: string;
  readonly fields: readonly string[];
  readonly change: Change;
  /** Steps, by their place in the order, that must be done before it. */
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
  return request ? [{ part: "order", phase: phases.orders, does: "put in order", ...request }] : [];
}

function changeOf(draft: Request, verifyWith: string): Change {
  const { operation, called, makes, newChannel, does, ifChanged } = draft;
  return {
    ...change(operation, argsOf(draft) as never, {
      target: called,
      done: "{what}.",
      words: { what: does ?? fieldsOf(draft).join(", ") },
      verifyWith,
    }),
    ...(makes && { ids: makes.member, makes: makes.id }),
    ...(newChannel !== undefined && { newChannel }),
    ...(ifChanged && { ifChanged }),
  };
}

interface OrderOptions {
  /** The command that shows what differs still. */
  readonly verifyWith: string;
  /** People in one request at most; as many as servers take in time where absent. */
  readonly portion?: number | undefined;
  /** The organization when all of it is done. */
  readonly result?: Snapshot;
}

/** The requests in the order in which they go one after the other. */
export function ordered(
  snapshot: Snapshot,
  differences: readonly Difference[],
  { verifyWith, portion = largestPortion, result = applyTo(snapshot, differences) }: OrderOptions,
): Step[] {
  const context: RequestContext = {
    snapshot,
    ids: new Ids(snapshot, differences),
    me: snapshot.organization.user_id,
    rights: ownRights(snapshot, result),
    returning: new Set(
      differences.flatMap((one) =>
        (one.section === "people" || one.section === "bots") && one.action === "reactivate" && one.id !== undefined
          ? [one.id]
          : [],
      ),
    ),
    portion,
  };
  const drafts = differences.flatMap((difference, of) =>
    draftsOf(context, difference).map((draft) => ({ ...draft, of, called: calledIn(difference) })),
  );
  return scheduled(drafts).map(({ draft, needs }) => ({
    of: draft.of,
    part: draft.part,
    fields: fieldsOf(draft),
    change: changeOf(draft, verifyWith),
    needs,
  }));
}
