/** User groups as reads and events show them. Everybody gets events about every group. */
import { activeOnly, visibleSetting } from "../groups.ts";
import { groupRules, mapNames } from "../permissions.ts";
import type { Context } from "../router.ts";
import type { Group } from "../state.ts";
import { everybody, send } from "./queue.ts";

/** A user group as reads, `register` and events show it. */
export function groupRecord({ state }: Context, group: Group): object {
  const { members, subgroups, settings, written: _, date_created, ...shown } = group;
  return {
    ...shown,
    date_created: date_created === null ? null : Math.floor(date_created / 1000),
    members: activeOnly(state, members),
    direct_subgroup_ids: [...subgroups].sort((a, b) => a - b),
    ...mapNames(groupRules, (name) => visibleSetting(state, settings[name])),
  };
}

const sendGroupEvent = (context: Context, { id: group_id }: Group, event: object): void =>
  send(context, { type: "user_group", group_id, ...event }, everybody(context.state));

export const sendGroupCreated = (context: Context, group: Group): void => {
  // An event of its own adds the subgroups.
  const bare = { ...groupRecord(context, group), direct_subgroup_ids: [] };
  send(context, { type: "user_group", op: "add", group: bare }, everybody(context.state));
};

export const sendGroupUpdated = (context: Context, group: Group, data: object): void =>
  sendGroupEvent(context, group, { op: "update", data });

/** Clients that do not know deactivated groups get a removed or a new group instead. */
export function sendGroupDeactivated(context: Context, group: Group): void {
  const { id: group_id, deactivated } = group;
  send(
    context,
    (_, { capabilities }) =>
      capabilities.has("include_deactivated_groups")
        ? { type: "user_group", op: "update", group_id, data: { deactivated } }
        : deactivated
          ? { type: "user_group", op: "remove", group_id }
          : { type: "user_group", op: "add", group: groupRecord(context, group) },
    everybody(context.state),
  );
}

export const sendMembersAdded = (context: Context, group: Group, user_ids: readonly number[]): void =>
  sendGroupEvent(context, group, { op: "add_members", user_ids });
export const sendMembersRemoved = (context: Context, group: Group, user_ids: readonly number[]): void =>
  sendGroupEvent(context, group, { op: "remove_members", user_ids });
export const sendSubgroupsAdded = (context: Context, group: Group, direct_subgroup_ids: readonly number[]): void =>
  sendGroupEvent(context, group, { op: "add_subgroups", direct_subgroup_ids });
export const sendSubgroupsRemoved = (context: Context, group: Group, direct_subgroup_ids: readonly number[]): void =>
  sendGroupEvent(context, group, { op: "remove_subgroups", direct_subgroup_ids });
