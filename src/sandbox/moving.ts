/** Moves messages to another topic or channel, with the notices of Notification Bot. */
import { canReadMessage } from "./access.ts";
import { resolvedPrefix, sendMessagesDeleted, sendNewMessage, sendTopicPolicy, viewers } from "./events/messages.ts";
import { messagesInTopic, participants, sendToChannel } from "./messages.ts";
import { channelAddress, hashEncode } from "./narrow/markdown.ts";
import type { Call } from "./router.ts";
import { type Channel, type Message, type TopicPolicy, topicKey, type User } from "./state.ts";
import { notificationBot } from "./system-bots.ts";

export interface Place {
  channel: Channel;
  topic: string;
}

/** The desired change of place. Undefined is what stays. */
export interface Move {
  from: Place;
  topic: string | undefined;
  channel: Channel | undefined;
  /** How the change of topic affects the mark for resolved topics. */
  mark: Mark | undefined;
}

export const target = ({ from, topic = from.topic, channel = from.channel }: Move): Place => ({ channel, topic });

type Mark = "resolved" | "unresolved";

/** Undefined if the names differ in more than the mark. Names are compared before they are cut. */
export function markOf(before: string, topic: string | undefined): Mark | undefined {
  if (topic === `${resolvedPrefix}${before}` && !before.startsWith(resolvedPrefix)) return "resolved";
  if (before === `${resolvedPrefix}${topic}` && !topic?.startsWith(resolvedPrefix)) return "unresolved";
  return undefined;
}

/** Updates who has the messages in the new channel. */
function changeReaders(call: Call, messages: readonly Message[], channel: Channel): void {
  const { state } = call;
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

/** People's policies for a topic move with it if it moves as a whole. */
function movePolicies(call: Call, from: Place, to: Place): void {
  const [old, next] = [topicKey(from.channel.stream_id, from.topic), topicKey(to.channel.stream_id, to.topic)];
  if (old === next) return;
  const changed = ({ channel: { stream_id }, topic }: Place, policy: number, user: User) =>
    sendTopicPolicy(call, { stream_id, topic }, policy, [user]);
  for (const user of call.state.users.values()) {
    const policy = user.topic_policies.get(old);
    if (!policy) continue;
    user.topic_policies.delete(old);
    changed(from, 0, user);
    const rank = Math.max(ranks.indexOf(policy), ranks.indexOf(user.topic_policies.get(next)));
    user.topic_policies.set(next, ranks[rank] ?? policy);
    changed(to, rank, user);
  }
}

export interface Outcome {
  /** Accounts that get an event about the change. */
  to: Set<User>;
  /** The caller sees no message in the old place any more. */
  whole: boolean;
  /** The new place had no messages before. */
  unused: boolean;
}

/** Moves the messages, and sends events to people who lose them. */
export function move(call: Call, messages: readonly Message[], desired: Move): Outcome {
  const { state, caller } = call;
  const { from, channel } = desired;
  const to = target(desired);
  const seen = new Map(messages.map((message) => [message, viewers(state, message)]));
  const unused = messagesInTopic(state, to.channel.stream_id, to.topic).next().done === true;
  for (const message of messages) Object.assign(message, { stream_id: to.channel.stream_id, topic: to.topic });
  if (channel && channel !== from.channel) changeReaders(call, messages, channel);
  const informed = new Set<User>();
  const losing = new Map<User, number[]>();
  for (const [message, before] of seen) {
    const now = viewers(state, message);
    for (const user of now) informed.add(user);
    for (const user of before) {
      if (canReadMessage(state, user, message)) informed.add(user);
      else losing.set(user, [...(losing.get(user) ?? []), message.id]);
    }
  }
  const left = [...messagesInTopic(state, from.channel.stream_id, from.topic)];
  const whole = !left.some((message) => canReadMessage(state, caller, message));
  if (whole) movePolicies(call, from, to);
  const old = { stream_id: from.channel.stream_id, topic: from.topic };
  for (const [user, ids] of losing) sendMessagesDeleted(call, ids, old, [user]);
  return { to: informed, whole, unused };
}

const link = ({ channel, topic }: Place): string => `#**${channel.name}>${topic}**`;
const mention = ({ full_name, user_id }: User): string => `@_**${full_name}|${user_id}**`;

/** Notification Bot writes into a topic. */
function write(call: Call, { channel, topic }: Place, content: string, readBy?: (id: number) => boolean): void {
  const { state, now } = call;
  const { stream_id } = channel;
  const sent = { sender_id: notificationBot, content, now, stream_id, topic, ...(readBy && { readBy }) };
  sendNewMessage(call, sendToChannel(state, sent).message);
}

const markNotice = /has marked this topic as (?:un)?resolved\.$/;
const undoTime = 60_000;

/** The notice of the opposite mark, if it is recent. It is deleted instead of adding another one. */
export function oppositeNotice(call: Call, { channel, topic }: Place): Message | undefined {
  const last = [...messagesInTopic(call.state, channel.stream_id, topic)].at(-1);
  const notice = last?.sender_id === notificationBot && markNotice.test(last.content);
  return notice && call.now - last.date_sent <= undoTime ? last : undefined;
}

/** The notice is unread only for people who have written in the topic. */
export function announceMark(call: Call, place: Place, mark: string): void {
  const { state, caller } = call;
  const part = participants(state, place.channel.stream_id, place.topic);
  write(call, place, `${mention(caller)} has marked this topic as ${mark}.`, (id) => !part.has(id));
}

/** Writes notices of the move in the new place and in the old one. */
export function announceMove(
  call: Call,
  messages: readonly Message[],
  desired: Move,
  { whole, unused }: Pick<Outcome, "whole" | "unused">,
  where: { old: boolean; new: boolean },
): void {
  const { caller, site } = call;
  const { from } = desired;
  const to = target(desired);
  const [first] = messages;
  const count = messages.length;
  if (where.new && first) {
    const address = `${site}${channelAddress(to.channel)}/topic/${hashEncode(to.topic)}/near/${first.id}`;
    const some = count === 1 ? `[A message](${address}) was` : `${count} messages were`;
    const what = whole && unused ? "This topic was" : some;
    write(call, to, `${what} moved here from ${link(from)} by ${mention(caller)}.`);
  }
  if (where.old) {
    const some = count === 1 ? "A message was moved from this topic" : `${count} messages were moved from this topic`;
    const what = whole ? "This topic was moved" : some;
    write(call, from, `${what} to ${link(to)} by ${mention(caller)}.`);
  }
}
