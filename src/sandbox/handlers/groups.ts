import {
  createGroup,
  deactivateGroup,
  getGroups,
  getMember,
  getMembers,
  getSubgroups,
  updateGroup,
} from "../../api/groups.ts";
import { strip } from "../../folding.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { insufficient, managesGroup, may } from "../access.ts";
import { ApiError, refused } from "../answers.ts";
import { groupCreated, groupRecord, groupStateChanged, groupUpdated, subgroupsAdded } from "../events/groups.ts";
import { activeOnly, belongs, checkPeople, checkSubgroups, groupsBelow, shownSetting, usesOf } from "../groups.ts";
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
import { type Group, isBot, nextId, type State, type User } from "../state.ts";
import { lengthOf } from "../text.ts";

/** The group whose members are to be read; those of a deactivated one are not shown. */
function readable({ state }: Call, id: number): Group {
  const group = state.groups.get(id);
  if (!group) throw refused("Invalid user group");
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
  const group = state.groups.get(id);
  if (!group) throw refused("Invalid user group");
  if (group.is_system_group || !managesGroup(state, caller, group)) throw insufficient();
  return group;
}

/** One transaction: everything is judged before anything is changed. */
function update(call: Call, changes: ArgsOf<typeof updateGroup>): object {
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
  return {};
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

const mayCreate = (caller: User, state: State) => {
  if (!may(state, caller, "can_create_groups")) throw insufficient();
};

export const groupRoutes = [
  on(getGroups, { who: "member", botsSince: 496 }, (call, { include_deactivated_groups = false }) => ({
    user_groups: [...call.state.groups.values()]
      .filter(({ deactivated }) => !deactivated || include_deactivated_groups)
      .map((group) => groupRecord(call, group)),
  })),

  on(getMembers, { who: "member" }, (call, { user_group_id, direct_member_only = false }) => {
    const group = readable(call, user_group_id);
    const from = direct_member_only ? [group.id] : groupsBelow(call.state, [group.id]);
    // Who is in several of them is told for each.
    const members = [...from].flatMap((id) => [...(call.state.groups.get(id)?.members ?? [])]);
    return { members: activeOnly(call.state, members) };
  }),

  on(getMember, { who: "member", botsSince: 496 }, (call, { user_group_id, user_id, direct_member_only = false }) => {
    const { state, level } = call;
    const group = readable(call, user_group_id);
    const user = state.users.get(user_id);
    // Bots can be asked about only from this level on.
    if (!user || (isBot(user) && level < 458)) throw refused("No such user");
    if (!user.is_active) throw refused("User is deactivated");
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
      unless: mayCreate,
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
    return {};
  }),
];
