/** A channel as reads, `register` and events show it. */
import { channelPermissionRules } from "../../api/channel-settings.ts";
import { hasMetadataAccess } from "../access.ts";
import { activeOnly, type SystemGroup, shownSetting, systemGroup } from "../groups.ts";
import { render } from "../narrow/markdown.ts";
import { channelRules, namesOf } from "../permissions.ts";
import { type Call, since, type Visit } from "../router.ts";
import type { Channel, State } from "../state.ts";

const postPolicies: [SystemGroup, number][] = [
  ["role:everyone", 1],
  ["role:administrators", 2],
  ["role:fullmembers", 3],
  ["role:moderators", 4],
];

/** Anything but the four classic groups reads as 1. */
export const postPolicy = (state: State, { settings }: Channel): number =>
  postPolicies.find(([name]) => systemGroup(state, name) === settings.can_send_message_group)?.[1] ?? 1;

const firstMessage = (state: State, id: number): number | null => {
  for (const message of state.messages.values()) if (message.stream_id === id) return message.id;
  return null;
};

/** Descriptions are shown as HTML; nothing gives nothing. */
export const rendered = (state: State, text: string): string => (text === "" ? "" : render(state, text));

export function channelRecord({ state, level }: Visit, channel: Channel): object {
  const settings = namesOf(channelRules).flatMap((name) =>
    level < channelPermissionRules[name].since ? [] : [[name, shownSetting(state, channel.settings[name])]],
  );
  return {
    is_archived: channel.is_archived,
    ...Object.fromEntries(settings),
    creator_id: channel.creator_id,
    date_created: Math.floor(channel.date_created / 1000),
    description: channel.description,
    first_message_id: firstMessage(state, channel.stream_id),
    ...since(level, 389, { folder_id: channel.folder_id }),
    is_recently_active: true,
    history_public_to_subscribers: channel.history_public_to_subscribers,
    invite_only: channel.invite_only,
    is_web_public: channel.is_web_public,
    message_retention_days: channel.message_retention_days,
    name: channel.name,
    rendered_description: rendered(state, channel.description),
    stream_id: channel.stream_id,
    stream_post_policy: postPolicy(state, channel),
    is_announcement_only: postPolicy(state, channel) === 2,
    ...since(level, 392, { topics_policy: channel.topics_policy }),
    ...since(level, 394, { subscriber_count: activeOnly(state, channel.subscribers).length }),
    // A channel with less than a week behind it is too new for traffic; the sandbox's channels all are.
    stream_weekly_traffic: null,
    ...since(level, 507, { default_push_notifications: channel.default_push_notifications }),
  };
}

const colors = ["#76ce90", "#fae589", "#a6c7e5", "#e79ab5", "#bfd56f", "#f4ae55", "#b0a5fd", "#addfe5", "#f5ce6e"];

/** Whether the subscribers of a channel are told: to all who see it, but to guests only where they are subscribed. */
const subscribersFor = ({ state, caller }: Call, channel: Channel): object =>
  hasMetadataAccess(state, caller, channel) ? { subscribers: activeOnly(state, channel.subscribers) } : {};

/** A channel without personal settings, with its subscribers where they are asked for. */
export const seenChannel = (call: Call, channel: Channel, subscribers: boolean): object => ({
  ...channelRecord(call, channel),
  ...(subscribers ? subscribersFor(call, channel) : {}),
});

/**
 * A channel with the caller's settings for it. Clients without the capability are told false where there is no setting.
 */
export function subscriptionRecord(
  call: Call,
  channel: Channel,
  { subscribers, nulls }: { subscribers: boolean; nulls: boolean },
): object {
  const { caller } = call;
  const unset = nulls ? null : false;
  const is_muted = caller.muted_channels.has(channel.stream_id);
  return {
    ...channelRecord(call, channel),
    audible_notifications: unset,
    color: colors[channel.stream_id % colors.length],
    desktop_notifications: unset,
    email_notifications: unset,
    in_home_view: !is_muted,
    is_muted,
    pin_to_top: false,
    push_notifications: unset,
    wildcard_mentions_notify: null,
    ...(subscribers ? subscribersFor(call, channel) : {}),
  };
}
