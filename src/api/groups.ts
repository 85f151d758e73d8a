import { memberKind, membership } from "../wire/membership.ts";
import { type ArgsOf, operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { boolean, integer, list, object, optional, string, type Value } from "../wire/types.ts";
import { objectionsInWords } from "./group-objections.ts";
import { type GroupPermission, groupPermissionRules, groupPermissions } from "./group-permissions.ts";
import { type GroupSetting, groupSetting, groupSettingUpdate } from "./group-setting.ts";

const groupId = json(integer, { doc: "The group's id.", of: "group" });
const ids = (of: "user" | "group", doc: string, since?: number) => maybe(json(list(integer), { doc, since, of }));

const lists = ["add", "delete", "add_subgroups", "delete_subgroups"] as const;

/** https://zulip.com/api/update-user-group-members */
export const updateMembers = operation({
  name: "group.members",
  method: "POST",
  path: "/user_groups/{user_group_id}/members",
  doc: "Add and remove members and subgroups of a user group, all of them or none.",
  who: { role: "member" },
  params: {
    user_group_id: groupId,
    delete: ids("user", "Ids of users to remove."),
    add: ids("user", "Ids of users to add."),
    delete_subgroups: ids("group", "Ids of groups to remove.", 311),
    add_subgroups: ids("group", "Ids of groups to add.", 311),
  },
  result: {},
  target: ({ user_group_id }) => `group ${user_group_id}`,
  merging: {
    key: ({ user_group_id }) => String(user_group_id),
    size: (args) => lists.reduce((sum, name) => sum + (args[name]?.length ?? 0), 0),
    largest: 500,
    combine: (all) => ({
      user_group_id: all[0]!.user_group_id,
      ...Object.fromEntries(
        lists.flatMap((name) => {
          const ids = all.flatMap((args) => args[name] ?? []);
          return ids.length ? [[name, ids]] : [];
        }),
      ),
    }),
  },
  memberships: ({ user_group_id, add, delete: remove, add_subgroups, delete_subgroups }) => [
    membership(groupUsers, user_group_id, add, remove),
    membership(groupSubgroups, user_group_id, add_subgroups, delete_subgroups),
  ],
});

const group = object({
  id: integer,
  name: string,
  description: string,
  members: list(integer),
  direct_subgroup_ids: optional(list(integer)),
  is_system_group: optional(boolean),
  deactivated: optional(boolean),
});
export type Group = Value<typeof group>;

/** With what servers of later levels tell. */
export type GroupRecord = Group & {
  creator_id?: number | null;
  date_created?: number | null;
} & { [P in GroupPermission]?: GroupSetting };

/** https://zulip.com/api/get-user-groups */
export const getGroups = operation({
  name: "group.list",
  method: "GET",
  path: "/user_groups",
  doc: "User groups, system groups included.",
  who: { role: "member" },
  params: {
    include_deactivated_groups: maybe(json(boolean, { doc: "Deactivated ones too.", since: 294 })),
  },
  result: { user_groups: list(group) },
});

/** What to ask for all groups there are. */
export const everyGroup = { include_deactivated_groups: true } satisfies ArgsOf<typeof getGroups>;

/** https://zulip.com/api/get-user-group-members */
export const getMembers = operation({
  name: "group.members.list",
  method: "GET",
  path: "/user_groups/{user_group_id}/members",
  doc: "Ids of a group's members.",
  who: { role: "member" },
  since: 127,
  params: {
    user_group_id: groupId,
    direct_member_only: maybe(json(boolean, { doc: "Without those of subgroups." })),
  },
  result: { members: list(integer) },
});

/** https://zulip.com/api/get-user-group-subgroups */
export const getSubgroups = operation({
  name: "group.subgroups.list",
  method: "GET",
  path: "/user_groups/{user_group_id}/subgroups",
  doc: "Ids of a group's subgroups.",
  who: { role: "member" },
  since: 127,
  params: {
    user_group_id: groupId,
    direct_subgroup_only: maybe(json(boolean, { doc: "Without those of subgroups." })),
  },
  result: { subgroups: list(integer) },
});

export const groupUsers = memberKind({
  kind: "user",
  list: (id) => `/user_groups/${id} users`,
  read: getMembers,
  args: (user_group_id) => ({ user_group_id, direct_member_only: true }),
  members: ({ members }) => members as number[],
  flags: { added: "--add", removed: "--delete", whole: "--set" },
  there: (id) => `user ${id} is already a member of this group`,
  absent: (id) => `user ${id} is not a member of this group`,
});

export const groupSubgroups = memberKind({
  kind: "group",
  list: (id) => `/user_groups/${id} subgroups`,
  read: getSubgroups,
  args: (user_group_id) => ({ user_group_id, direct_subgroup_only: true }),
  members: ({ subgroups }) => subgroups as number[],
  flags: { added: "--add-subgroups", removed: "--delete-subgroups", whole: "--set-subgroups" },
  there: (id) => `group ${id} is already a subgroup of this group`,
  absent: (id) => `group ${id} is not a subgroup of this group`,
});

/** https://zulip.com/api/get-is-user-group-member */
export const getMember = operation({
  name: "group.member",
  method: "GET",
  path: "/user_groups/{user_group_id}/members/{user_id}",
  doc: "Whether somebody is in a group.",
  who: { role: "member" },
  since: 127,
  params: {
    user_group_id: groupId,
    user_id: json(integer, { doc: "The account's id.", of: "user" }),
    direct_member_only: maybe(json(boolean, { doc: "Not through subgroups." })),
  },
  result: { is_user_group_member: boolean },
});

const since = (name: GroupPermission): number => groupPermissionRules[name].since;
const each = <T>(param: (name: GroupPermission) => T) =>
  Object.fromEntries(groupPermissions.map((name) => [name, param(name)])) as Record<GroupPermission, T>;
const doc = (name: GroupPermission) => `The permission ${name}.`;

/** https://zulip.com/api/create-user-group */
export const createGroup = operation({
  name: "group.create",
  method: "POST",
  path: "/user_groups/create",
  doc: "Create a user group.",
  who: { role: "member" },
  params: {
    name: text({ doc: "The name, stored as given." }),
    description: text({ doc: "The description; may be empty." }),
    members: json(list(integer), { doc: "Ids of its members; may be empty.", of: "user" }),
    subgroups: maybe(json(list(integer), { doc: "Ids of its subgroups.", of: "group", since: 311 })),
    ...each((name) => maybe(json(groupSetting, { doc: doc(name), of: "who", since: since(name) }))),
  },
  result: { group_id: optional(integer) },
});

/** https://zulip.com/api/update-user-group. One transaction. */
export const updateGroup = operation({
  name: "group.update",
  method: "PATCH",
  path: "/user_groups/{user_group_id}",
  doc: "Change a group's name, description and permissions, or bring a deactivated one back.",
  who: { role: "member" },
  params: {
    user_group_id: groupId,
    name: maybe(text({ doc: "The new name." })),
    description: maybe(text({ doc: "The new description." })),
    deactivated: maybe(json(boolean, { doc: "Only false does something.", since: 386 })),
    ...each((name) =>
      maybe(json(groupSettingUpdate, { doc: doc(name), of: "who", since: Math.max(260, since(name)) })),
    ),
  },
  result: {},
  target: ({ user_group_id }) => `group ${user_group_id}`,
  before: {
    read: getGroups,
    asks: () => everyGroup,
    among: { list: "user_groups", id: "id", which: ({ user_group_id }) => user_group_id },
    values: (found) => found,
  },
});

/** https://zulip.com/api/deactivate-user-group */
export const deactivateGroup = operation({
  name: "group.deactivate",
  method: "POST",
  path: "/user_groups/{user_group_id}/deactivate",
  doc: "Deactivate a group that nothing uses.",
  who: { role: "member" },
  since: 290,
  params: { user_group_id: groupId },
  result: {},
  target: ({ user_group_id }) => `group ${user_group_id}`,
  refusalInWords: objectionsInWords,
});

/** https://zulip.com/api/update-user-group-subgroups */
export const updateSubgroups = operation({
  name: "group.subgroups",
  method: "POST",
  path: "/user_groups/{user_group_id}/subgroups",
  doc: "Add and remove subgroups of a group, all of them or none.",
  who: { role: "member" },
  since: 127,
  params: {
    user_group_id: groupId,
    add: ids("group", "Ids of groups to add."),
    delete: ids("group", "Ids of groups to remove."),
  },
  result: {},
  target: ({ user_group_id }) => `group ${user_group_id}`,
});
