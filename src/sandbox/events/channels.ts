/** A channel as reads, `register` and events show it. */

import { groupBy } from "../../common/group-by.ts";
import { keyed, namesOf } from "../../common/object-members.ts";
import {
  channelFieldRows,
  channelPermissionRules,
  channelToggleRules,
  type PlainToggle,
  plainToggles,
} from "../../model/channel.ts";
import { hasMetadataAccess } from "../access.ts";
import { activeOnly, oldPolicies, policyNumber, visibleSetting } from "../groups.ts";
import { firstMessageId } from "../messages.ts";
import { renderMarkdown } from "../narrow/markdown.ts";
import { channelRulesInOrder } from "../permissions.ts";
import { type HandlerCall, type HandlerContext, since } from "../router.ts";
import { isAdministrator, isGuest, type SandboxState, type StoredChannel, type StoredUser } from "../state.ts";
import { channelViewers, everybody, nonGuests, sendEvent } from "./queue.ts";
import type { Queue, QueuedEvent } from "./stored-queue.ts";

export const postPolicy = (state: SandboxState, { settings }: StoredChannel): number =>
  policyNumber(state, settings.can_send_message_group, oldPolicies);

/** Renders a description. An empty one stays empty. */
export const renderDescription = (state: SandboxState, text: string): string =>
  text === "" ? "" : renderMarkdown(state, text);

export function channelRecord({ state, level }: HandlerContext, channel: StoredChannel): object {
  const { stream_id, settings, subscribers, unsubscribed: _, is_default: __, ...details } = channel;
  const { date_created, folder_id, topics_policy, ...shown } = details;
  const isSupported = (name: PlainToggle) => level >= (channelToggleRules[name].since ?? 0);
  const permissions = namesOf(channelRulesInOrder).filter((name) => level >= channelPermissionRules[name].since);
  return {
    // First, since V8 before Node 22 makes a class for each object that begins with a spread.
    stream_id,
    ...shown,
    ...Object.fromEntries(permissions.map((name) => [name, visibleSetting(state, settings[name])])),
    date_created: Math.floor(date_created / 1000),
    first_message_id: firstMessageId(state, stream_id),
    ...since(level, channelFieldRows.folder_id.since, { folder_id }),
    is_recently_active: true,
    rendered_description: renderDescription(state, channel.description),
    stream_post_policy: postPolicy(state, channel),
    is_announcement_only: postPolicy(state, channel) === 2,
    ...since(level, channelFieldRows.topics_policy.since, { topics_policy }),
    ...since(level, 394, { subscriber_count: activeOnly(state, subscribers).length }),
    // Servers show no traffic in the first week of a channel.
    stream_weekly_traffic: null,
    ...keyed(plainToggles, (name) => (isSupported(name) ? channel[name] : undefined)),
  };
}

const colors = ["#76ce90", "#fae589", "#a6c7e5", "#e79ab5", "#bfd56f", "#f4ae55", "#b0a5fd", "#addfe5", "#f5ce6e"];

/** A channel without personal settings. Everybody who sees the channel sees its subscribers; guests need a subscription. */
export function channelWithSubscribers(call: HandlerCall, channel: StoredChannel, subscribers: boolean): object {
  const { state, caller } = call;
  const record = subscribers && hasMetadataAccess(state, caller, channel);
  return Object.assign(channelRecord(call, channel), record && { subscribers: activeOnly(state, channel.subscribers) });
}

/** A channel with the caller's settings for it. Clients without the capability get false instead of null. */
export function subscriptionRecord(
  call: HandlerCall,
  channel: StoredChannel,
  { subscribers, nulls }: { subscribers: boolean; nulls: boolean },
): object {
  const { caller } = call;
  const inherited = nulls ? null : false;
  const is_muted = caller.muted_channels.has(channel.stream_id);
  return Object.assign(channelWithSubscribers(call, channel, subscribers), {
    audible_notifications: inherited,
    color: colors[channel.stream_id % colors.length],
    desktop_notifications: inherited,
    email_notifications: inherited,
    in_home_view: !is_muted,
    is_muted,
    pin_to_top: false,
    push_notifications: inherited,
    wildcard_mentions_notify: null,
  });
}

const creation = (context: HandlerContext, channels: readonly StoredChannel[]): QueuedEvent => ({
  type: "stream",
  op: "create",
  streams: channels.map((channel) => channelRecord(context, channel)),
});

function deletion(channels: readonly StoredChannel[]): QueuedEvent {
  const stream_ids = channels.map(({ stream_id }) => stream_id);
  return { type: "stream", op: "delete", streams: stream_ids.map((stream_id) => ({ stream_id })), stream_ids };
}

export const sendChannelsCreated = (
  context: HandlerContext,
  channels: readonly StoredChannel[],
  to: Iterable<StoredUser>,
): void => {
  if (channels.length > 0) sendEvent(context, creation(context, channels), to);
};

export const sendChannelsDeleted = (
  context: HandlerContext,
  channels: readonly StoredChannel[],
  to: Iterable<StoredUser>,
): void => {
  if (channels.length > 0) sendEvent(context, deletion(channels), to);
};

/** Sends the event of a changed property. Its `name` is the name from before the change. */
export function sendChannelUpdated(
  context: HandlerContext,
  channel: StoredChannel,
  property: string,
  value: unknown,
  more: object = {},
  name = channel.name,
): void {
  const event = { type: "stream", op: "update", property, value, stream_id: channel.stream_id, name, ...more };
  sendEvent(context, event, channelViewers(context.state, channel));
}

export const sendDescriptionChanged = (context: HandlerContext, channel: StoredChannel): void =>
  sendChannelUpdated(context, channel, "description", channel.description, {
    rendered_description: renderDescription(context.state, channel.description),
  });

/** `before` is the policy before the change. Named groups and people have the policy of everybody. */
export function sendPostPolicyChanged(context: HandlerContext, channel: StoredChannel, before: number): void {
  const policy = postPolicy(context.state, channel);
  if (policy === before) return;
  sendChannelUpdated(context, channel, "stream_post_policy", policy);
  sendChannelUpdated(context, channel, "is_announcement_only", policy === 2);
}

const without = (users: readonly StoredUser[], others: readonly StoredUser[]): StoredUser[] =>
  users.filter((user) => !others.includes(user));

/** `before` are the people who saw the channel. People who see it only now get a new channel instead of the change. */
export function sendPermissionChanged(
  context: HandlerContext,
  channel: StoredChannel,
  property: string,
  value: unknown,
  before: readonly StoredUser[],
): void {
  const { stream_id, name } = channel;
  const viewers = channelViewers(context.state, channel);
  const newViewers = without(viewers, before);
  sendChannelsCreated(context, [channel], newViewers);
  sendEvent(context, { type: "stream", op: "update", property, value, stream_id, name }, without(viewers, newViewers));
  sendChannelsDeleted(context, [channel], without(before, viewers));
}

export function sendPrivacyChanged(
  context: HandlerContext,
  channel: StoredChannel,
  before: readonly StoredUser[],
): void {
  const { stream_id, invite_only, is_web_public, history_public_to_subscribers } = channel;
  const viewers = channelViewers(context.state, channel);
  const newViewers = without(viewers, before);
  sendChannelsCreated(context, [channel], newViewers);
  const user_ids = activeOnly(context.state, channel.subscribers);
  if (user_ids.length > 0) {
    sendEvent(context, { type: "subscription", op: "peer_add", stream_ids: [stream_id], user_ids }, newViewers);
  }
  sendChannelUpdated(context, channel, "invite_only", invite_only, { is_web_public, history_public_to_subscribers });
  sendChannelsDeleted(context, [channel], without(before, viewers));
}

/** Clients that do not know archived channels get a removed or a new channel instead. */
export function sendArchivedChanged(context: HandlerContext, channel: StoredChannel): void {
  const { stream_id, name, is_archived: value } = channel;
  const update = { type: "stream", op: "update", property: "is_archived", value, stream_id, name };
  const alternative = value ? deletion([channel]) : creation(context, [channel]);
  const isSupported = (queue: Queue) => context.level > 371 && queue.capabilities.has("archived_channels");
  sendEvent(context, (_, queue) => (isSupported(queue) ? update : alternative), channelViewers(context.state, channel));
}

export const sendDefaultChannels = (context: HandlerContext): void =>
  sendEvent(
    context,
    { type: "default_streams", default_streams: defaultChannels(context.state) },
    nonGuests(context.state),
  );

export const defaultChannels = (state: SandboxState): number[] =>
  [...state.channels.values()].filter(({ is_default }) => is_default).map(({ stream_id }) => stream_id);

const canSeeWithoutSubscription = ({ is_web_public, invite_only }: StoredChannel, user: StoredUser): boolean =>
  is_web_public || (invite_only ? isAdministrator(user) : !isGuest(user));

export function sendChannelCreated(context: HandlerContext, channel: StoredChannel): void {
  const viewers = everybody(context.state).filter((user) => canSeeWithoutSubscription(channel, user));
  sendChannelsCreated(context, [channel], viewers);
}

export interface Subscription {
  channel: StoredChannel;
  user: StoredUser;
}

/** Sends new or removed subscribers to those who see the channel. */
export function sendPeers(
  context: HandlerContext,
  op: "peer_add" | "peer_remove",
  changes: readonly Subscription[],
): void {
  const byChannel = [...groupBy(changes, (each) => each.channel)].map(([channel, list]) => {
    const users = list.map(({ user }) => user);
    return { channel, users, to: without(channelViewers(context.state, channel), users) };
  });
  const sendPeersOf = (list: typeof byChannel) => {
    const [{ users = [], to = [] } = {}] = list;
    const stream_ids = list.map(({ channel }) => channel.stream_id);
    sendEvent(context, { type: "subscription", op, stream_ids, user_ids: users.map(({ user_id }) => user_id) }, to);
  };
  // Private channels come first. Channels that all but guests see share an event if one person joins or leaves them.
  const canShare = ({ channel, users, to }: (typeof byChannel)[number]) =>
    users.length === 1 && !channel.invite_only && !to.some(isGuest);
  byChannel.sort((a, b) => Number(b.channel.invite_only) - Number(a.channel.invite_only));
  for (const each of byChannel) if (!canShare(each)) sendPeersOf([each]);
  for (const list of groupBy(byChannel.filter(canShare), ({ users }) => users[0]).values()) sendPeersOf(list);
}

const countBefore = (state: SandboxState, channel: StoredChannel, added: readonly Subscription[]): number =>
  activeOnly(state, channel.subscribers).length - added.filter((each) => each.channel === channel).length;

export function sendSubscribed(call: HandlerCall, added: readonly Subscription[]): void {
  // People who could not see the channel get it first.
  for (const { channel, user } of added) {
    if (!canSeeWithoutSubscription(channel, user)) sendChannelsCreated(call, [channel], [user]);
  }
  for (const [caller, list] of groupBy(added, ({ user }) => user)) {
    const options = { subscribers: true, nulls: true };
    const subscriptions = list.map(({ channel }) => ({
      ...subscriptionRecord({ ...call, caller }, channel, options),
      // The number from before the change.
      ...since(call.level, 394, { subscriber_count: countBefore(call.state, channel, added) }),
    }));
    sendEvent(call, { type: "subscription", op: "add", subscriptions }, [caller]);
  }
  sendPeers(call, "peer_add", added);
}

export function sendUnsubscribed(call: HandlerCall, removed: readonly Subscription[]): void {
  for (const [user, list] of groupBy(removed, (each) => each.user)) {
    const channels = list.map(({ channel }) => channel);
    const subscriptions = channels.map(({ name, stream_id }) => ({ name, stream_id }));
    sendEvent(call, { type: "subscription", op: "remove", subscriptions }, [user]);
    const hidden = channels.filter((channel) => !hasMetadataAccess(call.state, user, channel));
    sendChannelsDeleted(call, hidden, [user]);
  }
  sendPeers(call, "peer_remove", removed);
}
