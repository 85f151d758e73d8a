import { createHash } from "node:crypto";
import { getChannel, getChannelEmail, getChannelId, getChannels } from "../../api/channels.ts";
import { getTopics } from "../../api/topics.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { hasContentAccess, hasMetadataAccess, readableChannel, visibleChannel } from "../access.ts";
import { badRequest } from "../answers.ts";
import { fromJson, nonNegative, resolveAliases } from "../decode.ts";
import { channelRecord } from "../events/channels.ts";
import { type Call, on } from "../router.ts";
import { type Channel, findChannel, isBot, isGuest, topicKey } from "../state.ts";
import { emailGateway } from "../system-bots.ts";
import { checkStorable } from "../text.ts";

/** A channel is listed if it matches one of the filters. */
const matches = ({ state, caller }: Call, filters: ArgsOf<typeof getChannels>, channel: Channel): boolean =>
  ((filters.include_public ?? true) && !isGuest(caller) && !channel.invite_only) ||
  (filters.include_web_public === true && channel.is_web_public && !channel.is_archived) ||
  ((filters.include_subscribed ?? true) && channel.subscribers.has(caller.user_id)) ||
  (filters.include_owner_subscribed === true && isBot(caller) && channel.subscribers.has(caller.bot_owner_id ?? 0)) ||
  (filters.include_can_access_content === true && hasContentAccess(state, caller, channel));

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** The channel, if the account may see it. Archived channels can be read by id from level 480 on. */
export function channelOf({ state, caller, level }: Call, id: number): Channel {
  const channel = visibleChannel(state, caller, id);
  if (channel.is_archived && level < 480) throw badRequest("Invalid channel ID");
  return channel;
}

/** The channel, if the account may also read its messages. */
function readableById(call: Call, id: number): Channel {
  const channel = channelOf(call, id);
  if (!hasContentAccess(call.state, call.caller, channel)) throw badRequest("Invalid channel ID");
  return channel;
}

export const channelRoutes = [
  on(getChannels, {}, (call, { include_all, include_all_active, exclude_archived, include_default, ...filters }) => {
    const { state, caller } = call;
    const all = resolveAliases({ include_all, include_all_active });
    const streams = [...state.channels.values()]
      .filter((channel) => !channel.is_archived || exclude_archived === false)
      .filter((channel) => (all ? hasMetadataAccess(state, caller, channel) : matches(call, filters, channel)))
      .sort(byName)
      .map((channel) => ({
        ...channelRecord(call, channel),
        ...(include_default ? { is_default: channel.is_default } : {}),
      }));
    return { streams };
  }),

  on(getChannel, {}, (call, { stream_id }) => ({ stream: channelRecord(call, channelOf(call, stream_id)) })),

  // A look-up by name requires access to the messages, even for administrators.
  on(getChannelId, {}, (call, { stream }) => {
    checkStorable(stream);
    const found = readableChannel(call, findChannel(call.state, stream), `Invalid channel name '${stream}'`);
    return { stream_id: found.stream_id };
  }),

  on(getTopics, {}, (call, { stream_id, allow_empty_topic_name }) => {
    const { state, caller } = call;
    const shared = readableById(call, stream_id).history_public_to_subscribers;
    const newest = new Map<string, { name: string; max_id: number }>();
    for (const message of state.messages.values()) {
      if (message.stream_id !== stream_id || !(shared || message.received.has(caller.user_id))) continue;
      const name = message.topic === "" && !allow_empty_topic_name ? "general chat" : message.topic;
      newest.set(topicKey(stream_id, message.topic), { name, max_id: message.id });
    }
    return { topics: [...newest.values()].sort((a, b) => b.max_id - a.max_id) };
  }),

  on(getChannelEmail, { decode: { sender_id: fromJson(nonNegative) } }, (call, { stream_id, sender_id }) => {
    const { state, caller } = call;
    const channel = readableById(call, stream_id);
    const sender = sender_id ?? caller.user_id;
    const own = sender === caller.user_id || state.users.get(sender)?.bot_owner_id === caller.user_id;
    if (!own && sender !== emailGateway) throw badRequest("No such bot");
    if (!state.organization.mail_gateway) return { email: "" };
    const token = createHash("md5").update(`${stream_id} ${sender}`).digest("hex");
    const name = channel.name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "");
    return { email: `${name && `${name}.`}${token}@${state.organization.host}` };
  }),
];
