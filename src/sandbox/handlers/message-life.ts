/** Reads and deletes single messages and topics. */
import { deleteMessage, getMessage } from "../../api/messages.ts";
import { deleteTopic } from "../../api/topics.ts";
import { canReadMessage, hasPermission, readableChannel, readableMessage } from "../access.ts";
import { badRequest } from "../answers.ts";
import { sendChannelUpdated } from "../events/channels.ts";
import { flagsOf, messageRecord, sendMessagesDeleted, viewers } from "../events/messages.ts";
import { isIncluded } from "../groups.ts";
import { deleteMessages, firstMessageId, messagesInTopic } from "../messages.ts";
import { type Call, on } from "../router.ts";
import type { Message, User } from "../state.ts";

/** Removes messages of one conversation. Sends events to those who saw them, and to the caller. */
export function removeMessages(call: Call, messages: readonly Message[]): void {
  const [first] = messages;
  if (!first) return;
  const { state, caller } = call;
  const channel = state.channels.get(first.stream_id ?? 0);
  const oldest = channel && firstMessageId(state, channel.stream_id);
  const to = new Set<User>([caller]);
  for (const message of messages) for (const user of viewers(state, message)) to.add(user);
  deleteMessages(state, messages);
  if (channel && messages.some(({ id }) => id === oldest)) {
    sendChannelUpdated(call, channel, "first_message_id", firstMessageId(state, channel.stream_id));
  }
  const ids = messages.map(({ id }) => id);
  sendMessagesDeleted(call, ids, first, to);
}

/** Returns whether the organization, or the channel's permission of the same name, allows it. */
function canDelete(
  { state, caller, level }: Call,
  { stream_id }: Message,
  permission: "can_delete_any_message_group" | "can_delete_own_message_group",
): boolean {
  if (hasPermission(state, caller, permission)) return true;
  const channel = level < 407 ? undefined : state.channels.get(stream_id ?? 0);
  return channel !== undefined && isIncluded(state, caller, channel.settings[permission]);
}

function checkDeletion(call: Call, message: Message): void {
  const { state, caller, now } = call;
  if (canDelete(call, message, "can_delete_any_message_group")) return;
  const isOwn = message.sender_id === caller.user_id;
  const isOfOwnBot = state.users.get(message.sender_id)?.bot_owner_id === caller.user_id;
  if (!(isOwn || isOfOwnBot) || !canDelete(call, message, "can_delete_own_message_group")) {
    throw badRequest("You don't have permission to delete this message");
  }
  const limit = state.organization.settings.message_content_delete_limit_seconds;
  if (limit !== null && now - message.date_sent > limit * 1000) {
    throw badRequest("The time limit for deleting this message has passed");
  }
}

const batchSize = 100;

export const messageLifeRoutes = [
  on(getMessage, {}, (call, { message_id, apply_markdown = true, allow_empty_topic_name = false }) => {
    const message = readableMessage(call.state, call.caller, message_id);
    const options = { markdown: apply_markdown, clientGravatar: true, emptyTopic: allow_empty_topic_name };
    return {
      message: messageRecord(call, message, { ...options, flags: flagsOf(message, call.caller) }),
      raw_content: message.content,
    };
  }),

  on(deleteMessage, {}, (call, { message_id }) => {
    const message = readableMessage(call.state, call.caller, message_id, { changing: true });
    checkDeletion(call, message);
    removeMessages(call, [message]);
  }),

  on(deleteTopic, { who: "administrator" }, (call, { stream_id, topic_name }) => {
    const { state, caller } = call;
    readableChannel(call, state.channels.get(stream_id));
    const topic = topic_name === "general chat" ? "" : topic_name;
    const newest = [...messagesInTopic(state, stream_id, topic)]
      .filter((each) => canReadMessage(state, caller, each))
      .reverse();
    for (let at = 0; at < newest.length; at += batchSize) removeMessages(call, newest.slice(at, at + batchSize));
    return { complete: true };
  }),
];
