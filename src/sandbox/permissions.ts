/** Permissions: their possible and initial values, and how requests set them. */

import type { GroupSettingUpdate } from "../api/group-setting.ts";
import { keyed, namesOf } from "../common/object-members.ts";
import { appliedChannelPermissions, type ChannelPermission, channelPermissionRules } from "../model/channel.ts";
import { type GroupPermission, groupPermissionRules } from "../model/group.ts";
import { type OrganizationPermission, organizationPermissions, organizationSettings } from "../model/organization.ts";
import { type GroupSetting, type PermissionRule, permissionRule, sameWho } from "../model/permission.ts";
import { ApiError, badRequest, InternalError } from "./answers.ts";
import { aList, anInteger, type Check, type Decoder, fromJson, isObject, requiredMember } from "./decode.ts";
import { activeGroup, checkPeople, checkSubgroups, isSystemGroup, systemGroupId, visibleSetting } from "./groups.ts";
import type { HandlerCall } from "./router.ts";
import type { SandboxState } from "./state.ts";

/** In the order in which servers apply them. */
export const organizationRulesInOrder: Record<OrganizationPermission, PermissionRule> = keyed(
  organizationPermissions,
  (name) => organizationSettings[name].rule,
);

/** Shown, but servers in production refuse to change it. */
const workplaceRule = permissionRule("role:everyone", { everyone: true, allowed: ["role:everyone", "role:nobody"] });

/** In the order in which servers apply them. For system groups, every permission is nobody. */
export const channelRulesInOrder: Record<ChannelPermission, PermissionRule> = keyed(
  appliedChannelPermissions,
  (name) => channelPermissionRules[name],
);
/** Of a type that allows other names beside it. */
export const groupRulesInOrder: Record<GroupPermission, PermissionRule> = groupPermissionRules;

export const permissionSince = (name: OrganizationPermission): number => organizationSettings[name].since ?? 0;

export const mapNames = <N extends string, T>(record: Readonly<Record<N, unknown>>, of: (name: N) => T): Record<N, T> =>
  keyed(namesOf(record), of);

const permissionRecord = (
  { initial, everyone, neverNobody, allowed }: PermissionRule,
  system: string | null,
  level: number,
) => {
  // Level 427 renamed the word for the creator of a channel.
  const creator = system ? "group_creator" : level < 427 ? "stream_creator_or_nobody" : "channel_creator";
  return {
    require_system_group: allowed !== undefined,
    allow_internet_group: false,
    allow_nobody_group: !neverNobody,
    allow_everyone_group: everyone ?? false,
    default_group_name: initial === "creator" ? creator : initial,
    default_for_system_groups: system,
    allowed_system_groups: allowed ?? [],
  };
};

/** As `register` sends them. */
export function supportedPermissions(level: number): object {
  const kind = <N extends string>(
    rules: Record<N, PermissionRule>,
    since: (name: N) => number = () => 0,
    system: string | null = null,
  ) =>
    Object.fromEntries(
      namesOf(rules).flatMap((name) =>
        level < since(name) ? [] : [[name, permissionRecord(rules[name], system, level)]],
      ),
    );
  const workplace = level < 477 ? {} : { workplace_users_group: permissionRecord(workplaceRule, null, level) };
  return {
    realm: { ...kind(organizationRulesInOrder, permissionSince), ...workplace },
    stream: kind(channelRulesInOrder, (name) => channelPermissionRules[name].since),
    group: kind(groupRulesInOrder, undefined, "role:nobody"),
  };
}

// The server tries two types, and reports the error of the first one, a whole number.
const aSetting: Check<GroupSetting> = (value, path) => {
  if (!isObject(value)) return anInteger(value, `${path}["int"]`);
  try {
    return {
      direct_members: requiredMember(value, "direct_members", path, aList(anInteger)),
      direct_subgroups: requiredMember(value, "direct_subgroups", path, aList(anInteger)),
    };
  } catch {
    throw badRequest(`${path}["int"] is not an integer`);
  }
};

/** Reads a value without `new` and `old`, as requests that create things have it. */
export const settingDecoder: Decoder<GroupSetting> = fromJson(aSetting);

/** Drops unknown members, and an `old` of null. */
export const settingUpdateDecoder: Decoder<GroupSettingUpdate> = (text, name, level) => {
  const value = fromJson((parsed) => parsed)(text, name, level);
  if (!isObject(value)) {
    // At level 371 this is an unhandled error. The level that fixed it is not known.
    if (level <= 371) throw new InternalError();
    throw badRequest(`${name} does not have the expected format`);
  }
  const update: GroupSettingUpdate = { new: requiredMember(value, "new", name, aSetting) };
  if (value.old !== undefined && value.old !== null) update.old = aSetting(value.old, `${name}["old"]`);
  return update;
};

/** A single group becomes its id, and nobody the id of `role:nobody`. A repeated group stays a list. */
function canonicalSetting(state: SandboxState, value: GroupSetting): GroupSetting {
  if (typeof value !== "object") return value;
  const { direct_members, direct_subgroups } = value;
  if (direct_members.length > 0 || direct_subgroups.length > 1) {
    return { direct_members: [...new Set(direct_members)], direct_subgroups: [...new Set(direct_subgroups)] };
  }
  return direct_subgroups[0] ?? systemGroupId(state, "role:nobody");
}

/** Compares ids as numbers and lists as sets. An id never equals a list. */
const sameSetting = (a: GroupSetting, b: GroupSetting): boolean => typeof a === typeof b && sameWho(a, b);

function checkGroup(
  state: SandboxState,
  name: string,
  id: number,
  { allowed, everyone, neverNobody }: PermissionRule,
): void {
  const group = activeGroup(state, id);
  if (allowed && !group.is_system_group) throw systemGroupRequired(name);
  const groupName = group.name;
  if (!isSystemGroup(groupName)) return;
  const isForbidden =
    groupName === "role:internet" ||
    (groupName === "role:nobody" && neverNobody) ||
    (groupName === "role:everyone" && !everyone) ||
    (allowed && !allowed.includes(groupName));
  if (isForbidden) throw badRequest(`'${name}' setting cannot be set to '${groupName}' group.`);
}

const systemGroupRequired = (setting_name: string) =>
  new ApiError(400, "SYSTEM_GROUP_REQUIRED", `'${setting_name}' must be a system user group.`, { setting_name });

/** Refuses a value that the permission does not accept. */
function checkSetting(state: SandboxState, name: string, value: GroupSetting, rule: PermissionRule): void {
  if (typeof value !== "object") {
    checkGroup(state, name, value, rule);
    return;
  }
  if (rule.allowed) throw systemGroupRequired(name);
  checkPeople(state, value.direct_members);
  checkSubgroups(state, value.direct_subgroups);
}

/** The permissions of a new thing: those of the request, and the initial values of all others. */
export function initialSettings<N extends string>(
  state: SandboxState,
  rules: Record<N, PermissionRule>,
  creator: number | null,
  requested: { readonly [M in N]?: GroupSetting | undefined } = {},
): Record<N, GroupSetting> {
  const onlyCreator: GroupSetting =
    creator === null ? systemGroupId(state, "role:nobody") : { direct_members: [creator], direct_subgroups: [] };
  return mapNames(rules, (name) => {
    const { initial } = rules[name];
    const setting = requested[name];
    if (setting === undefined) return initial === "creator" ? onlyCreator : systemGroupId(state, initial);
    const value = canonicalSetting(state, setting);
    checkSetting(state, name, value, rules[name]);
    return value;
  });
}

/**
 * Returns the new value of a permission, or undefined if it does not change.
 * Throws if `old` differs from what the server shows. The server never shows deactivated people.
 */
function changedSetting(
  { state, level }: HandlerCall,
  current: GroupSetting,
  update: GroupSettingUpdate,
): GroupSetting | undefined {
  const shown = visibleSetting(state, current);
  if (update.old !== undefined && update.old !== null && !sameSetting(canonicalSetting(state, update.old), shown)) {
    const fields = level > 371 ? { field_name: "old" } : {};
    throw new ApiError(400, "EXPECTATION_MISMATCH", "'old' value does not match the expected value.", fields);
  }
  const value = canonicalSetting(state, update.new);
  return sameSetting(value, shown) ? undefined : value;
}

/** Yields the permissions that a request changes, one after the other. `check` runs before a value is checked. */
export function* changedSettings<N extends string>(
  call: HandlerCall,
  rules: Record<N, PermissionRule>,
  current: { readonly [M in N]: GroupSetting },
  updates: { readonly [M in N]?: GroupSettingUpdate },
  check: (name: N, value: GroupSetting) => void = () => {},
): Iterable<[name: N, value: GroupSetting]> {
  for (const name of namesOf(rules)) {
    const update = updates[name];
    const value = update && changedSetting(call, current[name], update);
    if (value === undefined) continue;
    check(name, value);
    checkSetting(call.state, name, value, rules[name]);
    yield [name, value];
  }
}
