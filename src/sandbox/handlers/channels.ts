/** Reads, creates and archives channels, and chooses the default channels for new people. */

import { createHash } from "node:crypto";
import { type channelParams, createChannel } from "../../api/channel-creation.ts";
import * as api from "../../api/channels.ts";
import { getChannel, getChannelEmail, getChannelId, getChannels } from "../../api/channels.ts";
import { getTopics } from "../../api/topics.ts";
import { strip } from "../../common/folding.ts";
import { keyed } from "../../common/object-members.ts";
import {
  channelPermissions,
  channelToggleRules,
  inherited,
  isDropped,
  plainToggles,
  topicsPolicies,
} from "../../model/channel.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import type { Args } from "../../wire/params.ts";
import * as access from "../access.ts";
import { hasContentAccess, hasMetadataAccess, readableChannel, visibleChannel } from "../access.ts";
import { ApiError, badRequest, InternalError } from "../answers.ts";
import { anyOf, aString, type Decoder, fromJson, nonNegative, orUnlimited, resolveAliases } from "../decode.ts";
import * as events from "../events/channels.ts";
import { sendSettingsChanged } from "../events/queue.ts";
import { systemGroupId } from "../groups.ts";
import { addChannel, channelSettingsOfOrganization } from "../organization.ts";
import { channelRulesInOrder, initialSettings, mapNames, settingDecoder } from "../permissions.ts";
import { type HandlerCall, on } from "../router.ts";
import {
  allowsWebPublic,
  findChannel,
  isAdministrator,
  isBot,
  isGuest,
  type StoredChannel,
  topicKey,
} from "../state.ts";
import { emailGateway } from "../system-bots.ts";
import { checkChannelName, checkStorable, lengthOf } from "../text.ts";

/** A channel is listed if it matches one of the filters. */
const matches = (
  { state, caller }: HandlerCall,
  filters: ArgsOf<typeof getChannels>,
  channel: StoredChannel,
): boolean =>
  ((filters.include_public ?? true) && !isGuest(caller) && !channel.invite_only) ||
  (filters.include_web_public === true && channel.is_web_public && !channel.is_archived) ||
  ((filters.include_subscribed ?? true) && channel.subscribers.has(caller.user_id)) ||
  (filters.include_owner_subscribed === true && isBot(caller) && channel.subscribers.has(caller.bot_owner_id ?? 0)) ||
  (filters.include_can_access_content === true && hasContentAccess(state, caller, channel));

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** The channel, if the account may see it. Archived channels can be read by id from level 480 on. */
export function accessibleChannel({ state, caller, level }: HandlerCall, id: number): StoredChannel {
  const channel = visibleChannel(state, caller, id);
  if (channel.is_archived && level < 480) throw badRequest("Invalid channel ID");
  return channel;
}

/** The channel, if the account may also read its messages. */
function readableById(call: HandlerCall, id: number): StoredChannel {
  const channel = accessibleChannel(call, id);
  if (!hasContentAccess(call.state, call.caller, channel)) throw badRequest("Invalid channel ID");
  return channel;
}

/** An integer or a word. The server reports a failure of the word. */
const asWord = (name: string) => `${name}["json[str]"]`;
export const retentionDecoder: Decoder<number | string> = fromJson(
  (value, name) =>
    typeof value === "number" || typeof value === "bigint" ? Number(value) : aString(value, asWord(name)),
  asWord,
);

/** Reads the retention of a channel. Null is the organization's policy, -1 is forever. */
export function retentionDays(days: number | string): number | null {
  const number = days === inherited ? null : orUnlimited("message_retention_days", days, -1);
  if (number !== null && number >= 2 ** 31) throw new InternalError();
  return number;
}

export const creationDecoders = {
  message_retention_days: retentionDecoder,
  ...mapNames(channelRulesInOrder, () => settingDecoder),
};

type ChannelCreationArgs = Args<typeof channelParams>;

/** Checks the permissions of a new channel, and returns all of them. */
export function newSettings(call: HandlerCall, args: ChannelCreationArgs): StoredChannel["settings"] {
  const { state, caller } = call;
  const settings = initialSettings(state, channelRulesInOrder, caller.user_id, args);
  const nobody = systemGroupId(state, "role:nobody");
  const { can_delete_any_message_group, can_delete_own_message_group } = settings;
  const setsDeletion = can_delete_any_message_group !== nobody || can_delete_own_message_group !== nobody;
  if (setsDeletion) access.checkPolicyPermission(call, "can_set_delete_message_policy_group");
  return settings;
}

/** Checks whether the caller may create such a channel. */
export function checkCreation(call: HandlerCall, args: ChannelCreationArgs): void {
  const { caller } = call;
  const { invite_only = false, is_web_public = false, is_default_stream = false } = args;
  const isReserved = is_default_stream || plainToggles.some((name) => channelToggleRules[name].by && args[name]);
  const permission = invite_only ? "can_create_private_channel_group" : "can_create_public_channel_group";
  access.checkPermission(call, permission);
  if (isReserved && !isAdministrator(caller)) throw access.insufficientPermission();
  if (invite_only && is_default_stream) throw badRequest("A default channel cannot be private.");
  if (is_web_public) checkWebPublic(call);
  checkTopicsPolicy(call, args.topics_policy);
  const days = args.message_retention_days;
  if (days !== undefined && retentionDays(days) !== null) access.checkOwner(caller);
}

export function checkWebPublic(call: HandlerCall): void {
  if (!allowsWebPublic(call.state.organization)) throw badRequest("Web-public channels are not enabled.");
  access.checkPermission(call, "can_create_web_public_channel_group");
}

export function checkTopicsPolicy(call: HandlerCall, policy = "inherit"): void {
  if (policy !== "inherit") access.checkPolicyPermission(call, "can_set_topics_policy_group");
}

/** Archived folders are allowed too. */
export function checkFolder({ state }: HandlerCall, folder_id: number | null | undefined): void {
  if (typeof folder_id === "number" && !state.folders.has(folder_id)) throw badRequest("Invalid channel folder ID");
}

export const channelExists = (channel_name: string): ApiError =>
  new ApiError(409, "CHANNEL_ALREADY_EXISTS", `Channel '${channel_name}' already exists`, { channel_name });

/** Creates a channel without subscribers. A public channel always shares its history. */
export function makeChannel(
  call: HandlerCall,
  { name, description, settings }: { name: string; description: string; settings: StoredChannel["settings"] },
  args: ChannelCreationArgs,
): StoredChannel {
  checkChannelName(name);
  const { invite_only = false, is_web_public = false, is_default_stream = false } = args;
  return addChannel(call.state, call, {
    name,
    description: description.replaceAll("\n", " "),
    creator_id: call.caller.user_id,
    invite_only: invite_only && !is_web_public,
    is_web_public,
    history_public_to_subscribers: !invite_only || (args.history_public_to_subscribers ?? false),
    is_default: is_default_stream,
    message_retention_days: retentionDays(args.message_retention_days ?? inherited),
    folder_id: args.folder_id ?? null,
    topics_policy: args.topics_policy ?? "inherit",
    ...keyed(plainToggles, (name) => args[name] ?? channelToggleRules[name].initial),
    settings,
  });
}

export const channelRoutes = [
  on(getChannels, {}, (call, { include_all, include_all_active, exclude_archived, include_default, ...filters }) => {
    const { state, caller } = call;
    const all = resolveAliases({ include_all, include_all_active });
    const streams = [...state.channels.values()]
      .filter((channel) => !channel.is_archived || exclude_archived === false)
      .filter((channel) => (all ? hasMetadataAccess(state, caller, channel) : matches(call, filters, channel)))
      .sort(byName)
      .map((channel) =>
        Object.assign(events.channelRecord(call, channel), include_default && { is_default: channel.is_default }),
      );
    return { streams };
  }),

  on(getChannel, {}, (call, { stream_id }) => ({
    stream: events.channelRecord(call, accessibleChannel(call, stream_id)),
  })),

  // A look-up by name requires access to the messages, even for administrators.
  on(getChannelId, {}, (call, { stream }) => {
    checkStorable(stream);
    const found = readableChannel(call, findChannel(call.state, stream), `Invalid channel name '${stream}'`);
    return { stream_id: found.stream_id };
  }),

  on(getTopics, {}, (call, { stream_id, allow_empty_topic_name }) => {
    const { state, caller } = call;
    const hasSharedHistory = readableById(call, stream_id).history_public_to_subscribers;
    const newest = new Map<string, { name: string; max_id: number }>();
    for (const message of state.messages.values()) {
      if (message.stream_id !== stream_id || !(hasSharedHistory || message.received.has(caller.user_id))) continue;
      const name = message.topic === "" && !allow_empty_topic_name ? "general chat" : message.topic;
      newest.set(topicKey(stream_id, message.topic), { name, max_id: message.id });
    }
    return { topics: [...newest.values()].sort((a, b) => b.max_id - a.max_id) };
  }),

  on(getChannelEmail, { decode: { sender_id: fromJson(nonNegative) } }, (call, { stream_id, sender_id }) => {
    const { state, caller, level } = call;
    const channel = readableById(call, stream_id);
    if (level >= 448 && !access.canPost(state, caller, channel))
      throw badRequest("You do not have permission to post in this channel.");
    const sender = sender_id ?? caller.user_id;
    const isOwn = sender === caller.user_id || state.users.get(sender)?.bot_owner_id === caller.user_id;
    if (!isOwn && sender !== emailGateway) throw badRequest("No such bot");
    if (!state.organization.mail_gateway) return { email: "" };
    const token = createHash("md5").update(`${stream_id} ${sender}`).digest("hex");
    const name = channel.name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "");
    return { email: `${name && `${name}.`}${token}.show-sender@${state.organization.host}` };
  }),

  on(
    createChannel,
    {
      botsSince: 0,
      decode: {
        ...creationDecoders,
        topics_policy: fromJson((value, path) => anyOf(topicsPolicies)(aString(value, path), path)),
      },
    },
    (call, args) => {
      const { state, caller } = call;
      const { description = "" } = args;
      const name = strip(args.name);
      if (name === "") throw badRequest("name cannot be blank");
      if (lengthOf(description) > 1024) throw badRequest("description is too long (limit: 1024 characters)");
      if (findChannel(state, name)) throw channelExists(name);
      checkFolder(call, args.folder_id);
      checkCreation(call, args);
      const settings = newSettings(call, args);
      const people = [...new Set(args.subscribers)].map((id) => access.activeUser(state, id));
      const defaults = initialSettings(state, channelRulesInOrder, caller.user_id);
      for (const name of channelPermissions) if (isDropped(name)) settings[name] = defaults[name];
      const channel = makeChannel(call, { name, description, settings }, args);
      events.sendChannelCreated(call, channel);
      for (const { user_id } of people) channel.subscribers.add(user_id);
      const subscriptions = people.map((user) => ({ channel, user }));
      events.sendSubscribed(call, subscriptions);
      if (channel.is_default) events.sendDefaultChannels(call);
      return { id: channel.stream_id };
    },
  ),

  on(api.archiveChannel, { silent: true }, (call, { stream_id }) => {
    const { state, caller } = call;
    const channel = access.channelToAdminister(state, caller, stream_id);
    if (channel.is_archived) throw badRequest("Channel is already deactivated");
    channel.is_archived = true;
    if (channel.is_default) {
      channel.is_default = false;
      events.sendDefaultChannels(call);
    }
    const { settings } = state.organization;
    const changedSettings = channelSettingsOfOrganization.filter((name) => settings[name] === stream_id);
    for (const name of changedSettings) settings[name] = -1;
    if (changedSettings.length > 0)
      sendSettingsChanged(call, Object.fromEntries(changedSettings.map((name) => [name, -1])));
    events.sendArchivedChanged(call, channel);
  }),

  on(api.addDefaultChannel, {}, (call, { stream_id }) => {
    const channel = access.readableChannel(call, call.state.channels.get(stream_id));
    if (channel.invite_only) throw badRequest("Private channels cannot be made default.");
    if (channel.is_default) return;
    channel.is_default = true;
    events.sendDefaultChannels(call);
  }),

  on(api.removeDefaultChannel, {}, (call, { stream_id }) => {
    const channel = access.visibleChannel(call.state, call.caller, stream_id);
    if (channel.is_archived) throw badRequest("Invalid channel ID");
    channel.is_default = false;
    events.sendDefaultChannels(call);
  }),
];
