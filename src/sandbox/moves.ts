/** Moves messages to another topic or channel, with the notices of Notification Bot. */
import { resolvedMark } from "../model/topic.ts";
import { canReadMessage } from "./access.ts";
import {
  type MessageLocation,
  type Move,
  sendMessagesDeleted,
  sendNewMessage,
  sendTopicPolicy,
  viewers,
} from "./events/messages.ts";
import { messagesInTopic, participants, sendToChannel } from "./messages.ts";
import { channelAddress, hashEncode } from "./narrow/markdown.ts";
import type { HandlerCall } from "./router.ts";
import { type StoredChannel, type StoredMessage, type StoredUser, type TopicPolicy, topicKey } from "./state.ts";
import { notificationBot } from "./system-bots.ts";

/** Undefined if the names differ in more than the mark. Names are compared before they are cut. */
export function markChange(before: string, topic: string | undefined): Move["mark"] {
  if (topic === `${resolvedMark}${before}` && !before.startsWith(resolvedMark)) return "resolved";
  if (before === `${resolvedMark}${topic}` && !topic?.startsWith(resolvedMark)) return "unresolved";
  return undefined;
}

/** Updates who has received the messages, after a move to another channel. */
function updateReceivers({ state }: HandlerCall, messages: readonly StoredMessage[], channel: StoredChannel): void {
  for (const message of messages) {
    for (const id of [...message.received.keys()]) {
      const user = state.users.get(id);
      if (!user || !canReadMessage(state, user, message)) message.received.delete(id);
    }
    // With hidden history, only those who received a message have it.
    if (channel.history_public_to_subscribers) continue;
    for (const id of channel.subscribers) if (!message.received.has(id)) message.received.set(id, new Set(["read"]));
  }
}

const ranks: readonly (TopicPolicy | undefined)[] = [undefined, "muted", "unmuted", "followed"];

/** Moves people's policies for a topic that moves as a whole. */
function movePolicies(call: HandlerCall, from: MessageLocation, to: MessageLocation): void {
  const [oldKey, newKey] = [topicKey(from.channel.stream_id, from.topic), topicKey(to.channel.stream_id, to.topic)];
  if (oldKey === newKey) return;
  for (const user of call.state.users.values()) {
    const policy = user.topic_policies.get(oldKey);
    if (!policy) continue;
    user.topic_policies.delete(oldKey);
    sendTopicPolicy(call, from.channel.stream_id, from.topic, 0, [user]);
    const rank = Math.max(ranks.indexOf(policy), ranks.indexOf(user.topic_policies.get(newKey)));
    user.topic_policies.set(newKey, ranks[rank] ?? policy);
    sendTopicPolicy(call, to.channel.stream_id, to.topic, rank, [user]);
  }
}

export interface MoveResult {
  /** The accounts that get an event about the change. */
  recipients: Set<StoredUser>;
  /** The caller sees no message in the old topic any more. */
  isWholeTopic: boolean;
  /** The new topic had no messages before. */
  isNewTopic: boolean;
}

/** Moves the messages, and sends events to people who lose them. */
export function moveMessages(
  call: HandlerCall,
  messages: readonly StoredMessage[],
  { from, to, newChannel }: Move,
): MoveResult {
  const { state, caller } = call;
  const stream_id = from.channel.stream_id;
  const viewersBefore = new Map(messages.map((message) => [message, viewers(state, message)]));
  const isNewTopic = messagesInTopic(state, to.channel.stream_id, to.topic).next().done === true;
  for (const message of messages) Object.assign(message, { stream_id: to.channel.stream_id, topic: to.topic });
  if (newChannel && newChannel !== from.channel) updateReceivers(call, messages, newChannel);
  const recipients = new Set<StoredUser>();
  const lost = new Map<StoredUser, number[]>();
  for (const [message, before] of viewersBefore) {
    for (const user of viewers(state, message)) recipients.add(user);
    for (const user of before) {
      if (canReadMessage(state, user, message)) recipients.add(user);
      else lost.set(user, [...(lost.get(user) ?? []), message.id]);
    }
  }
  const remaining = [...messagesInTopic(state, stream_id, from.topic)];
  const isWholeTopic = !remaining.some((message) => canReadMessage(state, caller, message));
  if (isWholeTopic) movePolicies(call, from, to);
  for (const [user, ids] of lost) sendMessagesDeleted(call, ids, { stream_id, topic: from.topic }, [user]);
  return { recipients, isWholeTopic, isNewTopic };
}

const link = ({ channel, topic }: MessageLocation): string => `#**${channel.name}>${topic}**`;
const mention = ({ full_name, user_id }: StoredUser): string => `@_**${full_name}|${user_id}**`;

/** Notification Bot writes into a topic. */
function notify(
  call: HandlerCall,
  to: MessageLocation,
  content: string,
  isReadBy: (id: number) => boolean = () => false,
): void {
  const { state, now } = call;
  const location = { stream_id: to.channel.stream_id, topic: to.topic };
  sendNewMessage(
    call,
    sendToChannel(state, { sender_id: notificationBot, content, now, isReadBy, ...location }).message,
  );
}

const markNotice = /has marked this topic as (?:un)?resolved\.$/;
const undoTime = 60_000;

/** The notice of the opposite mark, if it is recent. It is deleted instead of adding another one. */
export function oppositeNotice(call: HandlerCall, { channel, topic }: MessageLocation): StoredMessage | undefined {
  const last = [...messagesInTopic(call.state, channel.stream_id, topic)].at(-1);
  const isNotice = last?.sender_id === notificationBot && markNotice.test(last.content);
  return isNotice && call.now - last.date_sent <= undoTime ? last : undefined;
}

/** The notice is unread only for people who have written in the topic. */
export function announceMark(call: HandlerCall, to: MessageLocation, mark: string): void {
  const writers = participants(call.state, to.channel.stream_id, to.topic);
  notify(call, to, `${mention(call.caller)} has marked this topic as ${mark}.`, (id) => !writers.has(id));
}

/** Writes notices of the move into the new topic and the old one. */
export function announceMove(
  call: HandlerCall,
  messages: readonly StoredMessage[],
  { from, to }: Move,
  { isWholeTopic, isNewTopic }: MoveResult,
  notices: { old: boolean; new: boolean },
): void {
  const by = `by ${mention(call.caller)}.`;
  const [first] = messages;
  const isSingle = messages.length === 1;
  if (notices.new && first) {
    const address = `${call.site}${channelAddress(to.channel)}/topic/${hashEncode(to.topic)}/near/${first.id}`;
    const messagesText = isSingle ? `[A message](${address}) was` : `${messages.length} messages were`;
    const subject = isWholeTopic && isNewTopic ? "This topic was" : messagesText;
    notify(call, to, `${subject} moved here from ${link(from)} ${by}`);
  }
  if (notices.old) {
    const messagesText = `${isSingle ? "A message was" : `${messages.length} messages were`} moved from this topic`;
    const subject = isWholeTopic ? "This topic was moved" : messagesText;
    notify(call, from, `${subject} to ${link(to)} ${by}`);
  }
}
