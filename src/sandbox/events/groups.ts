/** User groups as reads and events show them. Everybody gets events about every group. */
import { activeOnly, visibleSetting } from "../groups.ts";
import { groupRulesInOrder, mapNames } from "../permissions.ts";
import type { HandlerContext } from "../router.ts";
import type { StoredGroup } from "../state.ts";
import { sendToAll } from "./queue.ts";

export function groupRecord({ state }: HandlerContext, group: StoredGroup): object {
  const { id, members, subgroups, settings, written: _, date_created, ...shown } = group;
  return {
    id,
    ...shown,
    date_created: date_created === null ? null : Math.floor(date_created / 1000),
    members: activeOnly(state, members),
    direct_subgroup_ids: [...subgroups].sort((a, b) => a - b),
    ...mapNames(groupRulesInOrder, (name) => visibleSetting(state, settings[name])),
  };
}

/** Sends a change of a group: `op`, and the other members of the event. */
export const sendGroupEvent = (
  context: HandlerContext,
  { id: group_id }: StoredGroup,
  event: { op: string; [member: string]: unknown },
): void => sendToAll(context, { type: "user_group", group_id, ...event });

/** Omits the subgroups: another event adds them. */
export const sendGroupCreated = (context: HandlerContext, group: StoredGroup): void =>
  sendToAll(context, {
    type: "user_group",
    op: "add",
    group: { ...groupRecord(context, group), direct_subgroup_ids: [] },
  });

export const sendGroupUpdated = (context: HandlerContext, group: StoredGroup, data: object): void =>
  sendGroupEvent(context, group, { op: "update", data });

/** Clients that do not know deactivated groups get a removed or a new group instead. */
export function sendGroupDeactivated(context: HandlerContext, group: StoredGroup): void {
  const { id: group_id, deactivated } = group;
  const update = { type: "user_group", op: "update", group_id, data: { deactivated } };
  const other = deactivated
    ? { type: "user_group", op: "remove", group_id }
    : { type: "user_group", op: "add", group: groupRecord(context, group) };
  sendToAll(context, (_, { capabilities }) => (capabilities.has("include_deactivated_groups") ? update : other));
}
