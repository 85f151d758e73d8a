/** Single messages: reads, deletes and marks them, and shows their histories and readers. */
import * as api from "../../api/messages.ts";
import { deleteMessage, getMessage } from "../../api/messages.ts";
import { deleteTopic } from "../../api/topics.ts";
import { canReadMessage, hasEither, readableChannel, readableMessage } from "../access.ts";
import { badRequest, PageError } from "../answers.ts";
import { fromJson, isBeyond64Bits, nonNegative } from "../decode.ts";
import { sendChannelUpdated } from "../events/channels.ts";
import {
  isMove,
  messageFlags,
  messageRecord,
  seconds,
  sendMessagesDeleted,
  sendTopicPolicy,
  viewers,
  visibleTopic,
} from "../events/messages.ts";
import { sendEvent } from "../events/queue.ts";
import { htmlDifference } from "../html-difference.ts";
import { deleteMessages, firstMessageId, messagesInTopic } from "../messages.ts";
import { renderMarkdown } from "../narrow/markdown.ts";
import { type HandlerCall, on } from "../router.ts";
import { type MessageFlag, type StoredMessage, type StoredUser, topicKey } from "../state.ts";
import { anchorOf, checkAnchor, isDateAnchor, maxMessages, narrowOrNull, rangeAround, search } from "./messages.ts";
import { asText } from "./sending.ts";

/** Removes messages of one conversation. Sends events to those who saw them, and to the caller. */
export function removeMessages(call: HandlerCall, messages: readonly StoredMessage[]): void {
  const [first] = messages;
  if (!first) return;
  const { state, caller, level } = call;
  const channel = state.channels.get(first.stream_id ?? 0);
  const oldest = channel && firstMessageId(state, channel.stream_id);
  // From level 457 on, only with access to the content.
  const to = new Set<StoredUser>(
    level < 457 || messages.some((each) => canReadMessage(state, caller, each)) ? [caller] : [],
  );
  for (const message of messages) for (const user of viewers(state, message)) to.add(user);
  deleteMessages(state, messages);
  if (channel && messages.some(({ id }) => id === oldest)) {
    sendChannelUpdated(call, channel, "first_message_id", firstMessageId(state, channel.stream_id));
  }
  const ids = messages.map(({ id }) => id);
  sendMessagesDeleted(call, ids, first, to);
}

/** People lose their policies for a topic that is gone. Level 468 does so; level 442 was not asked. */
function forgetTopic(call: HandlerCall, stream_id: number, topic: string): void {
  const { state } = call;
  if (!messagesInTopic(state, stream_id, topic).next().done) return;
  const users = [...state.users.values()].filter((user) => user.topic_policies.delete(topicKey(stream_id, topic)));
  sendTopicPolicy(call, stream_id, topic, 0, users);
}

function checkDeletion(call: HandlerCall, message: StoredMessage): void {
  const { state, caller, now } = call;
  const channel = state.channels.get(message.stream_id ?? 0);
  if (hasEither(call, "can_delete_any_message_group", channel, "can_delete_any_message_group")) return;
  const isOwn = message.sender_id === caller.user_id;
  const isOfOwnBot = state.users.get(message.sender_id)?.bot_owner_id === caller.user_id;
  if (
    !(isOwn || isOfOwnBot) ||
    !hasEither(call, "can_delete_own_message_group", channel, "can_delete_own_message_group")
  ) {
    throw badRequest("You don't have permission to delete this message");
  }
  const limit = state.organization.settings.message_content_delete_limit_seconds;
  if (limit !== null && now - message.date_sent > limit * 1000) {
    throw badRequest("The time limit for deleting this message has passed");
  }
}

const batchSize = 100;

/** The oldest first, each entry with the text and the topic as they were after it. */
function history({ state }: HandlerCall, message: StoredMessage, emptyTopic: boolean): object[] {
  const { sender_id, date_sent, edit_history } = message;
  const showsTexts = state.organization.settings.message_edit_history_visibility_policy === "all";
  let { content, topic } = message;
  const visibleName = (of: string) => visibleTopic(of, emptyTopic);
  const entry = (user_id: number, ms: number) => ({
    topic: visibleName(topic),
    content,
    rendered_content: renderMarkdown(state, content),
    user_id,
    timestamp: seconds(ms),
  });
  const entries: object[] = [];
  for (const edit of edit_history) {
    const { prev_content, prev_topic, prev_stream, stream } = edit;
    const prev_rendered_content = prev_content === undefined ? "" : renderMarkdown(state, prev_content);
    const isEdited = showsTexts && prev_content !== undefined;
    const html = isEdited ? htmlDifference(renderMarkdown(state, content), prev_rendered_content) : "";
    if (showsTexts || isMove(edit)) {
      entries.push({
        ...entry(edit.user_id, edit.timestamp),
        ...(isEdited ? { prev_content, prev_rendered_content, content_html_diff: html } : {}),
        ...(prev_topic === undefined ? {} : { prev_topic: visibleName(prev_topic) }),
        ...(prev_stream === undefined ? {} : { prev_stream, stream }),
      });
    }
    content = prev_content ?? content;
    topic = prev_topic ?? topic;
  }
  return [...entries, entry(sender_id, date_sent)].reverse();
}

const editableFlags = ["read", "starred", "collapsed"] as const;
const fixedFlags = [
  "mentioned",
  "has_alert_word",
  "historical",
  "stream_wildcard_mentioned",
  "topic_wildcard_mentioned",
];

interface FlagChange {
  flag: string;
  op: string;
}

function checkFlag({ flag, op }: FlagChange): MessageFlag {
  const found = editableFlags.find((each) => each === flag);
  if (!found && !fixedFlags.includes(flag)) throw badRequest(`Invalid flag: '${flag}'`);
  if (!found) throw badRequest(`Flag not editable: '${flag}'`);
  if (op !== "add" && op !== "remove") throw badRequest(`Invalid message flag operation: '${op}'`);
  return found;
}

const messageDetails = ({ caller, state }: HandlerCall, { stream_id, topic, recipients }: StoredMessage) =>
  stream_id === null
    ? { type: "private", user_ids: recipients.filter((id) => id !== caller.user_id) }
    : {
        type: "stream",
        stream_id,
        topic,
        unmuted_stream_msg: state.channels.has(stream_id) && !caller.muted_channels.has(stream_id),
      };

function changeFlags(call: HandlerCall, messages: readonly StoredMessage[], change: FlagChange) {
  const { state, caller } = call;
  const { op } = change;
  const flag = checkFlag(change);
  const ignored = new Set<number>();
  const updated = messages.filter((message) => {
    const { stream_id, received } = message;
    // Unread messages are always in channels with a subscription.
    if (flag === "read" && op === "remove" && stream_id !== null) {
      if (!state.channels.get(stream_id)?.subscribers.has(caller.user_id)) {
        ignored.add(stream_id);
        return false;
      }
    }
    // A star makes an old message the caller's own.
    if (flag === "starred" && op === "add" && !received.has(caller.user_id)) {
      if (!canReadMessage(state, caller, message)) throw badRequest("Invalid message(s)");
      received.set(caller.user_id, new Set(["read", "historical"]));
    }
    const flags = received.get(caller.user_id);
    if (!flags || flags.has(flag) === (op === "add")) return false;
    if (op === "add") flags.add(flag);
    else flags.delete(flag);
    return true;
  });
  const ids = updated.map(({ id }) => id);
  const unread = flag === "read" && op === "remove";
  const details = Object.fromEntries(updated.map((each) => [each.id, messageDetails(call, each)]));
  if (ids.length > 0) {
    const event = { type: "update_message_flags", op, operation: op, flag, messages: ids, all: false };
    sendEvent(call, { ...event, ...(unread && { message_details: details }) }, [caller]);
  }
  return { updated, also: { ignored_because_not_subscribed_channels: [...ignored] } };
}

const receivedMessages = ({ state, caller }: HandlerCall): StoredMessage[] =>
  [...state.messages.values()].filter((each) => each.received.has(caller.user_id));

function receivedIn(call: HandlerCall, id: number): StoredMessage[] {
  const { stream_id } = readableChannel(call, call.state.channels.get(id));
  return receivedMessages(call).filter((each) => each.stream_id === stream_id);
}

/** Larger numbers are reduced silently. */
const cappedCount = fromJson((value, path) => Math.min(nonNegative(value, path), maxMessages));

const markAsRead = { op: "add", flag: "read" };

export const singleMessageRoutes = [
  on(getMessage, {}, (call, { message_id, apply_markdown = true, allow_empty_topic_name = false }) => {
    const message = readableMessage(call.state, call.caller, message_id);
    const options = { markdown: apply_markdown, clientGravatar: true, emptyTopic: allow_empty_topic_name };
    return {
      message: messageRecord(call, message, { ...options, flags: messageFlags(message, call.caller) }),
      raw_content: message.content,
    };
  }),

  on(deleteMessage, {}, (call, { message_id }) => {
    const message = readableMessage(call.state, call.caller, message_id, { changing: true });
    checkDeletion(call, message);
    removeMessages(call, [message]);
  }),

  on(deleteTopic, {}, (call, { stream_id, topic_name }) => {
    const { state, caller } = call;
    readableChannel(call, state.channels.get(stream_id));
    const topic = topic_name === "general chat" ? "" : topic_name;
    const newest = [...messagesInTopic(state, stream_id, topic)]
      .filter((each) => canReadMessage(state, caller, each))
      .reverse();
    for (let at = 0; at < newest.length; at += batchSize) removeMessages(call, newest.slice(at, at + batchSize));
    if (call.level > 442) forgetTopic(call, stream_id, topic);
    return { complete: true };
  }),

  on(api.getHistory, {}, (call, { message_id, allow_empty_topic_name = false }) => {
    const { state, caller } = call;
    if (state.organization.settings.message_edit_history_visibility_policy === "none") {
      throw badRequest("Message edit history is disabled in this organization");
    }
    const message = readableMessage(state, caller, message_id);
    return { message_history: history(call, message, allow_empty_topic_name) };
  }),

  on(api.getReaders, {}, ({ state, caller }, { message_id }) => {
    const { received, sender_id } = readableMessage(state, caller, message_id);
    if (!state.organization.settings.enable_read_receipts) {
      throw badRequest("Read receipts are disabled in this organization.");
    }
    const readers = [...received].filter(([id, flags]) => id !== sender_id && flags.has("read"));
    const active = readers.filter(([id]) => state.users.get(id)?.is_active);
    return { user_ids: active.map(([id]) => id).sort((a, b) => a - b) };
  }),

  on(api.renderMessage, {}, ({ state }, { content }) => ({ rendered: renderMarkdown(state, content) })),

  on(api.updateFlags, { decode: { op: asText } }, (call, { messages, ...change }) => {
    if (messages.some(isBeyond64Bits)) throw new PageError(500, "Internal server error");
    const found = messages.flatMap((id) => call.state.messages.get(id) ?? []);
    const flag = checkFlag(change);
    if (flag === "starred" && change.op === "add" && found.length < messages.length)
      throw badRequest("Invalid message(s)");
    return { messages, ...changeFlags(call, found, change).also };
  }),

  on(
    api.updateFlagsOfNarrow,
    { decode: { op: asText, narrow: narrowOrNull, num_before: cappedCount, num_after: cappedCount } },
    (call, { anchor, narrow, op, flag, ...args }) => {
      checkAnchor(args);
      // This call has no parameter for the date.
      if (isDateAnchor(anchor, call.level)) throw badRequest("Missing 'anchor_date' argument.");
      const id = anchorOf(anchor);
      const found = search(call, narrow ?? []);
      const { messages, found_oldest, found_newest } = rangeAround(found.messages, id ?? found.firstUnread(), args);
      const { updated, also } = changeFlags(call, messages, { op, flag });
      return {
        processed_count: messages.length,
        updated_count: updated.length,
        first_processed_id: messages[0]?.id ?? null,
        last_processed_id: messages.at(-1)?.id ?? null,
        found_oldest,
        found_newest,
        ...also,
      };
    },
  ),

  on(api.readAll, {}, (call) => {
    changeFlags(call, receivedMessages(call), markAsRead);
    return { complete: true };
  }),

  on(api.readChannel, { decode: { stream_id: fromJson(nonNegative) } }, (call, { stream_id }) => {
    changeFlags(call, receivedIn(call, stream_id), markAsRead);
  }),

  on(api.readTopic, { decode: { stream_id: fromJson(nonNegative) } }, (call, { stream_id, topic_name }) => {
    const key = topicKey(stream_id, topic_name === "general chat" ? "" : topic_name);
    const found = receivedIn(call, stream_id).filter(({ topic }) => topicKey(stream_id, topic) === key);
    if (found.length === 0) throw badRequest(`No such topic '${topic_name}'`);
    changeFlags(call, found, markAsRead);
  }),
];
