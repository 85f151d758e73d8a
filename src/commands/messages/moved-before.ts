/** What the log keeps of a raw request that moves messages, so that `undo` can move them back. */
import { getMessage, type updateMessage } from "../../api/messages.ts";
import type { Change } from "../../engine/change.ts";
import { undefinedOnFailure } from "../../errors.ts";
import { runsOfIds } from "../../model/id-runs.ts";
import type { Context } from "../../run/context.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { mostKept, placeOf, topicMessages } from "../topic/change-topic.ts";

/** A request that also replaces the text of a message cannot go back, so nothing is kept of it. */
export async function movedBefore(
  context: Context,
  { message_id, topic, stream_id, content, propagate_mode = "change_one" }: Partial<ArgsOf<typeof updateMessage>>,
): Promise<Pick<Change, "before">> {
  if (message_id === undefined || content !== undefined || (topic === undefined && stream_id === undefined)) return {};
  const server = await context.server();
  if (context.flags.dryRun || !(await server.keepsPrevious())) return {};
  const args = { message_id, apply_markdown: false, allow_empty_topic_name: true };
  const message = (await undefinedOnFailure(server.lookUp(getMessage, args)))?.message;
  if (message?.stream_id === undefined) return {};
  const place = placeOf(context, message);
  const from = { topic: place.topic, stream_id: place.stream_id };
  if (propagate_mode === "change_one") return { before: from };
  const found = await undefinedOnFailure(topicMessages(context, message.stream_id, message.subject, mostKept + 1));
  if (!found || found.length > mostKept) return {};
  const ids = found.map(({ id }) => id).filter((id) => propagate_mode === "change_all" || id >= message_id);
  return { before: { ...from, message_ids: runsOfIds(ids) } };
}
