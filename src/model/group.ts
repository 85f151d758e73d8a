/** The permissions of a group. No schemas, so that help loads none. */
import { namesOf } from "../common/object-members.ts";
import type { Permission } from "./permission.ts";

const permissions = {
  can_add_members_group: { since: 305, may: "add members", initial: "creator" },
  can_join_group: { since: 301, may: "join it", initial: "role:nobody" },
  can_leave_group: { since: 308, may: "leave it", initial: "role:everyone", everyone: true },
  can_manage_group: { since: 283, may: "manage the group", initial: "creator" },
  can_mention_group: { since: 198, may: "mention it", initial: "role:everyone", everyone: true },
  can_remove_members_group: { since: 324, may: "remove members", initial: "role:nobody" },
} as const satisfies Readonly<Record<string, Permission>>;

export type GroupPermission = keyof typeof permissions;

export const groupPermissionRules: Readonly<Record<GroupPermission, Permission>> = permissions;

export const groupPermissions = namesOf(permissions);
