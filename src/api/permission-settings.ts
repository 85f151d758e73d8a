/** Permissions of channels and groups for flags, parameters and completion. No schemas, so that help loads none. */
export const topicsPolicies = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"] as const;

/** The permissions of a channel: their first feature level, and what they allow. */
export const channelPermissionRules = {
  can_add_subscribers_group: { since: 342, may: "subscribe others" },
  can_remove_subscribers_group: { since: 161, may: "unsubscribe others" },
  can_administer_channel_group: { since: 325, may: "administer the channel" },
  can_delete_any_message_group: { since: 407, may: "delete any message" },
  can_delete_own_message_group: { since: 407, may: "delete their own messages" },
  can_move_messages_out_of_channel_group: { since: 396, may: "move messages to other channels" },
  can_move_messages_within_channel_group: { since: 396, may: "move messages between topics" },
  can_send_message_group: { since: 333, may: "post" },
  can_subscribe_group: { since: 357, may: "subscribe themselves" },
  can_resolve_topics_group: { since: 402, may: "resolve topics" },
  can_create_topic_group: { since: 441, may: "start topics" },
} as const;

export type ChannelPermission = keyof typeof channelPermissionRules;

export const channelPermissions = Object.keys(channelPermissionRules) as ChannelPermission[];

/** The smallest number of days for which a channel keeps messages. */
export const minRetentionDays = 1;

/** A channel cannot be both private and web-public. */
export const isPrivateAndWebPublic = (isPrivate: unknown, isWebPublic: unknown): boolean =>
  isPrivate === true && isWebPublic === true;

/** The permissions of a group. */
export const groupPermissionRules = {
  can_add_members_group: { since: 305, may: "add members" },
  can_join_group: { since: 301, may: "join it" },
  can_leave_group: { since: 308, may: "leave it" },
  can_manage_group: { since: 283, may: "manage the group" },
  can_mention_group: { since: 198, may: "mention it" },
  can_remove_members_group: { since: 324, may: "remove members" },
} as const;

export type GroupPermission = keyof typeof groupPermissionRules;

export const groupPermissions = Object.keys(groupPermissionRules) as GroupPermission[];

/** The names of system groups, without `role:`. */
export const systemGroups: readonly string[] =
  "owners administrators moderators fullmembers members everyone internet nobody".split(" ");
