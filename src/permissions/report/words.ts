/** What permissions, roles and groups are called in the page. */
import { sanitizeLine } from "../../output/sanitize.ts";

export const roles: readonly { role: number; one: string; many: string }[] = [
  { role: 100, one: "Owner", many: "Owners" },
  { role: 200, one: "Administrator", many: "Administrators" },
  { role: 300, one: "Moderator", many: "Moderators" },
  { role: 400, one: "Member", many: "Members" },
  { role: 600, one: "Guest", many: "Guests" },
];

const roleGroups = new Map(
  Object.entries({
    "role:internet": "Everyone on the internet",
    "role:everyone": "Everyone",
    "role:members": "Members",
    "role:fullmembers": "Full members",
    "role:moderators": "Moderators",
    "role:administrators": "Administrators",
    "role:owners": "Owners",
    "role:nobody": "Nobody",
  }),
);

/** A link to a row of the page. */
export interface Reference {
  readonly row: string;
  readonly text: string;
}

/** Groups of roles by the product's words, others as they are mentioned: no group can pass for a role. */
export const groupTitle = (name: string): string => roleGroups.get(name) ?? `@${visible(name)}`;

/** A name that can be seen. */
export const visible = (name: string): string => sanitizeLine(name).trim() || "(blank)";

const titles = new Map(
  Object.entries({
    history: "Read history",
    create_multiuse_invite_group: "Make invitation links",
    can_invite_users_group: "Invite by email",
    can_access_all_users_group: "See all people",
    can_add_subscribers_group: "Subscribe others",
    can_remove_subscribers_group: "Unsubscribe others",
    can_add_custom_emoji_group: "Add custom emoji",
    can_create_bots_group: "Create any bot",
    can_create_write_only_bots_group: "Create incoming webhooks",
    can_create_web_public_channel_group: "Create web-public channels",
    can_create_public_channel_group: "Create public channels",
    can_create_private_channel_group: "Create private channels",
    can_delete_any_message_group: "Delete any message",
    can_delete_own_message_group: "Delete own messages",
    can_mention_many_users_group: "Mention everyone",
    can_manage_billing_group: "Manage billing",
    can_move_messages_within_channel_group: "Move messages within",
    can_move_messages_out_of_channel_group: "Move messages out",
    can_move_messages_between_channels_group: "Move messages between channels",
    can_move_messages_between_topics_group: "Move messages between topics",
    direct_message_permission_group: "Send direct messages",
    direct_message_initiator_group: "Begin direct conversations",
    own_organization: "Own the organization",
    administer_organization: "Administer the organization",
    can_manage_group: "Manage",
    can_add_members_group: "Add members",
    can_join_group: "Join",
    can_leave_group: "Leave",
    can_remove_members_group: "Remove members",
    can_mention_group: "Mention",
  }),
);

/** In words; of a permission that is not known here, the words of its name. */
export function permissionTitle(permission: string): string {
  const title = titles.get(permission);
  if (title !== undefined) return title;
  const words = permission
    .replace(/^can_/, "")
    .replace(/_group$/, "")
    .replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** `4,812`. */
export const number = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
