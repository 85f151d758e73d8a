/** Sends and removes messages: recipients, flags, followed topics and files. */
import { isInGroups } from "./groups.ts";
import { render } from "./narrow/markdown.ts";
import { type Flag, isBot, type Message, nextId, type State, topicKey, type User } from "./state.ts";

/** Mentions in a rendered message. Silent mentions and those in code do not count. */
export interface Mentions {
  people: Set<number>;
  groups: Set<number>;
  everybody: boolean;
  topic: boolean;
}

export function mentionsIn(state: State, content: string): Mentions {
  const html = render(state, content);
  const ids = (sign: RegExp) => new Set([...html.matchAll(sign)].map(([, id]) => Number(id)));
  return {
    people: ids(/class="user-mention" data-user-id="(\d+)"/g),
    groups: ids(/class="user-group-mention" data-user-group-id="(\d+)"/g),
    everybody: html.includes('class="user-mention channel-wildcard-mention"'),
    topic: html.includes('class="topic-mention"'),
  };
}

function flagsFor(state: State, user: User, mentions: Mentions, takesPart: boolean): Set<Flag> {
  const flags = new Set<Flag>();
  if (mentions.people.has(user.user_id) || isInGroups(state, user, mentions.groups)) flags.add("mentioned");
  if (mentions.everybody || (mentions.topic && takesPart)) flags.add("wildcard_mentioned");
  return flags;
}

/** Updates the flags of mentions after the text was changed. Other flags stay. */
export function updateMentionFlags(state: State, message: Message): void {
  const mentions = mentionsIn(state, message.content);
  const part = new Set(mentions.topic ? participants(state, message.stream_id ?? 0, message.topic) : []);
  for (const [id, flags] of message.received) {
    const user = state.users.get(id);
    if (!user) continue;
    for (const flag of ["mentioned", "wildcard_mentioned"] as const) flags.delete(flag);
    for (const flag of flagsFor(state, user, mentions, part.has(id))) flags.add(flag);
  }
}

interface Sent {
  sender_id: number;
  content: string;
  now: number;
  /** Returns whether an account has read it already. Messages sent by API are unread for their sender too. */
  readBy?: (id: number) => boolean;
}

type Written = Pick<Message, "sender_id" | "stream_id" | "recipients" | "topic" | "content" | "date_sent">;

function deliver(
  state: State,
  written: Written,
  to: Iterable<number>,
  { mentions, part, readBy }: { mentions: Mentions; part: ReadonlySet<number>; readBy: Sent["readBy"] },
): Message {
  const received = new Map<number, Set<Flag>>();
  for (const id of to) {
    const user = state.users.get(id);
    if (!user) continue;
    const flags = flagsFor(state, user, mentions, part.has(id));
    received.set(id, readBy?.(id) ? flags.add("read") : flags);
  }
  const message = { ...written, id: nextId(state, "message"), received, reactions: [], edit_history: [] };
  state.messages.set(message.id, message);
  linkFiles(state, message);
  return message;
}

/** The messages of a topic, the oldest first. */
export function* messagesInTopic(state: State, streamId: number, topic: string): Generator<Message> {
  const key = topicKey(streamId, topic);
  for (const each of state.messages.values()) {
    if (each.stream_id === streamId && (each.topic === topic || topicKey(streamId, each.topic) === key)) yield each;
  }
}

/** Returns who has written in a topic. */
export const participants = (state: State, streamId: number, topic: string): Set<number> =>
  new Set([...messagesInTopic(state, streamId, topic)].map(({ sender_id }) => sender_id));

/** Bots follow no topic. */
const canStartFollowing = (user: User | undefined, key: string): user is User =>
  user !== undefined && !isBot(user) && !user.topic_policies.has(key);

interface Posted {
  message: Message;
  /** Accounts that follow the topic because of it. */
  followers: ReadonlySet<User>;
}

/** Only subscribers receive it. A sender who is not subscribed does not. */
export function sendToChannel(
  state: State,
  { sender_id, content, now, readBy, stream_id, topic }: Sent & { stream_id: number; topic: string },
): Posted {
  const key = topicKey(stream_id, topic);
  const mentions = mentionsIn(state, content);
  const subscribers = state.channels.get(stream_id)?.subscribers ?? new Set<number>();
  // A mention of the topic includes everybody who has written in it, and the sender.
  const part = new Set([...(mentions.topic ? participants(state, stream_id, topic) : []), sender_id]);
  // By default, people follow a topic that they start, or that mentions them, unless they have a policy for it.
  // The policy is checked first because finding the topic reads all messages.
  const sender = state.users.get(sender_id);
  const starting = canStartFollowing(sender, key) && messagesInTopic(state, stream_id, topic).next().done;
  const named = [...mentions.people].filter((id) => subscribers.has(id)).map((id) => state.users.get(id));
  const followers = new Set([...(starting ? [sender] : []), ...named].filter((user) => canStartFollowing(user, key)));
  for (const { topic_policies } of followers) topic_policies.set(key, "followed");
  const written = { sender_id, stream_id, recipients: [], topic, content, date_sent: now };
  return { message: deliver(state, written, subscribers, { mentions, part, readBy }), followers };
}

export function sendDirectly(state: State, { sender_id, content, now, readBy, to }: Sent & { to: number[] }): Message {
  const recipients = [...new Set([sender_id, ...to])].sort((a, b) => a - b);
  const written = { sender_id, stream_id: null, recipients, topic: "", content, date_sent: now };
  const mentions = mentionsIn(state, content);
  return deliver(state, written, recipients, { mentions, part: new Set(), readBy });
}

/** Links files to the messages whose text names them. Returns files that no message links any more. */
export function linkFiles({ attachments }: State, { id, content }: Message): number[] {
  const detached: number[] = [];
  for (const file of attachments.values()) {
    const before = file.message_ids.includes(id);
    const now = content.includes(`/user_uploads/${file.path_id}`);
    if (before === now) continue;
    file.message_ids = now ? [...file.message_ids, id] : file.message_ids.filter((each) => each !== id);
    if (file.message_ids.length === 0) detached.push(file.id);
  }
  return detached;
}

/** Deletes messages, and files that only they linked. */
export function deleteMessages(state: State, messages: readonly Message[]): void {
  for (const message of messages) {
    state.messages.delete(message.id);
    for (const file of linkFiles(state, { ...message, content: "" })) state.attachments.delete(file);
  }
}

/** The id of the oldest message of a channel. */
export function firstMessageId(state: State, streamId: number): number | null {
  for (const message of state.messages.values()) if (message.stream_id === streamId) return message.id;
  return null;
}
