/** What each permission may be set to, what it is at first, and since which level it is there. */
import { groupPermissionRules } from "../api/group-permissions.ts";
import { organizationSettings } from "../api/settings.ts";
import type { SystemGroup } from "./groups.ts";
import type { OrganizationPermission } from "./organization-state.ts";
import type { ChannelSetting, GroupPermission } from "./state.ts";

export interface PermissionRule {
  /** "creator" is whoever makes the thing, alone. */
  first: SystemGroup | "creator";
  /** May be everybody, guests included; only then guests can have it at all. */
  everyone?: true;
  /** Must be somebody. */
  somebody?: true;
  /** These system groups and nothing else. */
  only?: readonly SystemGroup[];
}

const from = (first: PermissionRule["first"], more: Omit<PermissionRule, "first"> = {}): PermissionRule => ({
  first,
  ...more,
});
const members = from("role:members");
const everybody = from("role:everyone", { everyone: true });

/** In the order in which a request that changes several has them applied. */
export const organizationRules: Record<OrganizationPermission, PermissionRule> = {
  create_multiuse_invite_group: from("role:administrators"),
  can_access_all_users_group: from("role:everyone", {
    everyone: true,
    somebody: true,
    only: ["role:everyone", "role:members"],
  }),
  can_add_subscribers_group: members,
  can_add_custom_emoji_group: members,
  can_create_bots_group: members,
  can_create_groups: members,
  can_create_public_channel_group: members,
  can_create_private_channel_group: members,
  can_create_web_public_channel_group: from("role:owners", {
    only: ["role:moderators", "role:administrators", "role:owners", "role:nobody"],
  }),
  can_create_write_only_bots_group: members,
  can_delete_any_message_group: from("role:administrators"),
  can_delete_own_message_group: everybody,
  can_invite_users_group: members,
  can_manage_all_groups: from("role:owners", { somebody: true }),
  can_manage_billing_group: from("role:administrators", { somebody: true }),
  can_mention_many_users_group: from("role:administrators", { everyone: true }),
  can_move_messages_between_channels_group: members,
  can_move_messages_between_topics_group: everybody,
  can_resolve_topics_group: everybody,
  can_set_delete_message_policy_group: from("role:moderators"),
  can_set_topics_policy_group: from("role:members", { everyone: true }),
  can_summarize_topics_group: everybody,
  direct_message_initiator_group: everybody,
  direct_message_permission_group: everybody,
};

const nobody = from("role:nobody");
const nobodyAtFirst = from("role:nobody", { everyone: true });

/** In the order in which a request that changes several has them applied. */
export const channelRules: Record<ChannelSetting, PermissionRule> = {
  can_add_subscribers_group: nobody,
  can_administer_channel_group: from("creator"),
  can_create_topic_group: everybody,
  can_delete_any_message_group: nobodyAtFirst,
  can_delete_own_message_group: nobodyAtFirst,
  can_move_messages_out_of_channel_group: nobodyAtFirst,
  can_move_messages_within_channel_group: nobodyAtFirst,
  can_remove_subscribers_group: from("role:administrators", { everyone: true }),
  can_send_message_group: everybody,
  can_subscribe_group: nobody,
  can_resolve_topics_group: nobodyAtFirst,
};

/** The level from which a channel shows each permission. */
export const channelSince: Record<ChannelSetting, number> = {
  can_add_subscribers_group: 342,
  can_administer_channel_group: 325,
  can_create_topic_group: 441,
  can_delete_any_message_group: 407,
  can_delete_own_message_group: 407,
  can_move_messages_out_of_channel_group: 396,
  can_move_messages_within_channel_group: 396,
  can_remove_subscribers_group: 197,
  can_send_message_group: 333,
  can_subscribe_group: 357,
  can_resolve_topics_group: 402,
};

/** System groups have every one of theirs set to nobody. */
export const groupRules: Record<GroupPermission, PermissionRule> = {
  can_add_members_group: from("creator"),
  can_join_group: nobody,
  can_leave_group: everybody,
  can_manage_group: from("creator"),
  can_mention_group: everybody,
  can_remove_members_group: nobody,
};

export const groupSince = Object.fromEntries(
  Object.entries(groupPermissionRules).map(([name, { since }]) => [name, since]),
) as Record<GroupPermission, number>;

export const organizationSince = (name: OrganizationPermission): number => organizationSettings[name].since ?? 0;

export const namesOf = <N extends string>(rules: Record<N, PermissionRule>): N[] => Object.keys(rules) as N[];

const shown = ({ first, everyone, somebody, only }: PermissionRule, system: string | null, level: number) => {
  // The word for whoever makes the thing was another one before level 427.
  const creator = system ? "group_creator" : level < 427 ? "stream_creator_or_nobody" : "channel_creator";
  return {
    require_system_group: only !== undefined,
    allow_internet_group: false,
    allow_nobody_group: !somebody,
    allow_everyone_group: everyone ?? false,
    default_group_name: first === "creator" ? creator : first,
    default_for_system_groups: system,
    allowed_system_groups: only ?? [],
  };
};

/** As `register` tells them. */
export function supportedPermissions(level: number): object {
  const kind = <N extends string>(
    rules: Record<N, PermissionRule>,
    since: (name: N) => number,
    system: string | null = null,
  ) =>
    Object.fromEntries(
      namesOf(rules).flatMap((name) => (level < since(name) ? [] : [[name, shown(rules[name], system, level)]])),
    );
  return {
    realm: kind(organizationRules, organizationSince),
    stream: kind(channelRules, (name) => channelSince[name]),
    group: kind(groupRules, (name) => groupSince[name], "role:nobody"),
  };
}
