/** The permissions of a group: since which level, and what is allowed by them. No schemas, so that help loads none. */
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
