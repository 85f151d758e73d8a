import { operation } from "../wire/operation.ts";
import { json, maybe } from "../wire/params.ts";
import { boolean, integer, list, object, optional, string, type Value } from "../wire/types.ts";

const groupId = json(integer, { doc: "The group's id." });
const members = (doc: string, flag: string, since?: number) => maybe(json(list(integer), { doc, flag, since }));

const lists = ["add", "delete", "add_subgroups", "delete_subgroups"] as const;

const userThere = (id: number) => `user ${id} is already a member of this group`;
const userAbsent = (id: number) => `user ${id} is no member of this group`;
const groupThere = (id: number) => `group ${id} is already a subgroup of this group`;
const groupAbsent = (id: number) => `group ${id} is no subgroup of this group`;

/** https://zulip.com/api/update-user-group-members */
export const updateMembers = operation({
  name: "group.members",
  method: "POST",
  path: "/user_groups/{user_group_id}/members",
  doc: "Add and remove members and subgroups of a user group, all of them or none.",
  params: {
    user_group_id: groupId,
    delete: members("Ids of users to remove.", "--delete"),
    add: members("Ids of users to add.", "--add"),
    delete_subgroups: members("Ids of groups to remove.", "--delete-subgroups", 311),
    add_subgroups: members("Ids of groups to add.", "--add-subgroups", 311),
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
  memberships: ({ user_group_id, add = [], delete: remove = [], add_subgroups = [], delete_subgroups = [] }) => [
    {
      list: `/user_groups/${user_group_id} users`,
      read: getMembers,
      args: { user_group_id, direct_member_only: true },
      members: ({ members }) => members as number[],
      added: add,
      removed: remove,
      flags: { added: "--add", removed: "--delete", whole: "--set" },
      there: userThere,
      absent: userAbsent,
    },
    {
      list: `/user_groups/${user_group_id} subgroups`,
      read: getSubgroups,
      args: { user_group_id, direct_subgroup_only: true },
      members: ({ subgroups }) => subgroups as number[],
      added: add_subgroups,
      removed: delete_subgroups,
      flags: { added: "--add-subgroups", removed: "--delete-subgroups", whole: "--set-subgroups" },
      there: groupThere,
      absent: groupAbsent,
    },
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

/** https://zulip.com/api/get-user-groups */
export const getGroups = operation({
  name: "group.list",
  method: "GET",
  path: "/user_groups",
  doc: "User groups, system groups included.",
  params: {
    include_deactivated_groups: maybe(
      json(boolean, { doc: "Deactivated ones too.", since: 294, flag: "--deactivated" }),
    ),
  },
  result: { user_groups: list(group) },
});

/** https://zulip.com/api/get-user-group-members */
export const getMembers = operation({
  name: "group.members.list",
  method: "GET",
  path: "/user_groups/{user_group_id}/members",
  doc: "Ids of a group's members.",
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
  since: 127,
  params: {
    user_group_id: groupId,
    direct_subgroup_only: maybe(json(boolean, { doc: "Without those of subgroups." })),
  },
  result: { subgroups: list(integer) },
});
