/** Messages, with their flags, readers and history. */
import { ifKnown } from "../wire/impact.ts";
import { type AnswerOf, operation } from "../wire/operation.ts";
import { json, maybe, text, textOf, unsent } from "../wire/params.ts";
import {
  anything,
  boolean,
  either,
  integer,
  list,
  nullable,
  object,
  optional,
  record,
  string,
  type Value,
  word,
} from "../wire/types.ts";

const term = object({ operator: string, operand: anything, negated: optional(boolean) });
export type NarrowTerm = Value<typeof term>;

/** https://zulip.com/api/check-messages-match-narrow */
export const matchNarrow = operation("messages.match", "GET /messages/matches_narrow", {
  params: {
    msg_ids: json(list(integer)),
    narrow: json(list(term)),
  },
  result: { messages: record(object({ match_content: string, match_subject: string })) },
});

const message = object({
  id: integer,
  sender_id: integer,
  /** Absent for direct messages. */
  stream_id: optional(integer),
  sender_full_name: optional(string),
  timestamp: integer,
  /** The name of the channel, or the people of a direct message. */
  display_recipient: optional(anything),
  content: string,
  subject: string,
});
export type Message = Value<typeof message>;

/** https://zulip.com/api/get-messages */
export const getMessages = operation("messages.list", "GET /messages", {
  params: {
    anchor: maybe(text()),
    /** For the anchor `date`. */
    anchor_date: maybe(text({ since: 445 })),
    num_before: maybe(json(integer)),
    num_after: maybe(json(integer)),
    narrow: maybe(json(nullable(list(term)))),
    include_anchor: maybe(json(boolean)),
    message_ids: maybe(json(nullable(list(integer)))),
    apply_markdown: maybe(json(boolean)),
    client_gravatar: maybe(json(boolean)),
    allow_empty_topic_name: maybe(json(boolean)),
  },
  result: { messages: list(message), found_oldest: optional(boolean) },
});

/** Arguments that return the newest matching messages. */
export const newestMessages = (narrow: NarrowTerm[], num_before = 1) => ({
  anchor: "newest",
  num_before,
  num_after: 0,
  apply_markdown: false,
  narrow,
});

const messageId = json(integer);

/** https://zulip.com/api/get-message. Messages that the account cannot see do not exist for it. */
export const getMessage = operation("messages.show", "GET /messages/{message_id}", {
  params: {
    message_id: messageId,
    apply_markdown: maybe(json(boolean)),
    allow_empty_topic_name: maybe(json(boolean)),
  },
  result: { message },
});

/** Returns the content as servers store it: without line breaks at its beginning and white space at its end. */
const storedContent = (content: string): string => content.replace(/^\n+/, "").trimEnd();

/** https://zulip.com/api/send-message. The same call twice sends two messages. */
export const sendMessage = operation("messages.send", "POST /messages", {
  effects: { none: "adds a message" },
  params: {
    type: textOf(word("channel", "direct")),
    /** A channel's id, or the ids of people. Servers also accept names, but a name can look like an id. */
    to: json(either(integer, list(integer)), { of: "recipient" }),
    topic: maybe(text()),
    content: text(),
    read_by_sender: maybe(json(boolean)),
    /** The sender, and the newest message before it. They distinguish it from an equal message. */
    sender: maybe(unsent(integer)),
    after: maybe(unsent(integer)),
  },
  result: { id: integer },
  evidence: {
    duplicates: true,
    read: getMessages,
    argsOf: ({ sender, to, topic = "" }) => {
      const recipient = Array.isArray(to)
        ? [{ operator: "dm", operand: to }]
        : [
            { operator: "channel", operand: to },
            { operator: "topic", operand: topic },
          ];
      return newestMessages(
        sender === undefined ? recipient : [{ operator: "sender", operand: sender }, ...recipient],
        100,
      );
    },
    isApplied: (found: AnswerOf<typeof getMessages> | undefined, { after, sender, content }) =>
      sender !== undefined &&
      after !== undefined &&
      (found?.messages ?? []).some(
        (each) =>
          each.id > after && each.sender_id === sender && storedContent(each.content) === storedContent(content),
      ),
  },
});

/** https://zulip.com/api/update-message */
export const updateMessage = operation("messages.edit", "PATCH /messages/{message_id}", {
  effects: ({ message_id: message, topic, stream_id: channel, propagate_mode: mode = "change_one" }) =>
    message === undefined || (topic === undefined && channel === undefined)
      ? []
      : [{ does: "move", message, topic, channel, mode }],
  params: {
    message_id: messageId,
    content: maybe(text()),
    topic: maybe(text()),
    stream_id: maybe(json(integer, { of: "channel" })),
    propagate_mode: maybe(textOf(word("change_one", "change_later", "change_all"))),
    send_notification_to_old_thread: maybe(json(boolean)),
    send_notification_to_new_thread: maybe(json(boolean)),
  },
  evidence: {
    read: getMessage,
    argsOf: ({ message_id }) => ({ message_id, apply_markdown: false, allow_empty_topic_name: true }),
    isApplied: (found: AnswerOf<typeof getMessage> | undefined, { content, topic, stream_id }) => {
      const message = found?.message;
      return (
        message !== undefined &&
        (content === undefined || storedContent(message.content) === storedContent(content)) &&
        (topic === undefined || message.subject === topic) &&
        (stream_id === undefined || message.stream_id === stream_id)
      );
    },
  },
});

/** https://zulip.com/api/delete-message */
export const deleteMessage = operation("messages.delete", "DELETE /messages/{message_id}", {
  effects: ({ message_id }) => ifKnown(message_id, (id) => ({ does: "delete message", id })),
  params: { message_id: messageId },
  evidence: {
    read: getMessage,
    argsOf: ({ message_id }) => ({ message_id, apply_markdown: false }),
    isApplied: (found) => found === undefined,
  },
});

const streamId = json(integer, { of: "channel" });
const op = textOf(word("add", "remove"));

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
  effects: { none: "only this account sees the flags" },
  params: { messages: json(list(integer)), op, flag: text() },
  result: { messages: list(integer) },
});

/** https://zulip.com/api/update-message-flags-for-narrow */
export const updateFlagsOfNarrow = operation("messages.flags.narrow", "POST /messages/flags/narrow", {
  effects: { none: "only this account sees the flags" },
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
export const readAll = operation("messages.read", "POST /mark_all_as_read", {
  effects: { none: "only for this account messages are read" },
});

/** https://zulip.com/api/mark-stream-as-read */
export const readChannel = operation("channel.read", "POST /mark_stream_as_read", {
  effects: { none: "only for this account messages are read" },
  params: { stream_id: streamId },
});

/** https://zulip.com/api/mark-topic-as-read */
export const readTopic = operation("channel.topics.read", "POST /mark_topic_as_read", {
  effects: { none: "only for this account messages are read" },
  params: { stream_id: streamId, topic_name: text() },
});
