/** Sending messages: who receives them, and with which flags. */
import { belongs } from "./groups.ts";
import { render } from "./narrow/markdown.ts";
import { type Flag, known, type Message, nextId, type State, topicKey, type User } from "./state.ts";

/** Whom a rendered message mentions; silent mentions, and what looks like one in code, do not count. */
interface Mentions {
  people: Set<number>;
  groups: Set<number>;
  everybody: boolean;
  topic: boolean;
}

function mentionsIn(state: State, content: string): Mentions {
  const html = render(state, content);
  const ids = (sign: RegExp) => new Set([...html.matchAll(sign)].map(([, id]) => Number(id)));
  return {
    people: ids(/class="user-mention" data-user-id="(\d+)"/g),
    groups: ids(/class="user-group-mention" data-user-group-id="(\d+)"/g),
    everybody: html.includes('class="user-mention channel-wildcard-mention"'),
    topic: html.includes('class="topic-mention"'),
  };
}

// What comes over the API is unread to its sender too: only the official apps' own messages count as read.
function flagsFor(state: State, user: User, mentions: Mentions, takesPart: boolean): Set<Flag> {
  const flags = new Set<Flag>();
  if (mentions.people.has(user.user_id) || belongs(state, user, mentions.groups)) flags.add("mentioned");
  if (mentions.everybody || (mentions.topic && takesPart)) flags.add("wildcard_mentioned");
  return flags;
}

interface Sent {
  sender_id: number;
  content: string;
  now: number;
}

type Written = Omit<Message, "id" | "received" | "reactions">;

function deliver(
  state: State,
  message: Written,
  to: Iterable<number>,
  mentions: Mentions,
  part = new Set<number>(),
): Message {
  const received = new Map<number, Set<Flag>>();
  for (const id of to) received.set(id, flagsFor(state, known(state.users, id), mentions, part.has(id)));
  const whole = { ...message, id: nextId(state, "message"), received, reactions: [] };
  state.messages.set(whole.id, whole);
  return whole;
}

/** Subscribers receive it and nobody else does, not even a sender who is not subscribed. */
export function sendToChannel(
  state: State,
  { sender_id, content, now, stream_id, topic }: Sent & { stream_id: number; topic: string },
): Message {
  const key = topicKey(stream_id, topic);
  const before = [...state.messages.values()].filter(
    (each) => each.stream_id === stream_id && topicKey(stream_id, each.topic) === key,
  );
  const mentions = mentionsIn(state, content);
  const { subscribers } = known(state.channels, stream_id);
  // The settings of a new account: whoever starts a topic follows it, and whoever is mentioned by name in it, unless
  // they have a policy for it already.
  const follow = (id: number) => {
    const { topic_policies } = known(state.users, id);
    if (!topic_policies.has(key)) topic_policies.set(key, "followed");
  };
  if (before.length === 0) follow(sender_id);
  for (const id of mentions.people) if (subscribers.has(id)) follow(id);
  const message = { sender_id, stream_id, recipients: [], topic, content, date_sent: now };
  // A mention of the topic is for those who have written in it, the sender included.
  const part = new Set([...before.map((each) => each.sender_id), sender_id]);
  return deliver(state, message, subscribers, mentions, part);
}

export function sendDirectly(state: State, { sender_id, content, now, to }: Sent & { to: number[] }): Message {
  const recipients = [...new Set([sender_id, ...to])].sort((a, b) => a - b);
  const message = { sender_id, stream_id: null, recipients, topic: "", content, date_sent: now };
  return deliver(state, message, recipients, mentionsIn(state, content));
}
