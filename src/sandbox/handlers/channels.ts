import { createHash } from "node:crypto";
import { getChannel, getChannelEmail, getChannelId, getChannels } from "../../api/channels.ts";
import { getTopics } from "../../api/topics.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { hasContentAccess, hasMetadataAccess, visibleChannel } from "../access.ts";
import { ApiError, Broken, refused } from "../answers.ts";
import { fromJson, natural } from "../decode.ts";
import { channelRecord } from "../events/channels.ts";
import { type Call, on } from "../router.ts";
import { type Channel, channelNamed, isBot, isGuest, type Message, topicKey, type User } from "../state.ts";
import { emailGateway } from "../system-bots.ts";

/** The messages of a channel that an account finds: all where the history is shared, else what was received. */
const reads = (user: User, message: Message, channel: Channel): boolean =>
  channel.history_public_to_subscribers || message.received.has(user.user_id);

/** Filters add up: a channel is listed if one of them takes it. */
const takes = ({ state, caller }: Call, filters: ArgsOf<typeof getChannels>, channel: Channel): boolean =>
  ((filters.include_public ?? true) && !isGuest(caller) && !channel.invite_only) ||
  (filters.include_web_public === true && channel.is_web_public && !channel.is_archived) ||
  ((filters.include_subscribed ?? true) && channel.subscribers.has(caller.user_id)) ||
  (filters.include_owner_subscribed === true && isBot(caller) && channel.subscribers.has(caller.bot_owner_id ?? 0)) ||
  (filters.include_can_access_content === true && hasContentAccess(state, caller, channel));

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** A channel that is not archived, whose messages the caller may read. */
function readable({ state, caller, level }: Call, id: number): Channel {
  const channel = state.channels.get(id);
  const gone = channel?.is_archived && level < 480;
  if (!channel || gone || !hasContentAccess(state, caller, channel)) throw refused("Invalid channel ID");
  return channel;
}

export const channelRoutes = [
  on(getChannels, {}, (call, { include_all, include_all_active, exclude_archived, include_default, ...filters }) => {
    const { state, caller } = call;
    const all = include_all ?? include_all_active;
    if (include_all !== undefined && include_all_active !== undefined) {
      const [var_name1, var_name2] = ["include_all", "include_all_active"];
      const msg = `Can't decide between '${var_name1}' and '${var_name2}' arguments`;
      throw new ApiError(400, "REQUEST_CONFUSING_VAR", msg, { var_name1, var_name2 });
    }
    const streams = [...state.channels.values()]
      .filter((channel) => !channel.is_archived || exclude_archived === false)
      .filter((channel) => (all ? hasMetadataAccess(state, caller, channel) : takes(call, filters, channel)))
      .sort(byName)
      .map((channel) => ({
        ...channelRecord(call, channel),
        ...(include_default ? { is_default: channel.is_default } : {}),
      }));
    return { streams };
  }),

  on(getChannel, {}, (call, { stream_id }) => {
    const channel = visibleChannel(call.state, call.caller, stream_id);
    if (channel.is_archived && call.level < 480) throw refused("Invalid channel ID");
    return { stream: channelRecord(call, channel) };
  }),

  // A look-up by name requires access to the messages, even for administrators.
  on(getChannelId, {}, ({ state, caller }, { stream }) => {
    if (stream.includes("\0")) throw new Broken();
    const found = channelNamed(state, stream);
    if (!found || found.is_archived || !hasContentAccess(state, caller, found)) {
      throw refused(`Invalid channel name '${stream}'`);
    }
    return { stream_id: found.stream_id };
  }),

  on(getTopics, {}, (call, { stream_id, allow_empty_topic_name }) => {
    const { state, caller } = call;
    const channel = readable(call, stream_id);
    const newest = new Map<string, { name: string; max_id: number }>();
    for (const message of state.messages.values()) {
      if (message.stream_id !== stream_id || !reads(caller, message, channel)) continue;
      const shown = message.topic === "" && !allow_empty_topic_name ? "general chat" : message.topic;
      newest.set(topicKey(stream_id, message.topic), { name: shown, max_id: message.id });
    }
    return { topics: [...newest.values()].sort((a, b) => b.max_id - a.max_id) };
  }),

  on(getChannelEmail, { decode: { sender_id: fromJson(natural) } }, (call, { stream_id, sender_id }) => {
    const { state, caller } = call;
    const channel = readable(call, stream_id);
    const sender = sender_id ?? caller.user_id;
    const own = sender === caller.user_id || state.users.get(sender)?.bot_owner_id === caller.user_id;
    if (!own && sender !== emailGateway) throw refused("No such bot");
    if (!state.organization.mail_gateway) return { email: "" };
    const token = createHash("md5").update(`${stream_id} ${sender}`).digest("hex");
    const name = channel.name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "");
    return { email: `${name && `${name}.`}${token}@${state.organization.host}` };
  }),
];
