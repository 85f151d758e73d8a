import { type AnswerOf, operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { boolean, integer, list, object, optional, string } from "../wire/types.ts";
import { getMessages, newestMessages } from "./messages.ts";

const streamId = json(integer, { of: "channel" });

/** https://zulip.com/api/get-stream-topics */
export const getTopics = operation("channel.topics", "GET /users/me/{stream_id}/topics", {
  params: {
    stream_id: streamId,
    allow_empty_topic_name: maybe(json(boolean)),
  },
  result: { topics: list(object({ name: string, max_id: integer })) },
  ofArchived: "topics",
});

const newestInTopic = {
  read: getMessages,
  argsOf: ({ stream_id, topic_name }: { stream_id: number; topic_name: string }) =>
    newestMessages([
      { operator: "channel", operand: stream_id },
      { operator: "topic", operand: topic_name },
    ]),
};

/** Returns the thing that a deletion changes. Other changes of a topic are changes of its messages. */
export const deletedTopic = ({ stream_id, topic_name }: { stream_id: number; topic_name: string }): string =>
  `topic ${stream_id} ${topic_name}`;

/** https://zulip.com/api/delete-topic. Servers stop after 50 seconds. An incomplete deletion is called again. */
export const deleteTopic = operation("channel.topics.rm", "POST /streams/{stream_id}/delete_topic", {
  effects: ({ stream_id: channel, topic_name: topic }) =>
    channel === undefined || topic === undefined ? [] : [{ does: "delete topic", channel, topic }],
  who: { role: "administrator" },
  target: (args) => (args.topic_name === undefined ? undefined : deletedTopic(args)),
  params: { stream_id: streamId, topic_name: text() },
  result: { complete: optional(boolean) },
  maxDuration: 75_000,
  // Servers delete the newest messages first.
  continuation: {
    isUnfinished: ({ complete }) => complete === false,
    ...newestInTopic,
    remaining: ({ messages }: AnswerOf<typeof getMessages>) => messages.at(-1)?.id ?? 0,
  },
  evidence: {
    ...newestInTopic,
    isApplied: (found?: AnswerOf<typeof getMessages>) => found?.messages.length === 0,
  },
});
