/** Histories, readers and flags of messages. */
import {
  getHistory,
  getReaders,
  readAll,
  readChannel,
  readTopic,
  renderMessage,
  updateFlags,
  updateFlagsOfNarrow,
} from "../../api/message-marks.ts";
import { hasContentAccess, readableMessage, readsMessage } from "../access.ts";
import { PageError, refused } from "../answers.ts";
import { type Decoder, fromJson, isBeyond64Bits, natural } from "../decode.ts";
import { isMove, seconds, shownTopic } from "../events/messages.ts";
import { send } from "../events/queue.ts";
import { render } from "../narrow/markdown.ts";
import { type Call, on } from "../router.ts";
import { type Channel, type Flag, type Message, topicKey } from "../state.ts";
import { anchorOf, around, most, narrowOrNull, search } from "./messages.ts";
import { asText } from "./sending.ts";

/** Real servers mark words; here the whole text counts as another one. */
const difference = (now: string, before: string): string => {
  const marked = (html: string, kind: string) =>
    html.replace(/<p>(.*?)<\/p>/gs, `<p><span class="highlight_text_${kind}">$1</span></p>`);
  return `<div>${marked(now, "inserted")} ${marked(before, "deleted")}</div>`;
};

/** The oldest first, each entry with the text and the topic as they were after it. */
function history({ state }: Call, message: Message, emptyTopic: boolean): object[] {
  const { sender_id, date_sent, edit_history } = message;
  const texts = state.organization.settings.message_edit_history_visibility_policy === "all";
  let { content, topic } = message;
  const name = (of: string) => shownTopic(of, emptyTopic);
  const entry = (user_id: number, ms: number) => ({
    topic: name(topic),
    content,
    rendered_content: render(state, content),
    user_id,
    timestamp: seconds(ms),
  });
  const entries: object[] = [];
  for (const edit of edit_history) {
    const { prev_content, prev_topic, prev_stream, stream } = edit;
    const prev_rendered_content = prev_content === undefined ? "" : render(state, prev_content);
    const changed = texts && prev_content !== undefined;
    const html = changed ? difference(render(state, content), prev_rendered_content) : "";
    if (texts || isMove(edit)) {
      entries.push({
        ...entry(edit.user_id, edit.timestamp),
        ...(changed ? { prev_content, prev_rendered_content, content_html_diff: html } : {}),
        ...(prev_topic === undefined ? {} : { prev_topic: name(prev_topic) }),
        ...(prev_stream === undefined ? {} : { prev_stream, stream }),
      });
    }
    content = prev_content ?? content;
    topic = prev_topic ?? topic;
  }
  return [...entries, entry(sender_id, date_sent)].reverse();
}

const editable = ["read", "starred", "collapsed"] as const;
const fixed = ["mentioned", "has_alert_word", "historical", "stream_wildcard_mentioned", "topic_wildcard_mentioned"];

function flagAsked(flag: string, op: string): Flag {
  const found = editable.find((each) => each === flag);
  if (!found && !fixed.includes(flag)) throw refused(`Invalid flag: '${flag}'`);
  if (!found) throw refused(`Flag not editable: '${flag}'`);
  if (op !== "add" && op !== "remove") throw refused(`Invalid message flag operation: '${op}'`);
  return found;
}

interface Flagging {
  flag: string;
  op: string;
}

const detail = ({ caller, state }: Call, { stream_id, topic, recipients }: Message) =>
  stream_id === null
    ? { type: "private", user_ids: recipients.filter((id) => id !== caller.user_id) }
    : {
        type: "stream",
        stream_id,
        topic,
        unmuted_stream_msg: state.channels.has(stream_id) && !caller.muted_channels.has(stream_id),
      };

function mark(call: Call, messages: readonly Message[], { flag: asked, op }: Flagging, all = false) {
  const { state, caller } = call;
  const flag = flagAsked(asked, op);
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
    // A message of long ago becomes one's own when it gets a star.
    if (flag === "starred" && op === "add" && !received.has(caller.user_id)) {
      if (!readsMessage(state, caller, message)) throw refused("Invalid message(s)");
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
  const details = unread
    ? { message_details: Object.fromEntries(updated.map((each) => [each.id, detail(call, each)])) }
    : {};
  if (ids.length > 0) {
    send(call, { type: "update_message_flags", op, operation: op, flag, messages: ids, all, ...details }, [caller]);
  }
  return { updated, also: { ignored_because_not_subscribed_channels: [...ignored] } };
}

const ownMessages = ({ state, caller }: Call, of: (message: Message) => boolean): Message[] =>
  [...state.messages.values()].filter((each) => each.received.has(caller.user_id) && of(each));

function channelAsked({ state, caller }: Call, id: number): Channel {
  const channel = state.channels.get(id);
  if (!channel || channel.is_archived || !hasContentAccess(state, caller, channel)) throw refused("Invalid channel ID");
  return channel;
}

/** Cut silently where it is more than servers take at once. */
const upToMost: Decoder<number> = (text, name, level) => Math.min(fromJson(natural)(text, name, level), most);

const asRead = { op: "add", flag: "read" };

export const messageMarkRoutes = [
  on(getHistory, {}, (call, { message_id, allow_empty_topic_name = false }) => {
    const { state, caller } = call;
    if (state.organization.settings.message_edit_history_visibility_policy === "none") {
      throw refused("Message edit history is disabled in this organization");
    }
    const message = readableMessage(state, caller, message_id);
    return { message_history: history(call, message, allow_empty_topic_name) };
  }),

  on(getReaders, {}, ({ state, caller }, { message_id }) => {
    const { received, sender_id } = readableMessage(state, caller, message_id);
    if (!state.organization.settings.enable_read_receipts) {
      throw refused("Read receipts are disabled in this organization.");
    }
    const readers = [...received].filter(([id, flags]) => id !== sender_id && flags.has("read"));
    const active = readers.filter(([id]) => state.users.get(id)?.is_active);
    return { user_ids: active.map(([id]) => id).sort((a, b) => a - b) };
  }),

  on(renderMessage, {}, ({ state }, { content }) => ({ rendered: render(state, content) })),

  on(updateFlags, { decode: { op: asText } }, (call, { messages, op, flag }) => {
    if (messages.some(isBeyond64Bits)) throw new PageError(500, "Internal server error");
    const found = messages.flatMap((id) => call.state.messages.get(id) ?? []);
    flagAsked(flag, op);
    if (flag === "starred" && op === "add" && found.length < messages.length) throw refused("Invalid message(s)");
    return { messages, ...mark(call, found, { op, flag }).also };
  }),

  on(
    updateFlagsOfNarrow,
    {
      decode: { op: asText, narrow: narrowOrNull, num_before: upToMost, num_after: upToMost },
    },
    (call, { anchor, narrow, op, flag, ...args }) => {
      if (!(args.include_anchor ?? true) && args.num_before > 0 && args.num_after > 0) {
        throw refused("The anchor can only be excluded at an end of the range");
      }
      const asked = anchorOf(anchor);
      const found = search(call, narrow ?? []);
      const range = around(found.messages, asked ?? found.firstUnread(), args);
      const { messages, found_oldest, found_newest } = range;
      const { updated, also } = mark(call, messages, { op, flag });
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

  on(readAll, {}, (call) => {
    mark(
      call,
      ownMessages(call, () => true),
      asRead,
    );
    return { complete: true };
  }),

  on(readChannel, { decode: { stream_id: fromJson(natural) } }, (call, args) => {
    const { stream_id } = channelAsked(call, args.stream_id);
    mark(
      call,
      ownMessages(call, (each) => each.stream_id === stream_id),
      asRead,
    );
  }),

  on(readTopic, { decode: { stream_id: fromJson(natural) } }, (call, args) => {
    const { stream_id } = channelAsked(call, args.stream_id);
    const key = topicKey(stream_id, args.topic_name === "general chat" ? "" : args.topic_name);
    const those = ownMessages(call, (each) => each.stream_id === stream_id && topicKey(stream_id, each.topic) === key);
    if (those.length === 0) throw refused(`No such topic '${args.topic_name}'`);
    mark(call, those, asRead);
  }),
];
