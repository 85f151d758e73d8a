/** A message as reads and events show it, and the events about its changes. */

import { foldChannelName, upper } from "../../common/folding.ts";
import { roles } from "../../model/person.ts";
import { resolvedMark } from "../../model/topic.ts";
import { canReadMessage } from "../access.ts";
import { avatarUrl } from "../avatars.ts";
import { renderMarkdown } from "../narrow/markdown.ts";
import type { HandlerCall, HandlerContext } from "../router.ts";
import {
  type Edit,
  getExisting,
  type MessageFlag,
  type SandboxState,
  type StoredChannel,
  type StoredMessage,
  type StoredUser,
} from "../state.ts";
import { publicDetails, systemBot, systemBotPicture } from "../system-bots.ts";
import { sendEvent } from "./queue.ts";
import type { Queue, QueuedEvent } from "./stored-queue.ts";

export interface MessageLocation {
  channel: StoredChannel;
  topic: string;
}

export interface Move {
  from: MessageLocation;
  to: MessageLocation;
  /** Undefined if the request names no new topic. */
  newTopic: string | undefined;
  newChannel: StoredChannel | undefined;
  /** The change of the mark for resolved topics. */
  mark: "resolved" | "unresolved" | undefined;
}

export const seconds = (ms: number): number => Math.floor(ms / 1000);

/** Returns whether one name is the other one with the mark for resolved topics. */
const isResolving = (topic: string, prev: string): boolean =>
  topic === `${resolvedMark}${prev}` || prev === `${resolvedMark}${topic}`;

function editRecord(state: SandboxState, { prev_content, timestamp, ...edit }: Edit): object {
  const content =
    prev_content === undefined ? {} : { prev_content, prev_rendered_content: renderMarkdown(state, prev_content) };
  return { ...edit, timestamp: seconds(timestamp), ...content };
}

export const isMove = ({ prev_topic, prev_stream }: Edit): boolean =>
  prev_topic !== undefined || prev_stream !== undefined;

/** A setting can hide changes of the text, or all changes. */
function visibleEdits({ organization }: SandboxState, { edit_history }: StoredMessage): Edit[] {
  const policy = organization.settings.message_edit_history_visibility_policy;
  if (policy === "none") return [];
  if (policy === "all") return edit_history;
  return edit_history.filter(isMove).map(({ prev_content: _, ...moved }) => moved);
}

function editMembers(state: SandboxState, message: StoredMessage): object {
  const edits = visibleEdits(state, message);
  const edited = message.edit_history.find(({ prev_content }) => prev_content !== undefined);
  const move = message.edit_history.find(
    ({ prev_stream, prev_topic, topic }) =>
      prev_stream !== undefined || (prev_topic !== undefined && topic !== undefined && !isResolving(topic, prev_topic)),
  );
  return {
    ...(edits.length > 0 ? { edit_history: edits.map((edit) => editRecord(state, edit)) } : {}),
    ...(edited ? { last_edit_timestamp: seconds(edited.timestamp) } : {}),
    ...(move ? { last_moved_timestamp: seconds(move.timestamp) } : {}),
  };
}

/** The flags of a message. Accounts that did not receive it have the flags of a reader. */
/** In the order in which servers store them. */
const allFlags: readonly MessageFlag[] = [
  ...(["read", "starred", "collapsed", "mentioned", "wildcard_mentioned"] as const),
  ...(["has_alert_word", "historical"] as const),
];

export function messageFlags({ received }: StoredMessage, { user_id }: StoredUser): string[] {
  const flags = received.get(user_id) ?? new Set(["read", "historical"]);
  return allFlags.filter((flag) => flags.has(flag));
}

interface MessageOptions {
  markdown: boolean;
  clientGravatar: boolean;
  emptyTopic: boolean;
  /** Absent in events, which have them beside the message. */
  flags?: readonly string[];
}

const isMeMessage = ({ content }: StoredMessage): boolean => /^\/me [^\n]*$/.test(content);

export const visibleTopic = (topic: string, emptyTopic: boolean): string =>
  topic === "" && !emptyTopic ? "general chat" : topic;

export function messageRecord(
  { state, site }: HandlerContext,
  message: StoredMessage,
  options: MessageOptions,
): object {
  const { stream_id, topic, content, sender_id } = message;
  const sender = publicDetails(state, sender_id);
  if (!sender) throw new Error(`message ${message.id} has no sender`);
  const bot = systemBot(sender_id);
  return {
    id: message.id,
    sender_id,
    content: options.markdown ? renderMarkdown(state, content) : content,
    content_type: options.markdown ? "text/html" : "text/x-markdown",
    recipient_id: stream_id ?? 100_000 + message.id,
    timestamp: seconds(message.date_sent),
    client: bot ? "Internal" : "ZulipPython",
    subject: stream_id === null ? "" : visibleTopic(topic, options.emptyTopic),
    topic_links: [],
    is_me_message: isMeMessage(message),
    reactions: message.reactions.map(({ user_id, emoji_name }) => ({ user_id, emoji_name })),
    submessages: [],
    ...(options.flags ? { flags: options.flags } : {}),
    ...editMembers(state, message),
    sender_full_name: sender.full_name,
    sender_email: sender.email,
    sender_realm_str: bot ? "zulipinternal" : "",
    display_recipient:
      stream_id === null
        ? message.recipients.flatMap((id) => {
            const person = publicDetails(state, id);
            return person ? [{ id, email: person.email, full_name: person.full_name, is_mirror_dummy: false }] : [];
          })
        : state.channels.get(stream_id)?.name,
    type: stream_id === null ? "private" : "stream",
    ...(stream_id === null ? {} : { stream_id }),
    avatar_url: bot
      ? systemBotPicture(site, bot.email)
      : avatarUrl(getExisting(state.users, sender_id), options.clientGravatar),
  };
}

/** Returns who can see the message: those who received it, and subscribers who can read it. */
export function viewers(state: SandboxState, message: StoredMessage): Set<StoredUser> {
  const channel = state.channels.get(message.stream_id ?? 0);
  const ids = new Set([...message.received.keys(), ...(channel?.subscribers ?? [])]);
  const users = [...ids].flatMap((id) => state.users.get(id) ?? []);
  return new Set(users.filter((user) => user.is_active && canReadMessage(state, user, message)));
}

const allowsEmptyTopic = ({ capabilities }: Queue): boolean => capabilities.has("empty_topic_name");

export function sendMessagesDeleted(
  context: HandlerContext,
  message_ids: readonly number[],
  { stream_id, topic }: Pick<StoredMessage, "stream_id" | "topic">,
  to: Iterable<StoredUser>,
): void {
  // Level 468 has topics in lower case here. Level 442 was not asked.
  const shown = context.level > 442 ? topic.toLowerCase() : topic;
  const location = (queue: Queue) =>
    stream_id === null
      ? { message_type: "private" }
      : { message_type: "stream", stream_id, topic: visibleTopic(shown, allowsEmptyTopic(queue)) };
  const event = (queue: Queue, ids: object): QueuedEvent => ({ type: "delete_message", ...ids, ...location(queue) });
  const isBulk = ({ capabilities }: Queue) => capabilities.has("bulk_message_deletion");
  const people = [...to];
  sendEvent(context, (_, queue) => (isBulk(queue) ? event(queue, { message_ids }) : undefined), people);
  for (const message_id of message_ids) {
    sendEvent(context, (_, queue) => (isBulk(queue) ? undefined : event(queue, { message_id })), people);
  }
}

/** The operators in the narrow of a queue. A search has more. */
export const queueOperators: readonly string[] = ["channel", "stream", "topic", "sender", "is"];

/** Evaluates the narrow of a queue. */
function matchesTerm(
  state: SandboxState,
  { stream_id, topic, sender_id }: StoredMessage,
  flags: ReadonlySet<MessageFlag> | undefined,
  [operator, operand = ""]: readonly string[],
): boolean {
  const channel = state.channels.get(stream_id ?? 0);
  if (operator === "channel" || operator === "stream") {
    return channel !== undefined && foldChannelName(channel.name) === foldChannelName(operand);
  }
  if (operator === "topic") return channel !== undefined && upper(topic) === upper(operand);
  if (operator === "sender") return publicDetails(state, sender_id)?.email.toLowerCase() === operand.toLowerCase();
  if (operator !== "is") return true;
  if (operand === "dm" || operand === "private") return stream_id === null;
  return operand !== "mentioned" || flags?.has("mentioned") === true || flags?.has("wildcard_mentioned") === true;
}

export function sendNewMessage(context: HandlerContext, message: StoredMessage): void {
  const channel = context.state.channels.get(message.stream_id ?? 0);
  const to = [...context.state.users.values()].filter(({ is_active }) => is_active);
  const canSeeHistory = (user: StoredUser) => channel !== undefined && !channel.invite_only && user.role < roles.guest;
  sendEvent(
    context,
    (user, queue) => {
      const flags = message.received.get(user.user_id);
      if (!flags && !(queue.allPublic && canSeeHistory(user))) return undefined;
      if (!queue.narrow.every((term) => matchesTerm(context.state, message, flags, term))) return undefined;
      const options = { markdown: queue.rendered, clientGravatar: true, emptyTopic: allowsEmptyTopic(queue) };
      return { type: "message", message: messageRecord(context, message, options), flags: [...(flags ?? [])] };
    },
    to,
  );
}

interface MessageUpdate {
  /** The text before the change. */
  prev_content: string | undefined;
  move: Move | undefined;
  /** The messages that moved. */
  messages: readonly StoredMessage[];
  propagate_mode: string;
  recipients: Iterable<StoredUser>;
}

/** Sends the changes of a message: its text, or its move. */
export function sendMessageUpdated(call: HandlerCall, message: StoredMessage, update: MessageUpdate): void {
  const { state, caller, now } = call;
  const { prev_content, move, messages, propagate_mode, recipients } = update;
  const channel = move?.from.channel ?? state.channels.get(message.stream_id ?? 0);
  const text = prev_content !== undefined && {
    orig_content: prev_content,
    orig_rendered_content: renderMarkdown(state, prev_content),
    content: message.content,
    rendered_content: renderMarkdown(state, message.content),
    is_me_message: isMeMessage(message),
  };
  const eventFor = (user: StoredUser, queue: Queue) => {
    const name = (topic: string) => visibleTopic(topic, allowsEmptyTopic(queue));
    return {
      type: "update_message",
      user_id: caller.user_id,
      edit_timestamp: seconds(now),
      message_id: message.id,
      message_ids: messages.map(({ id }) => id),
      rendering_only: false,
      flags: messageFlags(message, user),
      ...(channel && { stream_id: channel.stream_id, stream_name: channel.name }),
      ...text,
      ...(move && { orig_subject: name(move.from.topic), propagate_mode }),
      ...(move?.newTopic !== undefined && { subject: name(move.newTopic), topic_links: [] }),
      ...(move?.newChannel && { new_stream_id: move.newChannel.stream_id }),
    };
  };
  sendEvent(call, eventFor, recipients);
}

/** The muted topics: channel, topic, and when they were muted. The sandbox does not keep the time or the case. */
const mutedTopics = ({ state, now }: HandlerCall, { topic_policies }: StoredUser): [string, string, number][] =>
  [...topic_policies].flatMap(([key, policy]): [string, string, number][] => {
    const [id = "", ...topic] = key.split(" ");
    const channel = state.channels.get(Number(id));
    return policy === "muted" && channel ? [[channel.name, topic.join(" "), seconds(now)]] : [];
  });

/** Sends a new policy for a topic: 0 none, 1 muted, 2 unmuted, 3 followed. */
export function sendTopicPolicy(
  call: HandlerCall,
  stream_id: number,
  topic: string,
  visibility_policy: number,
  users: Iterable<StoredUser>,
): void {
  const people = [...users];
  // Clients that know the other event do not need this one.
  const mutes = (user: StoredUser, { event_types }: Queue) =>
    event_types?.has("user_topic") ? undefined : { type: "muted_topics", muted_topics: mutedTopics(call, user) };
  sendEvent(call, mutes, people);
  const event = { type: "user_topic", stream_id, last_updated: seconds(call.now), visibility_policy };
  sendEvent(call, (_, queue) => ({ ...event, topic_name: visibleTopic(topic, allowsEmptyTopic(queue)) }), people);
}
