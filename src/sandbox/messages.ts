/** Sends and removes messages: recipients, flags, followed topics and files. */
import { isInGroups } from "./groups.ts";
import { renderMarkdown } from "./narrow/markdown.ts";
import {
  isBot,
  type MessageFlag,
  nextId,
  type SandboxState,
  type StoredMessage,
  type StoredUser,
  topicKey,
} from "./state.ts";

/** Mentions in a rendered message. Silent mentions and those in code do not count. */
export interface Mentions {
  people: Set<number>;
  groups: Set<number>;
  everybody: boolean;
  topic: boolean;
}

export function mentionsIn(state: SandboxState, content: string): Mentions {
  const html = renderMarkdown(state, content);
  const ids = (sign: RegExp) => new Set([...html.matchAll(sign)].map(([, id]) => Number(id)));
  return {
    people: ids(/class="user-mention" data-user-id="(\d+)"/g),
    groups: ids(/class="user-group-mention" data-user-group-id="(\d+)"/g),
    everybody: html.includes('class="user-mention channel-wildcard-mention"'),
    topic: html.includes('class="topic-mention"'),
  };
}

function mentionFlags(
  state: SandboxState,
  user: StoredUser,
  mentions: Mentions,
  isParticipant: boolean,
): Set<MessageFlag> {
  const flags = new Set<MessageFlag>();
  if (mentions.people.has(user.user_id) || isInGroups(state, user, mentions.groups)) flags.add("mentioned");
  if (mentions.everybody || (mentions.topic && isParticipant)) flags.add("wildcard_mentioned");
  return flags;
}

/** Updates the flags of mentions after the text was changed. Other flags stay. */
export function updateMentionFlags(state: SandboxState, message: StoredMessage): void {
  const mentions = mentionsIn(state, message.content);
  const writers = mentions.topic ? participants(state, message.stream_id ?? 0, message.topic) : new Set();
  for (const [id, flags] of message.received) {
    const user = state.users.get(id);
    if (!user) continue;
    for (const flag of ["mentioned", "wildcard_mentioned"] as const) flags.delete(flag);
    for (const flag of mentionFlags(state, user, mentions, writers.has(id))) flags.add(flag);
  }
}

/** The messages of a topic, the oldest first. */
export function* messagesInTopic(state: SandboxState, streamId: number, topic: string): Generator<StoredMessage> {
  const key = topicKey(streamId, topic);
  for (const each of state.messages.values()) {
    if (each.stream_id === streamId && (each.topic === topic || topicKey(streamId, each.topic) === key)) yield each;
  }
}

export const participants = (state: SandboxState, streamId: number, topic: string): Set<number> =>
  new Set([...messagesInTopic(state, streamId, topic)].map(({ sender_id }) => sender_id));

interface NewMessage {
  sender_id: number;
  content: string;
  now: number;
  /** Returns whether an account has read it already. Messages sent by API are unread for their sender too. */
  isReadBy?: (id: number) => boolean;
}

/** Stores a message. `writers` have written in its topic. */
function addMessage(
  state: SandboxState,
  { now, isReadBy, ...message }: NewMessage & Pick<StoredMessage, "stream_id" | "topic" | "recipients">,
  receivers: ReadonlySet<number>,
  { mentions, writers }: { mentions: Mentions; writers: ReadonlySet<number> },
): StoredMessage {
  const received = new Map<number, Set<MessageFlag>>();
  for (const id of receivers) {
    const user = state.users.get(id);
    if (!user) continue;
    const flags = mentionFlags(state, user, mentions, writers.has(id));
    received.set(id, isReadBy?.(id) ? flags.add("read") : flags);
  }
  const id = nextId(state, "message");
  const stored = { ...message, id, date_sent: now, received, reactions: [], edit_history: [] };
  state.messages.set(id, stored);
  linkFiles(state, stored);
  return stored;
}

/** Only subscribers receive the message. Also returns the people who follow the topic because of it. */
export function sendToChannel(
  state: SandboxState,
  message: NewMessage & { stream_id: number; topic: string },
): { message: StoredMessage; followers: ReadonlySet<StoredUser> } {
  const { sender_id, content, stream_id, topic } = message;
  const key = topicKey(stream_id, topic);
  const mentions = mentionsIn(state, content);
  const subscribers = state.channels.get(stream_id)?.subscribers ?? new Set<number>();
  const writers = mentions.topic ? participants(state, stream_id, topic) : new Set<number>();
  // By default, people follow a topic that they start, or that mentions them, unless they have a policy for it.
  const canFollow = (user: StoredUser) => !isBot(user) && !user.topic_policies.has(key);
  const mentioned = [...mentions.people].filter((id) => subscribers.has(id));
  const followers = new Set(mentioned.flatMap((id) => state.users.get(id) ?? []).filter(canFollow));
  const sender = state.users.get(sender_id);
  if (sender && canFollow(sender) && messagesInTopic(state, stream_id, topic).next().done) followers.add(sender);
  for (const { topic_policies } of followers) topic_policies.set(key, "followed");
  const details = { mentions, writers: writers.add(sender_id) };
  return { message: addMessage(state, { ...message, recipients: [] }, subscribers, details), followers };
}

export function sendDirectly(state: SandboxState, { to, ...message }: NewMessage & { to: number[] }): StoredMessage {
  const recipients = new Set([message.sender_id, ...to]);
  const direct = { ...message, stream_id: null, topic: "", recipients: [...recipients].sort((a, b) => a - b) };
  return addMessage(state, direct, recipients, { mentions: mentionsIn(state, message.content), writers: new Set() });
}

/** Links files to the messages whose text names them. Returns files that no message links any more. */
export function linkFiles({ attachments }: SandboxState, { id, content }: StoredMessage): number[] {
  const detached: number[] = [];
  for (const file of attachments.values()) {
    const wasLinked = file.message_ids.includes(id);
    const now = content.includes(`/user_uploads/${file.path_id}`);
    if (wasLinked === now) continue;
    file.message_ids = now ? [...file.message_ids, id] : file.message_ids.filter((each) => each !== id);
    if (file.message_ids.length === 0) detached.push(file.id);
  }
  return detached;
}

/** Deletes messages, and files that only they linked. */
export function deleteMessages(state: SandboxState, messages: readonly StoredMessage[]): void {
  for (const message of messages) {
    state.messages.delete(message.id);
    for (const file of linkFiles(state, { ...message, content: "" })) state.attachments.delete(file);
  }
}

export function firstMessageId(state: SandboxState, streamId: number): number | null {
  for (const message of state.messages.values()) if (message.stream_id === streamId) return message.id;
  return null;
}
