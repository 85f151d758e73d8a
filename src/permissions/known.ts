/** The names of the permissions that rules are known of. No rules, so that completion loads none. */
import { channelPermissions, groupPermissions } from "../api/permission-settings.ts";
import type { Scope } from "./term.ts";

const organization = [
  "create_multiuse_invite_group",
  "can_invite_users_group",
  "can_access_all_users_group",
  "can_add_subscribers_group",
  "can_add_custom_emoji_group",
  "can_create_bots_group",
  "can_create_write_only_bots_group",
  "can_create_groups",
  "can_manage_all_groups",
  "can_create_public_channel_group",
  "can_create_private_channel_group",
  "can_create_web_public_channel_group",
  "can_delete_any_message_group",
  "can_delete_own_message_group",
  "can_move_messages_between_channels_group",
  "can_move_messages_between_topics_group",
  "can_resolve_topics_group",
  "can_mention_many_users_group",
  "can_summarize_topics_group",
  "can_manage_billing_group",
  "direct_message_permission_group",
  "direct_message_initiator_group",
  "can_set_topics_policy_group",
  "can_set_delete_message_policy_group",
];

const acts = {
  organization: ["administer_organization", "own_organization"],
  channel: ["see", "read", "history", "post", "subscribe", "administer", "change_privacy"],
  group: ["deactivate"],
} as const;

export const known: Readonly<Record<Scope, readonly string[]>> = {
  organization: [...organization, ...acts.organization],
  channel: [...acts.channel, ...channelPermissions],
  group: [...groupPermissions, ...acts.group],
};

/** Each once, though several kinds of things may have it. */
export const permissionNames: readonly string[] = [...new Set(Object.values(known).flat())];
