import type { GroupPermission } from "../../api/group-permissions.ts";
import { updateMembers, updateSubgroups } from "../../api/groups.ts";
import { insufficient, managesGroup } from "../access.ts";
import { refused } from "../answers.ts";
import { membersAdded, membersRemoved, subgroupsAdded, subgroupsRemoved } from "../events/groups.ts";
import { checkPeople, checkSubgroups, reaches } from "../groups.ts";
import { type Call, on } from "../router.ts";
import type { Group } from "../state.ts";

/** The group, if the caller may do this to it; every step asks anew. */
function editable({ state, caller, level }: Call, id: number, ...permissions: GroupPermission[]): Group {
  const group = state.groups.get(id);
  if (!group) throw refused("Invalid user group");
  if (group.deactivated && level < 391) throw refused("User group is deactivated.");
  if (group.is_system_group || !managesGroup(state, caller, group, ...permissions)) throw insufficient();
  return group;
}

/** Of several ids that are there already the server names the lowest, whatever the order sent. */
const lowest = (ids: readonly number[]): number | undefined => (ids.length > 0 ? Math.min(...ids) : undefined);

/** Twice oneself is not exactly oneself. */
const oneself = ({ caller }: Call, ids: readonly number[]) => ids.length === 1 && ids[0] === caller.user_id;

/** Tells of a step that is done, once nothing can undo it any more. */
type Tell = () => void;

function add(call: Call, id: number, people: readonly number[]): Tell {
  const joining: GroupPermission[] = oneself(call, people) ? ["can_join_group"] : [];
  const group = editable(call, id, "can_add_members_group", ...joining);
  checkPeople(call.state, people);
  const already = lowest(people.filter((person) => group.members.has(person)));
  if (already !== undefined) throw refused(`User ${already} is already a member of this group`);
  for (const person of people) group.members.add(person);
  return () => membersAdded(call, group, [...new Set(people)]);
}

function remove(call: Call, id: number, people: readonly number[]): Tell {
  // Removing looks the people up before the group, adding after it.
  checkPeople(call.state, people);
  const leaving: GroupPermission[] = oneself(call, people) ? ["can_leave_group"] : [];
  const group = editable(call, id, "can_remove_members_group", ...leaving);
  const missing = people.find((person) => !group.members.has(person));
  if (missing !== undefined) throw refused(`There is no member '${missing}' in this user group`);
  for (const person of people) group.members.delete(person);
  return () => membersRemoved(call, group, [...new Set(people)]);
}

function addSubgroups(call: Call, id: number, ids: readonly number[]): Tell {
  const group = editable(call, id, "can_add_members_group");
  checkSubgroups(call.state, ids);
  const already = lowest(ids.filter((below) => group.subgroups.has(below)));
  if (already !== undefined) throw refused(`User group ${already} is already a subgroup of this group.`);
  if (ids.some((below) => reaches(call.state, below, id))) {
    throw refused(`User group ${id} is already a subgroup of one of the passed subgroups.`);
  }
  for (const below of ids) group.subgroups.add(below);
  return () => subgroupsAdded(call, group, [...new Set(ids)]);
}

function removeSubgroups(call: Call, id: number, ids: readonly number[]): Tell {
  const group = editable(call, id);
  checkSubgroups(call.state, ids);
  // Of several the database gives the one first that was not written to for the longest time.
  const written = (each: number) => call.state.groups.get(each)?.written ?? 0;
  const [missing] = ids.filter((below) => !group.subgroups.has(below)).sort((a, b) => written(a) - written(b));
  if (missing !== undefined) throw refused(`User group ${missing} is not a subgroup of this group.`);
  for (const below of ids) group.subgroups.delete(below);
  return () => subgroupsRemoved(call, group, [...new Set(ids)]);
}

type Step = (call: Call, id: number, ids: readonly number[]) => Tell;
type Asked = readonly [ids: readonly number[] | undefined, step: Step][];

/** One transaction: a refusal anywhere undoes the steps before it. An empty list counts as absent. */
function apply(call: Call, id: number, steps: Asked, none: string): object {
  const asked = steps.filter(([ids = []]) => ids.length > 0);
  if (asked.length === 0) throw refused(`Nothing to do. Specify at least one of ${none}.`);
  const group = call.state.groups.get(id);
  const before = group && { members: new Set(group.members), subgroups: new Set(group.subgroups) };
  try {
    const told = asked.map(([ids = [], step]) => step(call, id, ids));
    for (const tell of told) tell();
  } catch (error) {
    if (group) Object.assign(group, before);
    throw error;
  }
  return {};
}

export const groupMembersRoutes = [
  on(updateMembers, { who: "member" }, (call, args) => {
    const steps: Asked = [
      [args.add, add],
      [args.delete, remove],
      [args.add_subgroups, addSubgroups],
      [args.delete_subgroups, removeSubgroups],
    ];
    return apply(call, args.user_group_id, steps, '"add", "delete", "add_subgroups" or "delete_subgroups"');
  }),

  on(updateSubgroups, { who: "member", order: ["delete", "add"] }, (call, args) => {
    const steps: Asked = [
      [args.add, addSubgroups],
      [args.delete, removeSubgroups],
    ];
    return apply(call, args.user_group_id, steps, '"add" or "delete"');
  }),
];
