import { updateMembers } from "../../api/groups.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { refused } from "../api-error.ts";
import { holds, reaches } from "../groups.ts";
import { type Call, on } from "../router.ts";
import type { Group, GroupPermission } from "../state.ts";

type Args = ArgsOf<typeof updateMembers>;

/** The group, if the caller may do this to it; every step asks anew. */
function editable({ state, caller, level }: Call, id: number, ...permissions: GroupPermission[]): Group {
  const group = state.groups.get(id);
  if (!group) throw refused("Invalid user group");
  if (group.deactivated && level < 391) throw refused("User group is deactivated.");
  if (group.is_system_group) throw refused("Insufficient permission");
  const may =
    holds(state, caller, state.organization.permissions.can_manage_all_groups) ||
    ["can_manage_group" as const, ...permissions].some((name) => holds(state, caller, group.settings[name]));
  if (!may) throw refused("Insufficient permission");
  return group;
}

/** Refuses the first id, in the order sent, that is no active person's. */
function checkPeople({ state }: Call, ids: readonly number[]): void {
  const stranger = ids.find((id) => !state.users.get(id)?.is_active);
  if (stranger !== undefined) throw refused(`Invalid user ID: ${stranger}`);
}

function checkSubgroups({ state }: Call, ids: readonly number[]): void {
  const unknown = ids.find((id) => !state.groups.has(id));
  if (unknown !== undefined) throw refused(`Invalid user group ID: ${unknown}`);
  if (ids.some((id) => state.groups.get(id)!.deactivated)) throw refused("User group is deactivated.");
}

/** Of several ids that are there already the server names the lowest, whatever the order sent. */
const lowest = (ids: readonly number[]): number | undefined => (ids.length > 0 ? Math.min(...ids) : undefined);

/** Twice oneself is not exactly oneself. */
const oneself = ({ caller }: Call, ids: readonly number[]) => ids.length === 1 && ids[0] === caller.user_id;

function add(call: Call, id: number, people: readonly number[]): void {
  const joining: GroupPermission[] = oneself(call, people) ? ["can_join_group"] : [];
  const group = editable(call, id, "can_add_members_group", ...joining);
  checkPeople(call, people);
  const already = lowest(people.filter((person) => group.members.has(person)));
  if (already !== undefined) throw refused(`User ${already} is already a member of this group`);
  for (const person of people) group.members.add(person);
}

function remove(call: Call, id: number, people: readonly number[]): void {
  // Removing looks the people up before the group, adding after it.
  checkPeople(call, people);
  const leaving: GroupPermission[] = oneself(call, people) ? ["can_leave_group"] : [];
  const group = editable(call, id, "can_remove_members_group", ...leaving);
  const missing = people.find((person) => !group.members.has(person));
  if (missing !== undefined) throw refused(`There is no member '${missing}' in this user group`);
  for (const person of people) group.members.delete(person);
}

function addSubgroups(call: Call, id: number, ids: readonly number[]): void {
  const group = editable(call, id, "can_add_members_group");
  checkSubgroups(call, ids);
  const already = lowest(ids.filter((below) => group.subgroups.has(below)));
  if (already !== undefined) throw refused(`User group ${already} is already a subgroup of this group.`);
  if (ids.some((below) => reaches(call.state, below, id))) {
    throw refused(`User group ${id} is already a subgroup of one of the passed subgroups.`);
  }
  for (const below of ids) group.subgroups.add(below);
}

function removeSubgroups(call: Call, id: number, ids: readonly number[]): void {
  const group = editable(call, id);
  checkSubgroups(call, ids);
  const missing = ids.find((below) => !group.subgroups.has(below));
  if (missing !== undefined) throw refused(`User group ${missing} is not a subgroup of this group.`);
  for (const below of ids) group.subgroups.delete(below);
}

/** One transaction: a refusal anywhere undoes the steps before it. */
function update(call: Call, args: Args): object {
  const { user_group_id: id } = args;
  const steps = [
    [args.add, add],
    [args.delete, remove],
    [args.add_subgroups, addSubgroups],
    [args.delete_subgroups, removeSubgroups],
  ] as const;
  const asked = steps.filter(([ids]) => ids && ids.length > 0);
  if (asked.length === 0) {
    const lists = call.level < 311 ? '"add" or "delete"' : '"add", "delete", "add_subgroups" or "delete_subgroups"';
    throw refused(`Nothing to do. Specify at least one of ${lists}.`);
  }
  const group = call.state.groups.get(id);
  const before = group && { members: new Set(group.members), subgroups: new Set(group.subgroups) };
  try {
    for (const [ids, step] of asked) step(call, id, ids!);
  } catch (error) {
    if (group) Object.assign(group, before);
    throw error;
  }
  return {};
}

export const groupMembersRoutes = [on(updateMembers, { who: "member" }, update)];
