/** Sending messages: who receives them, and with which flags. */
import { belongs } from "./groups.ts";
import { type Flag, type Message, nextId, type State, topicKey, type User } from "./state.ts";

const mentionsEverybody = /@\*\*(?:all|everyone|channel|stream|topic)\*\*/;

/** What comes over the API is unread to its sender too: only the official apps' own messages count as read. */
function flagsFor(state: State, user: User, content: string): Set<Flag> {
  const flags = new Set<Flag>();
  const named =
    content.includes(`@**${user.full_name}**`) || content.includes(`@**${user.full_name}|${user.user_id}**`);
  const grouped = [...content.matchAll(/@\*(?!\*)([^*]+)\*/g)].some(([, name]) => {
    const group = [...state.groups.values()].find((each) => each.name === name);
    return group !== undefined && belongs(state, user, [group.id]);
  });
  if (named || grouped) flags.add("mentioned");
  if (mentionsEverybody.test(content)) flags.add("wildcard_mentioned");
  return flags;
}

interface Sent {
  sender_id: number;
  content: string;
  now: number;
}

function deliver(state: State, message: Omit<Message, "id" | "received" | "reactions">, to: Iterable<number>): Message {
  const received = new Map<number, Set<Flag>>();
  for (const id of to) {
    const user = state.users.get(id)!;
    received.set(id, flagsFor(state, user, message.content));
  }
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
  const started = ![...state.messages.values()].some(
    (each) => each.stream_id === stream_id && topicKey(stream_id, each.topic) === key,
  );
  // The settings of a new account: whoever starts a topic follows it.
  if (started) state.users.get(sender_id)!.topic_policies.set(key, "followed");
  const { subscribers } = state.channels.get(stream_id)!;
  return deliver(state, { sender_id, stream_id, recipients: [], topic, content, date_sent: now }, subscribers);
}

export function sendDirectly(state: State, { sender_id, content, now, to }: Sent & { to: number[] }): Message {
  const recipients = [...new Set([sender_id, ...to])].sort((a, b) => a - b);
  return deliver(state, { sender_id, stream_id: null, recipients, topic: "", content, date_sent: now }, recipients);
}
