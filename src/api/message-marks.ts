/** Flags, readers and history of messages. */
import { operation } from "../wire/operation.ts";
import { json, maybe, text, words } from "../wire/params.ts";
import { anything, boolean, integer, list, nullable, object, optional, string, word } from "../wire/types.ts";

const messageId = json(integer);
const streamId = json(integer, { of: "channel" });
const op = words(word("add", "remove"));

/** https://zulip.com/api/get-message-history */
export const getHistory = operation("messages.history", "GET /messages/{message_id}/history", {
  params: { message_id: messageId, allow_empty_topic_name: maybe(json(boolean)) },
  result: { message_history: list(object({ timestamp: integer })) },
});

/** https://zulip.com/api/get-read-receipts */
export const getReaders = operation("messages.readers", "GET /messages/{message_id}/read_receipts", {
  params: { message_id: messageId },
  result: { user_ids: list(integer) },
});

/** https://zulip.com/api/render-message */
export const renderMessage = operation("messages.render", "POST /messages/render", {
  effect: "read",
  params: { content: text() },
  result: { rendered: string },
});

/** https://zulip.com/api/update-message-flags */
export const updateFlags = operation("messages.flags", "POST /messages/flags", {
  params: { messages: json(list(integer)), op, flag: text() },
  result: { messages: list(integer) },
});

const term = object({ operator: string, operand: anything, negated: optional(boolean) });

/** https://zulip.com/api/update-message-flags-for-narrow */
export const updateFlagsOfNarrow = operation("messages.flags.narrow", "POST /messages/flags/narrow", {
  params: {
    anchor: text(),
    include_anchor: maybe(json(boolean)),
    num_before: json(integer),
    num_after: json(integer),
    narrow: json(nullable(list(term))),
    op,
    flag: text(),
  },
  result: { processed_count: integer, updated_count: integer },
});

/** https://zulip.com/api/mark-all-as-read */
export const readAll = operation("messages.read", "POST /mark_all_as_read");

/** https://zulip.com/api/mark-stream-as-read */
export const readChannel = operation("channel.read", "POST /mark_stream_as_read", {
  params: { stream_id: streamId },
});

/** https://zulip.com/api/mark-topic-as-read */
export const readTopic = operation("channel.topics.read", "POST /mark_topic_as_read", {
  params: { stream_id: streamId, topic_name: text() },
});
