/** Names permissions, roles and groups for people. */
import { valueNamed } from "../common/object-members.ts";
import type { SystemGroup } from "../model/permission.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import type { Cell } from "./evaluation.ts";

export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
export const uncapitalized = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

const roleGroups: Readonly<Record<SystemGroup, string>> = {
  "role:internet": "Everyone on the internet",
  "role:everyone": "Everyone",
  "role:members": "Members",
  "role:fullmembers": "Full members",
  "role:moderators": "Moderators",
  "role:administrators": "Administrators",
  "role:owners": "Owners",
  "role:nobody": "Nobody",
};

/** Names system groups by their role, and marks other groups with @, so that no group can pass for a role. */
export const groupTitle = (name: string): string => valueNamed(roleGroups, name) ?? `@${visibleName(name)}`;

/** Replaces a name that would be invisible. */
export const visibleName = (name: string): string => sanitizeLine(name).trim() || "(blank)";

/** Words for permissions with unclear wire names. */
const titles = new Map([
  ["history", "Read history"],
  ["create_multiuse_invite_group", "Make invitation links"],
  ["can_access_all_users_group", "See all people"],
  ["can_add_subscribers_group", "Subscribe others"],
  ["can_remove_subscribers_group", "Unsubscribe others"],
  ["can_create_write_only_bots_group", "Create incoming webhooks"],
  ["can_mention_many_users_group", "Mention everyone"],
  ["direct_message_permission_group", "Send direct messages"],
  ["direct_message_initiator_group", "Begin direct conversations"],
]);

export const permissionTitle = (permission: string): string =>
  titles.get(permission) ?? capitalized(permission.replace(/^can_|_group$/g, "").replaceAll("_", " "));

/** Links to a row of the page. */
export interface RowLink {
  readonly row: string;
  readonly text: string;
}

/** Returns the row of a permission: its channel, its group, or its own row for the organization. */
export function rowLinkOf({ scope, target_id, name, permission }: Cell): RowLink {
  if (scope === "organization") return { row: `o-${permission}`, text: permissionTitle(permission) };
  const format = scope === "channel" ? visibleName : groupTitle;
  return { row: `${scope.slice(0, 1)}${target_id}`, text: format(name ?? "") };
}

/** Formats a number: `4,812`. */
export const countText = (count: number): string => count.toLocaleString("en");
