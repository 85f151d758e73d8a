/** Edits the text, topic and channel of a message. The checks are in the server's order. */

import { updateMessage } from "../../api/messages.ts";
import type { ChannelPermission } from "../../model/channel.ts";
import type { OrganizationPermission } from "../../model/organization.ts";
import { roles } from "../../model/person.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { canAdminister, canPost, canReadMessage, hasEither, readableChannel, readableMessage } from "../access.ts";
import { ApiError, badRequest } from "../answers.ts";
import { fromJson, nonNegative, resolveAliases } from "../decode.ts";
import { type Move, sendMessageUpdated, viewers } from "../events/messages.ts";
import { checkTopic, checkTopicAllowed, normalizeContent, normalizeTopic, truncateTopic } from "../message-text.ts";
import { linkFiles, mentionsIn, messagesInTopic, updateMentionFlags } from "../messages.ts";
import { announceMark, announceMove, type MoveResult, markChange, moveMessages, oppositeNotice } from "../moves.ts";
import { type HandlerCall, on } from "../router.ts";
import type { Edit, StoredChannel, StoredMessage } from "../state.ts";
import { asText, checkMentions, checkNewTopic } from "./sending.ts";
import { removeMessages } from "./single-messages.ts";
import { attachmentRecord } from "./uploads.ts";

type EditArgs = ArgsOf<typeof updateMessage> & { subject?: string | undefined };

/** Seconds of tolerance after a time limit. */
const grace = 20;

const isTooOld = ({ now }: HandlerCall, { date_sent }: StoredMessage, limit: number | null): boolean =>
  limit !== null && now - date_sent > (limit + grace) * 1000;

/** Moderators and above move messages of any age. */
const hasTimeLimit = ({ caller }: HandlerCall): boolean => caller.role > roles.moderator;

function checkContent(call: HandlerCall, message: StoredMessage): void {
  const { settings } = call.state.organization;
  if (!settings.allow_message_editing) throw badRequest("Your organization has turned off message editing");
  if (message.sender_id !== call.caller.user_id) throw badRequest("You don't have permission to edit this message");
  if (isTooOld(call, message, settings.message_content_edit_limit_seconds)) {
    throw badRequest("The time limit for editing this message has passed");
  }
}

/** Checks that the parameters fit each other and the message. */
function checkArgs(call: HandlerCall, message: StoredMessage, args: EditArgs, topic: string | undefined): void {
  const { stream_id, content, propagate_mode = "change_one" } = args;
  if (topic === undefined && stream_id === undefined && content === undefined) throw badRequest("Nothing to change");
  const channel = call.state.channels.get(message.stream_id ?? 0);
  if (!channel) {
    if (stream_id !== undefined) throw badRequest("Direct messages cannot be moved to channels.");
    if (topic !== undefined) throw badRequest("Direct messages cannot have topics.");
  }
  if (propagate_mode !== "change_one" && topic === undefined && stream_id === undefined) {
    throw badRequest("Invalid propagate_mode without topic edit");
  }
  if (channel && topic !== undefined) {
    checkTopicAllowed(call, channel, topic === "(no topic)" ? "" : topic, "Topics are required in this organization.");
    if (topic === "✔" || topic === "✔ general chat") throw badRequest("General chat cannot be marked as resolved");
    checkTopic(topic);
  }
  if (stream_id !== undefined && content !== undefined) {
    throw badRequest("Cannot change message content while changing channel");
  }
  if (content !== undefined && /^\/(?:poll|todo)\b/.test(message.content))
    throw badRequest("Widgets cannot be edited.");
}

/** Administrators of a channel may move its messages. For resolving topics there is no such rule. */
const canMove = (
  call: HandlerCall,
  permission: OrganizationPermission,
  channel: StoredChannel,
  own: ChannelPermission,
): boolean =>
  hasEither(call, permission, channel, own) || (call.level >= 396 && canAdminister(call.state, call.caller, channel));

function checkTopicMove(call: HandlerCall, message: StoredMessage, { from, mark }: Move): void {
  const { move_messages_within_stream_limit_seconds: limit } = call.state.organization.settings;
  if (mark) {
    if (!hasEither(call, "can_resolve_topics_group", from.channel, "can_resolve_topics_group"))
      throw badRequest("You don't have permission to resolve topics.");
    return;
  }
  const own = "can_move_messages_within_channel_group";
  if (!canMove(call, "can_move_messages_between_topics_group", from.channel, own)) {
    throw badRequest("You don't have permission to edit this message");
  }
  if (hasTimeLimit(call) && isTooOld(call, message, limit)) {
    throw badRequest("The time limit for editing this message's topic has passed.");
  }
}

function checkChannelMove(call: HandlerCall, message: StoredMessage, { from }: Move, channel: StoredChannel): void {
  const { state, caller } = call;
  const { move_messages_between_streams_limit_seconds: limit } = state.organization.settings;
  const own = "can_move_messages_out_of_channel_group";
  if (!canMove(call, "can_move_messages_between_channels_group", from.channel, own)) {
    throw badRequest("You don't have permission to move this message");
  }
  if (!canPost(state, caller, channel, { byOwner: false })) {
    throw badRequest("You do not have permission to post in this channel.");
  }
  if (hasTimeLimit(call) && isTooOld(call, message, limit)) {
    throw badRequest("The time limit for editing this message's channel has passed");
  }
}

/** Refuses to move a whole topic if one of its messages is too old. */
function checkAllRecent(
  call: HandlerCall,
  messages: readonly StoredMessage[],
  { newTopic, newChannel, mark }: Move,
): void {
  const { settings } = call.state.organization;
  const topicLimit = newTopic === undefined || mark ? null : settings.move_messages_within_stream_limit_seconds;
  const channelLimit = newChannel === undefined ? null : settings.move_messages_between_streams_limit_seconds;
  const recent = messages.filter((each) => !isTooOld(call, each, topicLimit) && !isTooOld(call, each, channelLimit));
  const [first] = recent;
  if (!first || recent.length === messages.length) return;
  const [allowed, total] = [recent.length, messages.length];
  throw new ApiError(
    400,
    "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
    `You only have permission to move the ${allowed}/${total} most recent messages in this topic.`,
    {
      first_message_id_allowed_to_move: first.id,
      total_messages_in_topic: total,
      total_messages_allowed_to_move: allowed,
    },
  );
}

/** The messages that move, as far as the caller can read them. */
function affectedMessages(
  { state, caller }: HandlerCall,
  message: StoredMessage,
  { from }: Move,
  mode: string,
): StoredMessage[] {
  if (mode === "change_one") return [message];
  const all = [...messagesInTopic(state, from.channel.stream_id, from.topic)].filter((each) =>
    canReadMessage(state, caller, each),
  );
  return mode === "change_all" ? all : all.filter(({ id }) => id >= message.id);
}

/** The move that the request asks for; undefined if the message stays where it is. */
function moveOf(
  { state }: HandlerCall,
  message: StoredMessage,
  topic: string | undefined,
  newChannel: StoredChannel | undefined,
) {
  const channel = state.channels.get(message.stream_id ?? 0);
  if (!channel || (topic === undefined && !newChannel)) return undefined;
  const from = { channel, topic: message.topic };
  const newTopic = topic === undefined ? undefined : truncateTopic(topic);
  const to = { channel: newChannel ?? channel, topic: newTopic ?? message.topic };
  return { from, to, newTopic, newChannel, mark: markChange(message.topic, topic) };
}

function announce(
  call: HandlerCall,
  messages: readonly StoredMessage[],
  move: Move,
  result: MoveResult,
  args: EditArgs,
): void {
  const { to, newChannel, mark } = move;
  if (mark && args.content !== undefined) return;
  const isMarked = mark !== undefined && !newChannel;
  if (isMarked) {
    const notice = oppositeNotice(call, to);
    if (notice) removeMessages(call, [notice]);
    else announceMark(call, to, mark);
  }
  announceMove(call, messages, move, result, {
    old: args.send_notification_to_old_thread ?? false,
    new: (args.send_notification_to_new_thread ?? true) && !isMarked,
  });
}

function edit(call: HandlerCall, args: EditArgs): object {
  const { state, caller } = call;
  const requested = resolveAliases({ topic: args.topic, subject: args.subject });
  const message = readableMessage(state, caller, args.message_id, { changing: true });
  if (args.content !== undefined) checkContent(call, message);
  const normalized = requested === undefined ? undefined : normalizeTopic(requested, { sending: false });
  // Direct messages have a topic of their own, which nobody can name.
  const topic = message.stream_id !== null && normalized === message.topic ? undefined : normalized;
  checkArgs(call, message, args, topic);
  const content = args.content === undefined ? undefined : normalizeContent(args.content, "(deleted)");
  const channel = args.stream_id === undefined ? undefined : readableChannel(call, state.channels.get(args.stream_id));
  const propagate_mode = args.propagate_mode ?? "change_one";
  const move = moveOf(call, message, topic, channel);
  if (move?.newTopic !== undefined) checkTopicMove(call, message, move);
  if (content !== undefined) {
    const home = state.channels.get(message.stream_id ?? 0);
    checkMentions(call, mentionsIn(state, content), home && { channel: home, topic: message.topic });
  }
  if (move && channel) checkChannelMove(call, message, move, channel);
  if (move && !move.mark) checkNewTopic(call, move.to.channel, move.to.topic);
  const messages = move ? affectedMessages(call, message, move, propagate_mode) : [message];
  if (move && propagate_mode === "change_all" && hasTimeLimit(call)) checkAllRecent(call, messages, move);

  const prev_content = content === undefined ? undefined : message.content;
  const change: Edit = {
    user_id: caller.user_id,
    timestamp: call.now,
    ...(move?.newTopic !== undefined && { prev_topic: move.from.topic, topic: move.newTopic }),
    ...(move?.newChannel && { prev_stream: move.from.channel.stream_id, stream: move.newChannel.stream_id }),
  };
  for (const each of messages) {
    each.edit_history.unshift(each === message && prev_content !== undefined ? { ...change, prev_content } : change);
  }
  let detached: number[] = [];
  if (content !== undefined) {
    message.content = content;
    detached = linkFiles(state, message);
    updateMentionFlags(state, message);
  }
  const result = move && moveMessages(call, messages, move);
  const recipients = result?.recipients ?? viewers(state, message);
  sendMessageUpdated(call, message, { prev_content, move, messages, propagate_mode, recipients });
  if (move && result) announce(call, messages, move, result, args);
  const files = detached.flatMap((id) => state.attachments.get(id) ?? []);
  return { detached_uploads: files.map((file) => attachmentRecord(call, file)) };
}

export const messageEditRoutes = [
  on(
    updateMessage,
    {
      order: ["stream_id", "propagate_mode", "send_notification_to_old_thread", "send_notification_to_new_thread"],
      decode: { stream_id: fromJson(nonNegative) },
      extra: { subject: asText },
    },
    edit,
  ),
];
