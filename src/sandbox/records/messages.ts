/** A message as it is read. */
import { render } from "../narrow/markdown.ts";
import type { Call } from "../router.ts";
import { type Message, shownEmail } from "../state.ts";
import { avatarOf } from "./users.ts";

interface Wanted {
  markdown: boolean;
  clientGravatar: boolean;
  emptyTopic: boolean;
}

export function messageRecord({ state, level, caller }: Call, message: Message, wanted: Wanted): object {
  const { stream_id, topic, content } = message;
  const sender = state.users.get(message.sender_id)!;
  const people = message.recipients.map((id) => state.users.get(id)!);
  const shownTopic = topic === "" && !(wanted.emptyTopic && level >= 334) ? "general chat" : topic;
  return {
    id: message.id,
    sender_id: message.sender_id,
    content: wanted.markdown ? render(state, content) : content,
    content_type: wanted.markdown ? "text/html" : "text/x-markdown",
    recipient_id: stream_id ?? 100_000 + message.id,
    timestamp: Math.floor(message.date_sent / 1000),
    client: "ZulipPython",
    subject: stream_id === null ? "" : shownTopic,
    topic_links: [],
    is_me_message: /^\/me [^\n]*$/.test(content),
    reactions: message.reactions.map(({ user_id, emoji_name }) => ({ user_id, emoji_name })),
    submessages: [],
    flags: [...(message.received.get(caller.user_id) ?? ["read", "historical"])],
    sender_full_name: sender.full_name,
    sender_email: shownEmail(state, sender),
    sender_realm_str: "",
    display_recipient:
      stream_id === null
        ? people.map((user) => ({
            id: user.user_id,
            email: shownEmail(state, user),
            full_name: user.full_name,
            is_mirror_dummy: false,
          }))
        : state.channels.get(stream_id)!.name,
    type: stream_id === null ? "private" : "stream",
    ...(stream_id === null ? {} : { stream_id }),
    avatar_url: avatarOf(sender, wanted.clientGravatar),
  };
}
