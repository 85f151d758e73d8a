/** Whether a removal leaves a private channel without subscribers. */
import { getChannel } from "../../api/channels.ts";
import { Failure } from "../../errors.ts";
import type { Question } from "../../question.ts";
import { rostersOf } from "../../resolve/rosters.ts";
import type { Context } from "../context.ts";
import type { ListChange, MembersSpec, Owner } from "./spec.ts";

/** Why a person must confirm the removal; undefined also where the account cannot read the channel. */
export async function losesChannel(
  context: Context,
  { of, lists }: MembersSpec,
  owner: Owner,
  asked: readonly ListChange[],
): Promise<Question | undefined> {
  const [list, change] = [lists[0], asked[0]];
  const { yes, dryRun } = context.flags;
  if (of !== "channel" || yes || dryRun || !list || !change?.removed.length || change.added.length) return undefined;
  try {
    const there = (await rostersOf(context).of(list.kind.of(owner.id))).ids();
    const removed = new Set(change.removed);
    if (!there.length || there.some((id) => !removed.has(id))) return undefined;
    const { stream } = await (await context.server()).call(getChannel, { stream_id: owner.id });
    if (!stream.invite_only) return undefined;
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    return undefined;
  }
  const whom = change.removed.length > 1 ? "all subscribers" : "the last subscriber";
  return {
    question: `Remove ${whom} of the private channel "${owner.typed}"`,
    consequence: "Nobody can get in again.",
  };
}
