import { getGroups, getMembers, getSubgroups } from "../../api/groups.ts";
import { refused } from "../api-error.ts";
import { activeOnly, groupPermissions, groupsBelow, shownSetting } from "../groups.ts";
import { type Call, on } from "../router.ts";
import type { Group } from "../state.ts";

/** The level from which a group has each permission. */
const permissionSince = {
  can_add_members_group: 305,
  can_join_group: 301,
  can_leave_group: 308,
  can_manage_group: 283,
  can_mention_group: 198,
  can_remove_members_group: 324,
};

function groupRecord({ state, level }: Call, group: Group): object {
  const since = (first: number, fields: object) => (level < first ? {} : fields);
  const permissions = groupPermissions.flatMap((name) =>
    level < permissionSince[name] ? [] : [[name, shownSetting(state, group.settings[name])]],
  );
  const { date_created } = group;
  const below = [...group.subgroups].sort((a, b) => a - b);
  return {
    id: group.id,
    name: group.name,
    ...since(292, {
      creator_id: group.creator_id,
      date_created: date_created === null ? null : Math.floor(date_created / 1000),
    }),
    description: group.description,
    members: activeOnly(state, group.members),
    ...(level < 131 ? since(127, { subgroups: below }) : { direct_subgroup_ids: below }),
    ...since(93, { is_system_group: group.is_system_group }),
    ...Object.fromEntries(permissions),
    ...(level < 198 ? since(191, { can_mention_group_id: group.settings.can_mention_group }) : {}),
    ...since(290, { deactivated: group.deactivated }),
  };
}

/** The group whose members are to be read; those of a deactivated one are not shown. */
function readable({ state }: Call, id: number): Group {
  const group = state.groups.get(id);
  if (!group) throw refused("Invalid user group");
  if (group.deactivated) throw refused("User group is deactivated.");
  return group;
}

export const groupRoutes = [
  on(getGroups, { who: "member", botsSince: 496 }, (call, { include_deactivated_groups = false }) => ({
    user_groups: [...call.state.groups.values()]
      .filter(({ deactivated }) => !deactivated || include_deactivated_groups)
      .map((group) => groupRecord(call, group)),
  })),

  on(getMembers, { who: "member" }, (call, { user_group_id, direct_member_only = false }) => {
    const group = readable(call, user_group_id);
    const from = direct_member_only ? [group.id] : groupsBelow(call.state, [group.id]);
    const members = new Set([...from].flatMap((id) => [...call.state.groups.get(id)!.members]));
    return { members: activeOnly(call.state, members) };
  }),

  on(getSubgroups, { who: "member" }, (call, { user_group_id, direct_subgroup_only = false }) => {
    const group = readable(call, user_group_id);
    const below = direct_subgroup_only ? group.subgroups : groupsBelow(call.state, [group.id]);
    return { subgroups: [...below].filter((id) => id !== group.id).sort((a, b) => a - b) };
  }),
];
