import { operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { boolean, integer, list, object, optional, string } from "../wire/types.ts";

const streamId = json(integer, { doc: "The channel's id.", of: "channel" });

/** https://zulip.com/api/get-stream-topics */
export const getTopics = operation({
  name: "channel.topics",
  method: "GET",
  path: "/users/me/{stream_id}/topics",
  doc: "Topics of a channel, newest first.",
  params: {
    stream_id: streamId,
    allow_empty_topic_name: maybe(json(boolean, { doc: "Leave the empty topic's name empty.", since: 334 })),
  },
  result: { topics: list(object({ name: string, max_id: integer })) },
});

/** https://zulip.com/api/delete-topic. Where it is not complete, it is to be called again. */
export const deleteTopic = operation({
  name: "channel.topics.rm",
  method: "POST",
  path: "/streams/{stream_id}/delete_topic",
  doc: "Delete a topic with all its messages, for good.",
  who: { role: "administrator" },
  params: { stream_id: streamId, topic_name: text({ doc: "The topic." }) },
  result: { complete: optional(boolean) },
  target: ({ stream_id }) => `channel ${stream_id}`,
});
