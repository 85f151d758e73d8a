/** User groups as reads and events show them. Everybody gets events about every group. */
import { activeOnly, shownSetting } from "../groups.ts";
import { forNames, groupRules } from "../permissions.ts";
import type { Visit } from "../router.ts";
import type { Group } from "../state.ts";
import { everybody, send } from "./queue.ts";

/** A user group as reads, `register` and events show it. */
export function groupRecord({ state }: Visit, group: Group): object {
  const { members, subgroups, settings, written: _, date_created, ...shown } = group;
  return {
    ...shown,
    date_created: date_created === null ? null : Math.floor(date_created / 1000),
    members: activeOnly(state, members),
    direct_subgroup_ids: [...subgroups].sort((a, b) => a - b),
    ...forNames(groupRules, (name) => shownSetting(state, settings[name])),
  };
}

const sendGroupEvent = (visit: Visit, { id: group_id }: Group, event: object): void =>
  send(visit, { type: "user_group", group_id, ...event }, everybody(visit.state));

export const groupCreated = (visit: Visit, group: Group): void => {
  // An event of its own adds the subgroups.
  const bare = { ...groupRecord(visit, group), direct_subgroup_ids: [] };
  send(visit, { type: "user_group", op: "add", group: bare }, everybody(visit.state));
};

export const groupUpdated = (visit: Visit, group: Group, data: object): void =>
  sendGroupEvent(visit, group, { op: "update", data });

/** Clients that do not know deactivated groups get a removed or a new group instead. */
export function groupStateChanged(visit: Visit, group: Group): void {
  const { id: group_id, deactivated } = group;
  send(
    visit,
    (_, { capabilities }) =>
      capabilities.has("include_deactivated_groups")
        ? { type: "user_group", op: "update", group_id, data: { deactivated } }
        : deactivated
          ? { type: "user_group", op: "remove", group_id }
          : { type: "user_group", op: "add", group: groupRecord(visit, group) },
    everybody(visit.state),
  );
}

export const membersAdded = (visit: Visit, group: Group, user_ids: readonly number[]): void =>
  sendGroupEvent(visit, group, { op: "add_members", user_ids });
export const membersRemoved = (visit: Visit, group: Group, user_ids: readonly number[]): void =>
  sendGroupEvent(visit, group, { op: "remove_members", user_ids });
export const subgroupsAdded = (visit: Visit, group: Group, direct_subgroup_ids: readonly number[]): void =>
  sendGroupEvent(visit, group, { op: "add_subgroups", direct_subgroup_ids });
export const subgroupsRemoved = (visit: Visit, group: Group, direct_subgroup_ids: readonly number[]): void =>
  sendGroupEvent(visit, group, { op: "remove_subgroups", direct_subgroup_ids });
