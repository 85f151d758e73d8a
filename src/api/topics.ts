import { operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { boolean, integer, list, object, optional, string } from "../wire/types.ts";

const streamId = json(integer, { of: "channel" });

/** https://zulip.com/api/get-stream-topics */
export const getTopics = operation({
  name: "channel.topics",
  method: "GET",
  path: "/users/me/{stream_id}/topics",
  params: {
    stream_id: streamId,
    allow_empty_topic_name: maybe(json(boolean)),
  },
  result: { topics: list(object({ name: string, max_id: integer })) },
});

/** https://zulip.com/api/delete-topic. Where it is not complete, it is to be called again. */
export const deleteTopic = operation({
  name: "channel.topics.rm",
  method: "POST",
  path: "/streams/{stream_id}/delete_topic",
  who: { role: "administrator" },
  params: { stream_id: streamId, topic_name: text() },
  result: { complete: optional(boolean) },
});
