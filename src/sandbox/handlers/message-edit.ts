/** Editing a message: its text, its topic, its channel; each by its own rules, in the server's order. */
import { updateMessage } from "../../api/messages.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { administers, hasContentAccess, may, maySend, readableMessage, readsMessage } from "../access.ts";
import { ApiError, refused } from "../answers.ts";
import { fromJson, natural, oneName } from "../decode.ts";
import { messageUpdated, viewers } from "../events/messages.ts";
import { holds } from "../groups.ts";
import { checkTopic, checkTopicRequired, contentOf, cutTopic, topicOf } from "../message-text.ts";
import { inTopic, linkFiles, mentionAgain, mentionsIn } from "../messages.ts";
import { announceMark, announceMove, type Move, markOf, move, target, undone } from "../moving.ts";
import { type Call, on } from "../router.ts";
import type { Channel, Edit, Message } from "../state.ts";
import { take } from "./message-life.ts";
import { asText, checkMentions, checkNewTopic } from "./sending.ts";
import { attachmentRecord } from "./uploads.ts";

type Args = ArgsOf<typeof updateMessage> & { subject?: string | undefined };

/** Seconds for what was on its way when the limit was over. */
const grace = 20;

const tooOld = ({ now }: Call, { date_sent }: Message, limit: number | null): boolean =>
  limit !== null && now - date_sent > (limit + grace) * 1000;

/** Moderators and above move messages of any age. */
const bound = ({ caller }: Call): boolean => caller.role > 300;

function checkContent(call: Call, message: Message): void {
  const { settings } = call.state.organization;
  if (!settings.allow_message_editing) throw refused("Your organization has turned off message editing");
  if (message.sender_id !== call.caller.user_id) throw refused("You don't have permission to edit this message");
  if (tooOld(call, message, settings.message_content_edit_limit_seconds)) {
    throw refused("The time limit for editing this message has passed");
  }
}

function checkWish(call: Call, message: Message, wish: { args: Args; topic: string | undefined; content?: string }) {
  const { args, topic } = wish;
  const { stream_id, content, propagate_mode = "change_one" } = args;
  if (topic === undefined && stream_id === undefined && content === undefined) throw refused("Nothing to change");
  const channel = call.state.channels.get(message.stream_id ?? 0);
  if (!channel) {
    if (stream_id !== undefined) throw refused("Direct messages cannot be moved to channels.");
    if (topic !== undefined) throw refused("Direct messages cannot have topics.");
  }
  if (propagate_mode !== "change_one" && topic === undefined && stream_id === undefined) {
    throw refused("Invalid propagate_mode without topic edit");
  }
  if (channel && topic !== undefined) {
    checkTopicRequired(call, channel, topic === "(no topic)" ? "" : topic, "Topics are required in this organization.");
    if (topic === "✔" || topic === "✔ general chat") throw refused("General chat cannot be marked as resolved");
    checkTopic(topic);
  }
  if (stream_id !== undefined && content !== undefined) {
    throw refused("Cannot change message content while changing channel");
  }
  if (content !== undefined && /^\/(?:poll|todo)\b/.test(message.content)) throw refused("Widgets cannot be edited.");
}

function channelAsked({ state, caller }: Call, id: number | undefined): Channel | undefined {
  if (id === undefined) return undefined;
  const channel = state.channels.get(id);
  if (!channel || channel.is_archived || !hasContentAccess(state, caller, channel)) throw refused("Invalid channel ID");
  return channel;
}

/** Permissions of channels, and the level from which on they exist. */
const ofChannels = {
  can_resolve_topics_group: { name: "can_resolve_topics_group", since: 402 },
  can_move_messages_between_topics_group: { name: "can_move_messages_within_channel_group", since: 396 },
  can_move_messages_between_channels_group: { name: "can_move_messages_out_of_channel_group", since: 396 },
} as const;

/** Returns whether the organization or the channel gives the permission. */
function mayMove({ state, caller, level }: Call, channel: Channel, permission: keyof typeof ofChannels): boolean {
  if (may(state, caller, permission)) return true;
  const { name, since } = ofChannels[permission];
  if (level < since) return false;
  // Administrators of a channel can move its messages. For resolving there is no such rule.
  const runs = permission !== "can_resolve_topics_group" && administers(state, caller, channel);
  return runs || holds(state, caller, channel.settings[name]);
}

function checkTopicMove(call: Call, message: Message, wish: Move): void {
  const { state } = call;
  if (wish.mark) {
    if (!mayMove(call, wish.from.channel, "can_resolve_topics_group"))
      throw refused("You don't have permission to resolve topics.");
    return;
  }
  if (!mayMove(call, wish.from.channel, "can_move_messages_between_topics_group")) {
    throw refused("You don't have permission to edit this message");
  }
  if (bound(call) && tooOld(call, message, state.organization.settings.move_messages_within_stream_limit_seconds)) {
    throw refused("The time limit for editing this message's topic has passed.");
  }
}

function checkChannelMove(call: Call, message: Message, { from }: Move, channel: Channel): void {
  const { state, caller } = call;
  if (!mayMove(call, from.channel, "can_move_messages_between_channels_group")) {
    throw refused("You don't have permission to move this message");
  }
  if (!maySend(state, caller, channel, { byOwner: false })) {
    throw refused("You do not have permission to post in this channel.");
  }
  if (bound(call) && tooOld(call, message, state.organization.settings.move_messages_between_streams_limit_seconds)) {
    throw refused("The time limit for editing this message's channel has passed");
  }
}

/** All or nothing: of a whole topic no message may be too old. */
function checkAllRecent(call: Call, messages: readonly Message[], wish: Move): void {
  const { settings } = call.state.organization;
  const limits = [
    wish.topic === undefined || wish.mark ? null : settings.move_messages_within_stream_limit_seconds,
    wish.channel === undefined ? null : settings.move_messages_between_streams_limit_seconds,
  ].filter((limit) => limit !== null);
  const limit = limits.length > 0 ? Math.min(...limits) : null;
  const recent = messages.filter((message) => !tooOld(call, message, limit));
  const [first] = recent;
  if (!first || recent.length === messages.length) return;
  const [n, of] = [recent.length, messages.length];
  throw new ApiError(
    400,
    "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
    `You only have permission to move the ${n}/${of} most recent messages in this topic.`,
    { first_message_id_allowed_to_move: first.id, total_messages_in_topic: of, total_messages_allowed_to_move: n },
  );
}

/** The messages that go along, as far as the caller can read them. */
function affected({ state, caller }: Call, message: Message, { from }: Move, mode: string): Message[] {
  if (mode === "change_one") return [message];
  const all = [...inTopic(state, from.channel.stream_id, from.topic)].filter((each) =>
    readsMessage(state, caller, each),
  );
  return mode === "change_all" ? all : all.filter(({ id }) => id >= message.id);
}

function edit(call: Call, args: Args): object {
  const { state, caller, now } = call;
  const named = oneName({ topic: args.topic, subject: args.subject });
  const message = readableMessage(state, caller, args.message_id, { changing: true });
  if (args.content !== undefined) checkContent(call, message);
  const asked = named === undefined ? undefined : topicOf(named, { sending: false });
  // Direct messages have a topic of their own, which nobody can name.
  const topic = message.stream_id !== null && asked === message.topic ? undefined : asked;
  checkWish(call, message, { args, topic });
  const content = args.content === undefined ? undefined : contentOf(args.content, "(deleted)");
  const channel = channelAsked(call, args.stream_id);
  const home = state.channels.get(message.stream_id ?? 0);
  const mode = args.propagate_mode ?? "change_one";
  const wish: Move | undefined =
    home && (topic !== undefined || channel)
      ? {
          from: { channel: home, topic: message.topic },
          topic: topic === undefined ? topic : cutTopic(topic),
          channel,
          mark: markOf(message.topic, topic),
        }
      : undefined;
  if (wish?.topic !== undefined) checkTopicMove(call, message, wish);
  if (content !== undefined) {
    checkMentions(call, mentionsIn(state, content), home && { channel: home, topic: message.topic });
  }
  if (wish && channel) checkChannelMove(call, message, wish, channel);
  if (wish && !wish.mark) {
    const to = target(wish);
    checkNewTopic(call, to.channel, to.topic);
  }
  const messages = wish ? affected(call, message, wish, mode) : [message];
  const mark = wish?.mark;
  if (wish && mode === "change_all" && bound(call)) checkAllRecent(call, messages, wish);

  const place: Edit = {
    user_id: caller.user_id,
    timestamp: now,
    ...(wish?.topic !== undefined && { prev_topic: wish.from.topic, topic: wish.topic }),
    ...(wish?.channel && { prev_stream: wish.from.channel.stream_id, stream: wish.channel.stream_id }),
  };
  const prev_content = content === undefined ? undefined : message.content;
  for (const each of messages) {
    each.edit_history.unshift(each === message && prev_content !== undefined ? { ...place, prev_content } : place);
  }
  let detached: number[] = [];
  if (content !== undefined) {
    message.content = content;
    detached = linkFiles(state, message);
    mentionAgain(state, message);
  }
  const outcome = wish && move(call, messages, wish);
  const moved = wish && { messages, ...wish.from, next: wish, mode };
  messageUpdated(call, message, { prev_content, moved, to: outcome?.to ?? viewers(state, message) });
  if (wish && outcome && !(mark && content !== undefined)) {
    const notices = {
      old: args.send_notification_to_old_thread ?? false,
      new: args.send_notification_to_new_thread ?? true,
    };
    const marked = channel ? undefined : mark;
    if (marked) {
      const notice = undone(call, target(wish));
      if (notice) take(call, [notice]);
      else announceMark(call, target(wish), marked);
    }
    announceMove(call, messages, wish, outcome, { ...notices, new: notices.new && !marked });
  }
  const files = detached.flatMap((id) => state.attachments.get(id) ?? []);
  return { detached_uploads: files.map((file) => attachmentRecord(call, file)) };
}

export const messageEditRoutes = [
  on(
    updateMessage,
    {
      order: ["stream_id", "propagate_mode", "send_notification_to_old_thread", "send_notification_to_new_thread"],
      decode: { stream_id: fromJson(natural) },
      also: { subject: asText },
    },
    edit,
  ),
];
