import {
  createGroup,
  deactivateGroup,
  getGroups,
  getMember,
  getMembers,
  getSubgroups,
  updateGroup,
  updateMembers,
  updateSubgroups,
} from "../../api/groups.ts";
import type { GroupPermission } from "../../api/permission-settings.ts";
import { strip } from "../../folding.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { activeUser, insufficient, managesGroup, may, userOf } from "../access.ts";
import { ApiError, refused } from "../answers.ts";
import {
  groupCreated,
  groupRecord,
  groupStateChanged,
  groupUpdated,
  membersAdded,
  membersRemoved,
  subgroupsAdded,
  subgroupsRemoved,
} from "../events/groups.ts";
import {
  activeOnly,
  belongs,
  checkPeople,
  checkSubgroups,
  groupOf,
  groupsBelow,
  reaches,
  shownSetting,
  usesOf,
} from "../groups.ts";
import { addGroup } from "../organization.ts";
import {
  bareSetting,
  checkSetting,
  desiredSetting,
  firstSettings,
  forNames,
  groupRules,
  namesOf,
  settingUpdate,
} from "../permissions.ts";
import { type Call, on } from "../router.ts";
import { type Group, isBot, nextId, type State } from "../state.ts";
import { lengthOf } from "../text.ts";

/** The group whose members are to be read; those of a deactivated one are not shown. */
function readable({ state }: Call, id: number): Group {
  const group = groupOf(state, id);
  if (group.deactivated) throw refused("User group is deactivated.");
  return group;
}

const prefixes = ["@", "role:", "user:", "stream:", "channel:"];

function checkName(name: string): void {
  if (strip(name) === "") throw refused("User group name can't be empty!");
  if (lengthOf(name) > 100) throw refused("User group name cannot exceed 100 characters.");
  const prefix = prefixes.find((each) => name.startsWith(each));
  if (prefix) throw refused(`User group name cannot start with '${prefix}'.`);
}

/** Names of deactivated groups are taken too, and case tells names apart. */
function checkFree({ groups }: State, name: string): void {
  if ([...groups.values()].some((each) => each.name === name)) throw refused(`User group '${name}' already exists.`);
}

const permissions = namesOf(groupRules);

/** The group, if the caller manages it; system groups are nobody's. */
function managed({ state, caller }: Call, id: number): Group {
  const group = groupOf(state, id);
  if (group.is_system_group || !managesGroup(state, caller, group)) throw insufficient();
  return group;
}

/** One transaction: everything is checked before anything changes. */
function update(call: Call, changes: ArgsOf<typeof updateGroup>): void {
  const { state, level } = call;
  const { name, description, deactivated } = changes;
  const { user_group_id: _, ...given } = changes;
  if (Object.values(given).every((each) => each === undefined)) throw refused("No new data supplied");
  const group = managed(call, changes.user_group_id);
  if (name !== undefined && name !== group.name) {
    checkName(name);
    checkFree(state, name);
  }
  const settings: Partial<Group["settings"]> = {};
  for (const each of permissions) {
    const change = changes[each];
    const value = change && desiredSetting(state, level, group.settings[each], change);
    if (value === undefined) continue;
    checkSetting(state, each, value, groupRules[each]);
    settings[each] = value;
  }
  if (name !== undefined && name !== group.name) {
    group.name = name;
    groupUpdated(call, group, { name });
  }
  if (description !== undefined && description !== group.description) {
    group.description = description;
    groupUpdated(call, group, { description });
  }
  if (deactivated === false && group.deactivated) {
    group.deactivated = false;
    groupStateChanged(call, group);
  }
  group.written = nextId(state, "write");
  Object.assign(group.settings, settings);
  for (const [each, value] of Object.entries(settings))
    groupUpdated(call, group, { [each]: shownSetting(state, value) });
}

function create(call: Call, args: ArgsOf<typeof createGroup>): object {
  const { state, caller, now } = call;
  const { name, description, members, subgroups = [] } = args;
  checkPeople(state, members);
  checkName(name);
  const settings = firstSettings(state, groupRules, caller.user_id, args);
  checkSubgroups(state, subgroups);
  checkFree(state, name);
  const made = { name, description, creator_id: caller.user_id, members, subgroups: new Set(subgroups), settings };
  const group = addGroup(state, { now }, made);
  groupCreated(call, group);
  if (subgroups.length > 0) subgroupsAdded(call, group, [...group.subgroups]);
  return { group_id: group.id };
}

/** The group, if the caller may do this to it; every step asks anew. */
function editable({ state, caller, level }: Call, id: number, ...permissions: GroupPermission[]): Group {
  const group = groupOf(state, id);
  if (group.deactivated && level < 391) throw refused("User group is deactivated.");
  if (group.is_system_group || !managesGroup(state, caller, group, ...permissions)) throw insufficient();
  return group;
}

/** Of several existing ids the server names the lowest, whatever the order. */
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
  // Of several the database returns the one with the oldest change.
  const written = (each: number) => call.state.groups.get(each)?.written ?? 0;
  const [missing] = ids.filter((below) => !group.subgroups.has(below)).sort((a, b) => written(a) - written(b));
  if (missing !== undefined) throw refused(`User group ${missing} is not a subgroup of this group.`);
  for (const below of ids) group.subgroups.delete(below);
  return () => subgroupsRemoved(call, group, [...new Set(ids)]);
}

type Asked = readonly [ids: readonly number[] | undefined, step: typeof add][];

/** One transaction: a refusal undoes all steps. An empty list counts as absent. */
function apply(call: Call, id: number, steps: Asked, none: string): void {
  const asked = steps.filter(([ids = []]) => ids.length > 0);
  if (asked.length === 0) throw refused(`Nothing to do. Specify at least one of ${none}.`);
  const group = call.state.groups.get(id);
  const before = group && { members: new Set(group.members), subgroups: new Set(group.subgroups) };
  try {
    const events = asked.map(([ids = [], step]) => step(call, id, ids));
    for (const send of events) send();
  } catch (error) {
    if (group) Object.assign(group, before);
    throw error;
  }
}

export const groupRoutes = [
  on(updateMembers, { who: "member" }, (call, args) => {
    const steps: Asked = [
      [args.add, add],
      [args.delete, remove],
      [args.add_subgroups, addSubgroups],
      [args.delete_subgroups, removeSubgroups],
    ];
    return apply(call, args.user_group_id, steps, '"add", "delete", "add_subgroups" or "delete_subgroups"');
  }),

  on(updateSubgroups, { who: "member" }, (call, args) => {
    const steps: Asked = [
      [args.add, addSubgroups],
      [args.delete, removeSubgroups],
    ];
    return apply(call, args.user_group_id, steps, '"add" or "delete"');
  }),
  on(getGroups, { who: "member", botsSince: 496 }, (call, { include_deactivated_groups = false }) => ({
    user_groups: [...call.state.groups.values()]
      .filter(({ deactivated }) => !deactivated || include_deactivated_groups)
      .map((group) => groupRecord(call, group)),
  })),

  on(getMembers, { who: "member" }, (call, { user_group_id, direct_member_only = false }) => {
    const group = readable(call, user_group_id);
    const from = direct_member_only ? [group.id] : groupsBelow(call.state, [group.id]);
    // Somebody in several of them gets an event for each.
    const members = [...from].flatMap((id) => [...(call.state.groups.get(id)?.members ?? [])]);
    return { members: activeOnly(call.state, members) };
  }),

  on(getMember, { who: "member", botsSince: 496 }, (call, { user_group_id, user_id, direct_member_only = false }) => {
    const { state, level } = call;
    const group = readable(call, user_group_id);
    // Bots can be asked about only from this level on.
    if (isBot(userOf(state, user_id)) && level < 458) throw refused("No such user");
    const user = activeUser(state, user_id);
    const is = direct_member_only ? group.members.has(user_id) : belongs(state, user, [group.id]);
    return { is_user_group_member: is };
  }),

  on(getSubgroups, { who: "member" }, (call, { user_group_id, direct_subgroup_only = false }) => {
    const group = readable(call, user_group_id);
    const below = direct_subgroup_only ? group.subgroups : groupsBelow(call.state, [group.id]);
    return { subgroups: [...below].filter((id) => id !== group.id).sort((a, b) => a - b) };
  }),

  on(
    createGroup,
    {
      who: "member",
      botsSince: 496,
      unless: (caller, state) => {
        if (!may(state, caller, "can_create_groups")) throw insufficient();
      },
      order: ["name", "members", "description", "subgroups"],
      decode: forNames(groupRules, () => bareSetting),
    },
    create,
  ),

  on(updateGroup, { who: "member", botsSince: 496, decode: forNames(groupRules, () => settingUpdate) }, update),

  on(deactivateGroup, {}, (call, { user_group_id }) => {
    const group = managed(call, user_group_id);
    if (group.deactivated) throw refused("User group is deactivated.");
    const objections = usesOf(call.state, group.id);
    if (objections.length > 0) {
      const msg = "Cannot deactivate user group in use.";
      throw new ApiError(400, "CANNOT_DEACTIVATE_GROUP_IN_USE", msg, { objections });
    }
    group.deactivated = true;
    group.written = nextId(call.state, "write");
    groupStateChanged(call, group);
  }),
];
