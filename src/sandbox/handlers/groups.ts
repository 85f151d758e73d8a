import * as api from "../../api/groups.ts";
import { strip } from "../../common/folding.ts";
import type { GroupPermission } from "../../model/group.ts";
import { canManageGroup, checkPermission, insufficientPermission } from "../access.ts";
import { ApiError, badRequest } from "../answers.ts";
import * as events from "../events/groups.ts";
import * as groups from "../groups.ts";
import { addGroup } from "../organization.ts";
import {
  changedSettings,
  groupRulesInOrder,
  initialSettings,
  mapNames,
  settingDecoder,
  settingUpdateDecoder,
} from "../permissions.ts";
import { type HandlerCall, on } from "../router.ts";
import { nextId, type SandboxState, type StoredGroup } from "../state.ts";
import { lengthOf } from "../text.ts";
import { askedPerson } from "./users.ts";

const prefixes = ["@", "role:", "user:", "stream:", "channel:"];

function checkName(name: string): void {
  if (strip(name) === "") throw badRequest("User group name can't be empty!");
  if (lengthOf(name) > 100) throw badRequest("User group name cannot exceed 100 characters.");
  const prefix = prefixes.find((each) => name.startsWith(each));
  if (prefix) throw badRequest(`User group name cannot start with '${prefix}'.`);
}

/** Names of deactivated groups are in use too. Names are case-sensitive. */
function checkNameUnused({ groups }: SandboxState, name: string): void {
  if ([...groups.values()].some((each) => each.name === name)) throw badRequest(`User group '${name}' already exists.`);
}

/** The group, if the caller manages it or has one of these permissions. Nobody manages system groups. */
export function groupToManage(
  { state, caller }: HandlerCall,
  id: number,
  ...permissions: GroupPermission[]
): StoredGroup {
  const group = groups.groupById(state, id);
  if (group.is_system_group || !canManageGroup(state, caller, group, ...permissions)) throw insufficientPermission();
  return group;
}

/** The group, if the caller may change who is in it. */
function groupToEdit(call: HandlerCall, id: number, ...permissions: (GroupPermission | false)[]): StoredGroup {
  if (call.level < 391) groups.activeGroup(call.state, id);
  return groupToManage(call, id, ...permissions.filter((each) => each !== false));
}

/** If several ids are wrong, the server names the lowest. */
const lowestId = (ids: readonly number[]): number | undefined => (ids.length > 0 ? Math.min(...ids) : undefined);

/** Returns whether the list is the caller's own id, once. */
const isOwnId = ({ caller }: HandlerCall, ids: readonly number[]) => ids.length === 1 && ids[0] === caller.user_id;

/** Changes a group, and returns its event. */
type MemberStep = (call: HandlerCall, id: number, ids: readonly number[]) => { op: string; [member: string]: unknown };

type Steps = readonly [ids: readonly number[] | undefined, MemberStep][];

const addMembers: MemberStep = (call, id, people) => {
  const group = groupToEdit(call, id, "can_add_members_group", isOwnId(call, people) && "can_join_group");
  groups.checkPeople(call.state, people);
  const member = lowestId(people.filter((person) => group.members.has(person)));
  if (member !== undefined) throw badRequest(`User ${member} is already a member of this group`);
  for (const person of people) group.members.add(person);
  return { op: "add_members", user_ids: [...new Set(people)] };
};

const removeMembers: MemberStep = (call, id, people) => {
  // Removing looks the people up before the group, adding after it.
  groups.checkPeople(call.state, people);
  const group = groupToEdit(call, id, "can_remove_members_group", isOwnId(call, people) && "can_leave_group");
  const missing = people.find((person) => !group.members.has(person));
  if (missing !== undefined) throw badRequest(`There is no member '${missing}' in this user group`);
  for (const person of people) group.members.delete(person);
  return { op: "remove_members", user_ids: [...new Set(people)] };
};

const addSubgroups: MemberStep = (call, id, ids) => {
  const group = groupToEdit(call, id, "can_add_members_group");
  groups.checkSubgroups(call.state, ids);
  const member = lowestId(ids.filter((subgroup) => group.subgroups.has(subgroup)));
  if (member !== undefined) throw badRequest(`User group ${member} is already a subgroup of this group.`);
  if (groups.groupsBelow(call.state, ids).has(id)) {
    throw badRequest(`User group ${id} is already a subgroup of one of the passed subgroups.`);
  }
  for (const subgroup of ids) group.subgroups.add(subgroup);
  return { op: "add_subgroups", direct_subgroup_ids: [...new Set(ids)] };
};

const removeSubgroups: MemberStep = (call, id, ids) => {
  const group = groupToEdit(call, id);
  groups.checkSubgroups(call.state, ids);
  // If several are missing, the database returns the one with the oldest change.
  const writtenAt = (subgroup: number) => call.state.groups.get(subgroup)?.written ?? 0;
  const [missing] = ids
    .filter((subgroup) => !group.subgroups.has(subgroup))
    .sort((a, b) => writtenAt(a) - writtenAt(b));
  if (missing !== undefined) throw badRequest(`User group ${missing} is not a subgroup of this group.`);
  for (const subgroup of ids) group.subgroups.delete(subgroup);
  return { op: "remove_subgroups", direct_subgroup_ids: [...new Set(ids)] };
};

/** One transaction: a refusal undoes all steps. An empty list counts as absent. */
function apply(call: HandlerCall, id: number, all: Steps, names: string): void {
  const steps = all.filter(([ids = []]) => ids.length > 0);
  if (steps.length === 0) throw badRequest(`Nothing to do. Specify at least one of ${names}.`);
  const group = call.state.groups.get(id);
  const before = group && { members: new Set(group.members), subgroups: new Set(group.subgroups) };
  try {
    const changes = steps.map(([ids = [], step]) => step(call, id, ids));
    if (group) for (const change of changes) events.sendGroupEvent(call, group, change);
  } catch (error) {
    if (group) Object.assign(group, before);
    throw error;
  }
}

const rules = { botsSince: 496 };

export const groupRoutes = [
  on(api.updateMembers, rules, (call, args) => {
    const steps: Steps = [
      [args.add, addMembers],
      [args.delete, removeMembers],
      [args.add_subgroups, addSubgroups],
      [args.delete_subgroups, removeSubgroups],
    ];
    apply(call, args.user_group_id, steps, '"add", "delete", "add_subgroups" or "delete_subgroups"');
  }),

  on(api.updateSubgroups, rules, (call, args) => {
    const steps: Steps = [
      [args.add, addSubgroups],
      [args.delete, removeSubgroups],
    ];
    apply(call, args.user_group_id, steps, '"add" or "delete"');
  }),

  on(api.getGroups, rules, (call, { include_deactivated_groups = false }) => ({
    user_groups: [...call.state.groups.values()]
      .filter(({ deactivated }) => !deactivated || include_deactivated_groups)
      .map((group) => events.groupRecord(call, group)),
  })),

  on(api.getMembers, rules, ({ state }, { user_group_id, direct_member_only = false }) => {
    const { id } = groups.activeGroup(state, user_group_id);
    const from = direct_member_only ? [id] : groups.groupsBelow(state, [id]);
    // Somebody in several groups is listed several times.
    const members = [...from].flatMap((each) => [...(state.groups.get(each)?.members ?? [])]);
    return { members: groups.activeOnly(state, members) };
  }),

  on(api.getMember, rules, (call, { user_group_id, user_id, direct_member_only = false }) => {
    const { state } = call;
    const group = groups.activeGroup(state, user_group_id);
    const user = askedPerson(call, user_id);
    const isMember = direct_member_only ? group.members.has(user_id) : groups.isInGroups(state, user, [group.id]);
    return { is_user_group_member: isMember };
  }),

  on(api.getSubgroups, rules, ({ state }, { user_group_id, direct_subgroup_only = false }) => {
    const group = groups.activeGroup(state, user_group_id);
    const below = direct_subgroup_only ? group.subgroups : groups.groupsBelow(state, [group.id]);
    return { subgroups: [...below].filter((id) => id !== group.id).sort((a, b) => a - b) };
  }),

  on(
    api.createGroup,
    {
      ...rules,
      precheck: (call) => checkPermission(call, "can_create_groups"),
      order: ["name", "members", "description", "subgroups"],
      decode: mapNames(groupRulesInOrder, () => settingDecoder),
    },
    (call, args) => {
      const { state, caller } = call;
      const { name, description, members, subgroups = [] } = args;
      groups.checkPeople(state, members);
      checkName(name);
      const settings = initialSettings(state, groupRulesInOrder, caller.user_id, args);
      groups.checkSubgroups(state, subgroups);
      checkNameUnused(state, name);
      const values = {
        name,
        description,
        creator_id: caller.user_id,
        members,
        subgroups: new Set(subgroups),
        settings,
      };
      const group = addGroup(state, call, values);
      events.sendGroupCreated(call, group);
      const direct_subgroup_ids = [...group.subgroups];
      if (subgroups.length > 0) events.sendGroupEvent(call, group, { op: "add_subgroups", direct_subgroup_ids });
      return { group_id: group.id };
    },
  ),

  // One transaction: everything is checked before anything changes.
  on(
    api.updateGroup,
    { ...rules, decode: mapNames(groupRulesInOrder, () => settingUpdateDecoder) },
    (call, { user_group_id, ...changes }) => {
      const { state } = call;
      const { name, description, deactivated } = changes;
      if (Object.values(changes).every((each) => each === undefined)) throw badRequest("No new data supplied");
      const group = groupToManage(call, user_group_id);
      const isRenamed = name !== undefined && name !== group.name;
      if (isRenamed) {
        checkName(name);
        checkNameUnused(state, name);
      }
      const settings = [...changedSettings(call, groupRulesInOrder, group.settings, changes)];
      if (isRenamed) {
        group.name = name;
        events.sendGroupUpdated(call, group, { name });
      }
      if (description !== undefined && description !== group.description) {
        group.description = description;
        events.sendGroupUpdated(call, group, { description });
      }
      if (deactivated === false && group.deactivated) {
        group.deactivated = false;
        events.sendGroupDeactivated(call, group);
      }
      group.written = nextId(state, "write");
      for (const [name, value] of settings) group.settings[name] = value;
      for (const [name, value] of settings)
        events.sendGroupUpdated(call, group, { [name]: groups.visibleSetting(state, value) });
    },
  ),

  on(api.deactivateGroup, { who: "anybody" }, (call, { user_group_id }) => {
    const group = groupToManage(call, user_group_id);
    groups.activeGroup(call.state, group.id);
    const objections = groups.groupUses(call.state, group.id);
    if (objections.length > 0) {
      const msg = "Cannot deactivate user group in use.";
      throw new ApiError(400, "CANNOT_DEACTIVATE_GROUP_IN_USE", msg, { objections });
    }
    group.deactivated = true;
    group.written = nextId(call.state, "write");
    events.sendGroupDeactivated(call, group);
  }),
];
