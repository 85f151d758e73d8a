/** The settings and permissions of a channel. No schemas, so that help loads none. */

import type { Permission } from "./permission.ts";
import { noLimit } from "./setting.ts";

export const topicsPolicies = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"] as const;

/** Returns the first level with a policy, if it is later than that of the parameter. */
export const topicsPolicySince = (policy: string) => (policy === "empty_topic_only" ? 404 : undefined);

/** What channels, and requests that create one, call `is_private`. */
export const privateMember = "invite_only";

/** Returns the name of a channel's member that updates and people use. */
export const propertyOf = (member: string): string => (member === privateMember ? "is_private" : member);

export const privacies = ["public", "private", "web-public"] as const;

/** Returns who can find a channel. */
export const privacyOf = (channel: { is_web_public?: unknown; invite_only?: unknown }): (typeof privacies)[number] =>
  channel.is_web_public ? "web-public" : channel.invite_only ? "private" : "public";

/** A permission that everybody can have, and at first nobody has. */
const opened = { initial: "role:nobody", everyone: true } as const;
const byEverybody = { initial: "role:everyone", everyone: true } as const;

const permissions = {
  can_add_subscribers_group: { since: 342, may: "subscribe others", initial: "role:nobody" },
  can_remove_subscribers_group: {
    since: 161,
    may: "unsubscribe others",
    initial: "role:administrators",
    everyone: true,
  },
  can_administer_channel_group: { since: 325, may: "administer the channel", initial: "creator" },
  can_delete_any_message_group: { since: 407, may: "delete any message", ...opened, dropped: true },
  can_delete_own_message_group: { since: 407, may: "delete their own messages", ...opened, dropped: true },
  can_move_messages_out_of_channel_group: { since: 396, may: "move messages to other channels", ...opened },
  can_move_messages_within_channel_group: { since: 396, may: "move messages between topics", ...opened },
  can_send_message_group: { since: 333, may: "post", ...byEverybody },
  can_subscribe_group: { since: 357, may: "subscribe themselves", initial: "role:nobody" },
  can_resolve_topics_group: { since: 402, may: "resolve topics", ...opened },
  can_create_topic_group: { since: 441, may: "start topics", ...byEverybody, dropped: true },
} as const satisfies Readonly<Record<string, Permission & { dropped?: true }>>;

export type ChannelPermission = keyof typeof permissions;

export const channelPermissionRules: Readonly<Record<ChannelPermission, Permission & { dropped?: true }>> = permissions;

export const channelPermissions = Object.keys(permissions) as ChannelPermission[];

/** Returns whether servers check a permission when they create a channel, and then use its initial value. */
export const isDropped = (name: string): boolean =>
  Object.entries(channelPermissionRules).some(([each, { dropped }]) => each === name && dropped);

/** In the order in which servers apply an update. */
export const appliedChannelPermissions: readonly ChannelPermission[] = [
  ...channelPermissions.filter((name) => name !== "can_resolve_topics_group").sort(),
  "can_resolve_topics_group",
];

/** The smallest number of days for which a channel keeps messages. */
export const minRetentionDays = 1;

/** The word for a channel with the organization's retention. */
export const inherited = "realm_default";
export const retentionWords = [inherited, noLimit] as const;
export type Retention = number | (typeof retentionWords)[number];

/** Returns a stored retention as requests, files and people have it. */
export const retentionInWords = (stored: unknown): unknown =>
  stored === null ? inherited : stored === -1 ? noLimit : stored;

/** The opposite of `retentionInWords`. */
export const storedRetention = (value: unknown): unknown =>
  value === inherited ? null : value === noLimit ? -1 : value;

/** A channel cannot be both private and web-public. */
export const isPrivateAndWebPublic = (isPrivate: unknown, isWebPublic: unknown): boolean =>
  isPrivate === true && isWebPublic === true;
