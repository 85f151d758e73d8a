import { membersOf } from "../common/object-members.ts";
import { channelPermissionRules } from "../model/channel.ts";
import { type GroupPermission, groupPermissionRules } from "../model/group.ts";
import type { MemberKind } from "../model/kinds/kind.ts";
import { largestPortion } from "../model/kinds/lists.ts";
import type { GroupSetting } from "../model/permission.ts";
import { call } from "../wire/call.ts";
import { ifKnown, listImpacts } from "../wire/impact.ts";
import { changesOf, listKind, membership } from "../wire/membership.ts";
import { type AnswerOf, type ArgsOf, operation, type PreviousRead } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { boolean, integer, list, object, optional, string, type Value } from "../wire/types.ts";
import { asUpdates, groupSetting, groupSettingUpdate, otherPermission, permissionParams } from "./group-setting.ts";

const groupId = json(integer, { of: "group" });
const ids = (of: MemberKind, since?: number) => maybe(json(list(integer), { since, of }));

const lists = ["add", "delete", "add_subgroups", "delete_subgroups"] as const;

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

/** Allows members that newer servers add. */
export type GroupRecord = Group & {
  creator_id?: number | null;
  date_created?: number | null;
} & { [P in GroupPermission]?: GroupSetting };

/** https://zulip.com/api/get-user-groups */
export const getGroups = operation("group.list", "GET /user_groups", {
  who: { role: "member" },
  params: {
    include_deactivated_groups: maybe(json(boolean)),
  },
  result: { user_groups: list(group) },
});

/** Arguments that return all groups. */
export const allGroupsArgs = { include_deactivated_groups: true } satisfies ArgsOf<typeof getGroups>;

/** https://zulip.com/api/get-user-group-members */
export const getMembers = operation("group.members.list", "GET /user_groups/{user_group_id}/members", {
  who: { role: "member" },
  params: {
    user_group_id: groupId,
    direct_member_only: maybe(json(boolean)),
  },
  result: { members: list(integer) },
});

/** https://zulip.com/api/get-user-group-subgroups */
export const getSubgroups = operation("group.subgroups.list", "GET /user_groups/{user_group_id}/subgroups", {
  who: { role: "member" },
  params: {
    user_group_id: groupId,
    direct_subgroup_only: maybe(json(boolean)),
  },
  result: { subgroups: list(integer) },
});

export const groupUsers = listKind("group members", getMembers);
export const groupSubgroups = listKind("group subgroups", getSubgroups);

/** https://zulip.com/api/update-user-group-members */
export const updateMembers = operation("group.members", "POST /user_groups/{user_group_id}/members", {
  ...changesOf("group.members", [groupUsers, groupSubgroups]),
  who: { role: "member" },
  params: {
    user_group_id: groupId,
    delete: ids("user"),
    add: ids("user"),
    delete_subgroups: ids("group", 311),
    add_subgroups: ids("group", 311),
  },
  merging: {
    key: ({ user_group_id }) => String(user_group_id),
    size: (args) => lists.reduce((sum, name) => sum + (args[name]?.length ?? 0), 0),
    largest: largestPortion,
    combine: (all) => ({
      user_group_id: all[0].user_group_id,
      ...Object.fromEntries(
        lists.flatMap((name) => {
          const ids = all.flatMap((args) => args[name] ?? []);
          return ids.length ? [[name, ids]] : [];
        }),
      ),
    }),
  },
});

/** https://zulip.com/api/get-is-user-group-member */
export const getMember = operation("group.member", "GET /user_groups/{user_group_id}/members/{user_id}", {
  who: { role: "member" },
  params: {
    user_group_id: groupId,
    user_id: json(integer, { of: "user" }),
    direct_member_only: maybe(json(boolean)),
  },
  result: { is_user_group_member: boolean },
});

const groupValues: PreviousRead<{ user_group_id: number }> = {
  read: getGroups,
  argsOf: () => allGroupsArgs,
  inList: { list: "user_groups", id: "id", idOf: ({ user_group_id }) => user_group_id },
  values: (found) => found,
};

/** https://zulip.com/api/update-user-group. One transaction. */
export const updateGroup = operation("group.update", "PATCH /user_groups/{user_group_id}", {
  effects: ({ user_group_id: id, ...values }) => [{ does: "set", kind: "group", id, values }],
  who: { role: "member" },
  others: otherPermission,
  params: {
    user_group_id: groupId,
    name: maybe(text({ doc: "The new name." })),
    description: maybe(text({ doc: "The new description." })),
    deactivated: maybe(json(boolean, { doc: "Only false does something.", since: 386 })),
    ...permissionParams(groupPermissionRules, groupSettingUpdate),
  },
  before: groupValues,
});

/** https://zulip.com/api/create-user-group */
export const createGroup = operation("group.create", "POST /user_groups/create", {
  effects: ({ name = "", members: _, description: __, ...values }) => [{ does: "create", kind: "group", name, values }],
  who: { role: "member" },
  params: {
    name: text(),
    description: text(),
    members: json(list(integer), { of: "user" }),
    subgroups: maybe(json(list(integer), { of: "group" })),
    ...permissionParams(groupPermissionRules, groupSetting),
  },
  result: { group_id: optional(integer) },
  existing: {
    kind: "group",
    verb: "group update",
    read: getGroups,
    argsOf: () => allGroupsArgs,
    things: ({ user_groups }: AnswerOf<typeof getGroups>) => user_groups,
    identity: ({ name }) => String(name),
    identityOf: ({ name }) => name,
    id: "id",
    update: ({ id, deactivated }, { description, name: _, members: __, subgroups: ___, ...permissions }) =>
      call(updateGroup, {
        user_group_id: Number(id),
        description,
        ...(deactivated === true && { deactivated: false }),
        ...asUpdates(permissions),
      }),
    members: {
      members: (id, added) => membership(groupUsers, id, added),
      subgroups: (id, added) => membership(groupSubgroups, id, added),
    },
  },
});

/** https://zulip.com/api/deactivate-user-group */
export const deactivateGroup = operation("group.deactivate", "POST /user_groups/{user_group_id}/deactivate", {
  effects: ({ user_group_id }) => ifKnown(user_group_id, (id) => ({ does: "remove", kind: "group", id })),
  who: { role: "member" },
  params: { user_group_id: groupId },
  before: groupValues,
  sets: { deactivated: true },
  describeRefusal: describeObjections,
});

/** https://zulip.com/api/update-user-group-subgroups */
export const updateSubgroups = operation("group.subgroups", "POST /user_groups/{user_group_id}/subgroups", {
  effects: ({ user_group_id, add, delete: remove }) =>
    ifKnown(user_group_id, (of) => listImpacts("group subgroups", of, add, remove)),
  who: { role: "member" },
  params: {
    user_group_id: groupId,
    add: ids("group"),
    delete: ids("group"),
  },
});

const permissionRules: Readonly<Record<string, { may: string }>> = {
  ...groupPermissionRules,
  ...channelPermissionRules,
};

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

function settingWords(settings: unknown): string {
  if (!isList(settings)) return "a setting";
  const words = settings.map((name) => {
    const may = Object.hasOwn(permissionRules, String(name)) ? permissionRules[String(name)]?.may : undefined;
    return may === undefined ? String(name) : `${name} (who may ${may})`;
  });
  return words.join(", ");
}

/** `nameOf` returns the name of a channel or group, or its id. */
function describeObjections(
  { objections }: Readonly<Record<string, unknown>>,
  nameOf: (kind: "channel" | "group", id: number) => string,
): string | undefined {
  if (!isList(objections) || !objections.length) return undefined;
  const words = objections.map((objection) => {
    const { type, supergroup_ids, channel_id, group_id, settings } = membersOf(objection);
    if (type === "subgroup" && isList(supergroup_ids)) {
      const groups = supergroup_ids.map((id) => nameOf("group", Number(id)));
      return `it is a subgroup of ${groups.join(", ")}`;
    }
    if (type === "channel") return `${nameOf("channel", Number(channel_id))} names it in ${settingWords(settings)}`;
    if (type === "user_group") return `${nameOf("group", Number(group_id))} names it in ${settingWords(settings)}`;
    if (type === "realm") return `the organization names it in ${settingWords(settings)}`;
    return `it is in use by ${String(type)}`;
  });
  const [first = "", ...rest] = words;
  return `${[`${first[0]!.toUpperCase()}${first.slice(1)}`, ...rest].join("; ")}.`;
}
