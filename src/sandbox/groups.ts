/** User groups: their members, and the settings that name them. */

import { day } from "../common/unit-sizes.ts";
import type { GroupSetting, SystemGroup } from "../model/permission.ts";
import { roles } from "../model/person.ts";
import { badRequest, requireFound } from "./answers.ts";
import { getExisting, type SandboxState, type StoredGroup, type StoredUser } from "./state.ts";

/** System groups, the narrowest first. Each is a subgroup of the next. */
export const nestedSystemGroups = [
  ["role:owners", "Owners of this organization", roles.owner],
  ["role:administrators", "Administrators of this organization, including owners", roles.administrator],
  ["role:moderators", "Moderators of this organization, including administrators", roles.moderator],
  ["role:fullmembers", "Members of this organization, not including new accounts and guests", roles.member],
  ["role:members", "Members of this organization, not including guests", roles.member],
  ["role:everyone", "Everyone in this organization, including guests", roles.guest],
  ["role:internet", "Everyone on the Internet", undefined],
] as const;

export const isSystemGroup = (name: string): name is SystemGroup =>
  name === "role:nobody" || nestedSystemGroups.some(([each]) => each === name);

export function systemGroupId({ groups }: SandboxState, name: SystemGroup): number {
  for (const group of groups.values()) if (group.name === name) return group.id;
  throw new Error(`there is no ${name}`);
}

/** Members become full members after the waiting period; bots too. */
const isFullMember = ({ organization }: SandboxState, { date_joined }: StoredUser, now: number): boolean =>
  Math.floor((now - date_joined) / day) >= organization.settings.waiting_period_threshold;

/** Adds a person to the system groups of their role, and removes them from the others. */
export function joinSystemGroups(state: SandboxState, user: StoredUser, now: number): void {
  for (const [name, , of] of nestedSystemGroups) {
    const { members } = getExisting(state.groups, systemGroupId(state, name));
    const belongs = of === user.role && (name !== "role:fullmembers" || isFullMember(state, user, now));
    if (belongs) members.add(user.user_id);
    else members.delete(user.user_id);
  }
}

/** Updates the full members. Returns the group, and the people who were added and removed, deactivated ones too. */
export function updateFullMembers(
  state: SandboxState,
  now: number,
): { group: StoredGroup; added: number[]; removed: number[] } {
  const group = getExisting(state.groups, systemGroupId(state, "role:fullmembers"));
  const before = new Set(group.members);
  for (const user of state.users.values()) joinSystemGroups(state, user, now);
  const added = [...group.members].filter((id) => !before.has(id));
  const removed = [...before].filter((id) => !group.members.has(id));
  return { group, added, removed };
}

export const groupById = ({ groups }: SandboxState, id: number): StoredGroup =>
  requireFound(groups.get(id), "Invalid user group");

export function activeGroup(state: SandboxState, id: number): StoredGroup {
  const group = groupById(state, id);
  if (group.deactivated) throw badRequest("User group is deactivated.");
  return group;
}

/** Ids of these groups and of all groups below them. */
export function groupsBelow(state: SandboxState, roots: Iterable<number>): Set<number> {
  const found = new Set<number>();
  const remaining = [...roots];
  for (let id = remaining.pop(); id !== undefined; id = remaining.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    remaining.push(...(state.groups.get(id)?.subgroups ?? []));
  }
  return found;
}

/** Returns whether the person is active and a member, directly or through subgroups. */
export const isInGroups = (state: SandboxState, user: StoredUser, roots: Iterable<number>): boolean => {
  if (!user.is_active) return false;
  for (const id of groupsBelow(state, roots)) if (state.groups.get(id)?.members.has(user.user_id)) return true;
  return false;
};

/** Returns whether the setting includes the person. */
export const isIncluded = (state: SandboxState, user: StoredUser, value: GroupSetting): boolean =>
  typeof value === "number"
    ? isInGroups(state, user, [value])
    : user.is_active &&
      (value.direct_members.includes(user.user_id) || isInGroups(state, user, value.direct_subgroups));

export const activeOnly = (state: SandboxState, userIds: Iterable<number>): number[] =>
  [...userIds].filter((id) => state.users.get(id)?.is_active).sort((a, b) => a - b);

/** A permission as the server shows it: without deactivated people. */
export const visibleSetting = (state: SandboxState, value: GroupSetting): GroupSetting =>
  typeof value === "number"
    ? value
    : {
        direct_members: activeOnly(state, value.direct_members),
        direct_subgroups: [...value.direct_subgroups].sort((a, b) => a - b),
      };

/** The usual numbers of a setting from before it was a group, except 1. */
export const oldPolicies = { "role:administrators": 2, "role:fullmembers": 3, "role:moderators": 4 };

/** The number of a setting from before it was a group; 1 if it had none. */
export const policyNumber = (
  { groups }: SandboxState,
  value: GroupSetting,
  numbers: { [group: string]: number },
): number => numbers[groups.get(Number(value))?.name ?? ""] ?? 1;

/** Refuses the first id that no active person has. */
export function checkPeople(state: SandboxState, ids: readonly number[]): void {
  const unknown = ids.find((id) => !state.users.get(id)?.is_active);
  if (unknown !== undefined) throw badRequest(`Invalid user ID: ${unknown}`);
}

export function checkSubgroups(state: SandboxState, ids: readonly number[]): void {
  const unknown = ids.find((id) => !state.groups.has(id));
  if (unknown !== undefined) throw badRequest(`Invalid user group ID: ${unknown}`);
  if (ids.some((id) => state.groups.get(id)?.deactivated)) throw badRequest("User group is deactivated.");
}

/** Lists the active things that use a group. A group in use cannot be deactivated. */
export function groupUses({ groups, channels, organization }: SandboxState, id: number): object[] {
  const active = [...groups.values()].filter(({ deactivated }) => !deactivated);
  const supergroups = active.filter(({ subgroups }) => subgroups.has(id));
  const namesGroup = (value: GroupSetting) =>
    typeof value === "number" ? value === id : value.direct_subgroups.includes(id);
  const usesIn = (all: { readonly [name: string]: GroupSetting }, about: object) => {
    const settings = Object.entries(all).flatMap(([name, value]) => (namesGroup(value) ? [name] : []));
    return settings.length > 0 ? [{ ...about, settings }] : [];
  };
  return [
    ...(supergroups.length > 0 ? [{ type: "subgroup", supergroup_ids: supergroups.map((group) => group.id) }] : []),
    ...[...channels.values()].flatMap(({ is_archived, stream_id, settings }) =>
      is_archived ? [] : usesIn(settings, { type: "channel", channel_id: stream_id }),
    ),
    ...active.flatMap((group) => usesIn(group.settings, { type: "user_group", group_id: group.id })),
    ...usesIn(organization.permissions, { type: "realm" }),
  ];
}
