/**
 * From what differs to the requests that make it so, in order. The order comes from fixed phases and from what each request
 * needs; of the caller's own rights, what gives them goes first and what takes them last. Nothing is searched for: a right
 * that the server misses midway ends the run, and the next run does the rest.
 */
import { type Change, change } from "../engine/change.ts";
import { applyTo } from "./apply-to-snapshot.ts";
import { mustDiffer } from "./compare/full-names.ts";
import type { Difference } from "./difference.ts";
import { calledIn } from "./labels.ts";
import { channelDrafts, newChannelDrafts } from "./order/channels.ts";
import { collectionDrafts } from "./order/collection.ts";
import { Ids, largestPortion, type OrderContext } from "./order/context.ts";
import { argsOf, type Draft, fieldsOf } from "./order/draft.ts";
import { groupDrafts, newGroupDrafts } from "./order/groups.ts";
import { asidesOf } from "./order/names.ts";
import { OwnRights } from "./order/own-rights.ts";
import { invitationDrafts, personDrafts } from "./order/people.ts";
import { scheduled } from "./order/schedule.ts";
import { newUserDrafts, settingDrafts } from "./order/settings.ts";
import { withSubgroups } from "./order/subgroups.ts";
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

function draftsOf(context: OrderContext, difference: Difference, of: number): Draft[] {
  const { section, action } = difference;
  if (action === "invite") return invitationDrafts(context, of, difference);
  if (action === "create" && section === "groups") return newGroupDrafts(context, of, difference);
  if (action === "create" && section === "channels") return newChannelDrafts(context, of, difference);
  if (!("fields" in difference)) return collectionDrafts(context, of, difference);
  switch (section) {
    case "settings":
      return settingDrafts(context, of, difference);
    case "new_users":
      return newUserDrafts(of, difference);
    case "people":
      return personDrafts(context, of, difference);
    case "groups":
      return groupDrafts(context, of, difference);
    case "channels":
      return channelDrafts(context, of, difference);
    default:
      return collectionDrafts(context, of, difference);
  }
}

function changeOf(draft: Draft, difference: Difference, verifyWith: string): Change {
  const { operation, makes, newChannel, does, ifChanged } = draft;
  return {
    ...change(operation, argsOf(draft) as never, {
      target: calledIn(difference),
      done: "{what}.",
      words: { what: does ?? fieldsOf(draft).join(", ") },
      verifyWith,
    }),
    ...(makes && { ids: makes.member, makes: makes.id }),
    ...(newChannel !== undefined && { newChannel }),
    ...(ifChanged && { ifChanged }),
  };
}

export interface OrderOptions {
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
  const uniqueNames = mustDiffer(snapshot, differences);
  const context: OrderContext = {
    snapshot,
    ids: new Ids(snapshot, differences),
    me: snapshot.organization.user_id,
    rights: new OwnRights(snapshot, result),
    uniqueNames,
    asides: asidesOf(differences, { uniqueNames }),
    portion,
    returning: new Set(
      differences.flatMap((each) =>
        each.section === "people" && each.action === "reactivate" && each.id !== undefined ? [each.id] : [],
      ),
    ),
  };
  const drafts = differences.flatMap((difference, of) => draftsOf(context, difference, of));
  return scheduled(withSubgroups(context, drafts)).flatMap(({ draft, needs }) => {
    const difference = differences[draft.of];
    if (!difference) return [];
    const { of, part } = draft;
    return [{ of, part, fields: fieldsOf(draft), change: changeOf(draft, difference, verifyWith), needs }];
  });
}
