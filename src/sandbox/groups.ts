/** User groups: who belongs to them, and the values of permissions that name them. */
import type { GroupSetting } from "../api/channels.ts";
import { type Group, type GroupPermission, nextId, type State, type User } from "./state.ts";

export const groupPermissions = [
  "can_add_members_group",
  "can_join_group",
  "can_leave_group",
  "can_manage_group",
  "can_mention_group",
  "can_remove_members_group",
] as const satisfies readonly GroupPermission[];

/** From the narrowest to the widest; each is a subgroup of the next. */
const ladder = [
  ["role:owners", "Owners of this organization", 100],
  ["role:administrators", "Administrators of this organization, including owners", 200],
  ["role:moderators", "Moderators of this organization, including administrators", 300],
  ["role:fullmembers", "Members of this organization, not including new accounts and guests", 400],
  ["role:members", "Members of this organization, not including guests", 400],
  ["role:everyone", "Everyone in this organization, including guests", 600],
  ["role:internet", "Everyone on the Internet", undefined],
] as const;

export type SystemGroup = (typeof ladder)[number][0] | "role:nobody";

export const isSystemGroup = (name: string): name is SystemGroup =>
  name === "role:nobody" || ladder.some(([each]) => each === name);

const everyPermission = (value: GroupSetting) =>
  Object.fromEntries(groupPermissions.map((name) => [name, value])) as Group["settings"];

/** Makes the system groups of an organization without people. */
export function makeSystemGroups(state: State): void {
  const nobody = nextId(state, "group");
  const make = (id: number, name: SystemGroup, description: string, subgroups: number[]) =>
    state.groups.set(id, {
      id,
      name,
      description,
      is_system_group: true,
      creator_id: null,
      date_created: null,
      deactivated: false,
      members: new Set(),
      subgroups: new Set(subgroups),
      settings: everyPermission(nobody),
    });
  make(nobody, "role:nobody", "Nobody", []);
  let narrower: number | undefined;
  for (const [name, description] of ladder) {
    const id = nextId(state, "group");
    make(id, name, description, narrower === undefined ? [] : [narrower]);
    narrower = id;
  }
}

const ids = new WeakMap<State, Map<string, number>>();

/** The id of a system group, which never changes. */
export function systemGroup(state: State, name: SystemGroup): number {
  let known = ids.get(state);
  if (!known) {
    known = new Map(
      [...state.groups.values()].filter((group) => group.is_system_group).map(({ name, id }) => [name, id]),
    );
    ids.set(state, known);
  }
  return known.get(name)!;
}

/** Puts a new person into the system groups of their role. New members are full members: no waiting period is set. */
export function joinSystemGroups(state: State, { user_id, role }: User): void {
  for (const [name, , of] of ladder) if (of === role) state.groups.get(systemGroup(state, name))!.members.add(user_id);
}

/** Ids of the groups below these, these included. */
export function groupsBelow(state: State, roots: Iterable<number>): Set<number> {
  const found = new Set<number>();
  const open = [...roots];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(state.groups.get(id)?.subgroups ?? []));
  }
  return found;
}

/** True where one group is the other, or above it. */
export const reaches = (state: State, from: number, to: number): boolean => groupsBelow(state, [from]).has(to);

/** True where the active person belongs to the group, directly or through subgroups. */
export const belongs = (state: State, user: User, roots: Iterable<number>): boolean => {
  if (!user.is_active) return false;
  for (const id of groupsBelow(state, roots)) if (state.groups.get(id)?.members.has(user.user_id)) return true;
  return false;
};

/** True where the permission is the person's. */
export const holds = (state: State, user: User, value: GroupSetting): boolean =>
  typeof value === "number"
    ? belongs(state, user, [value])
    : user.is_active && (value.direct_members.includes(user.user_id) || belongs(state, user, value.direct_subgroups));

export const activeOnly = (state: State, userIds: Iterable<number>): number[] =>
  [...userIds].filter((id) => state.users.get(id)?.is_active).sort((a, b) => a - b);

/** A permission as the server shows it: people who were deactivated are left out. */
export const shownSetting = (state: State, value: GroupSetting): GroupSetting =>
  typeof value === "number"
    ? value
    : {
        direct_members: activeOnly(state, value.direct_members),
        direct_subgroups: [...value.direct_subgroups].sort((a, b) => a - b),
      };

/** What a permission of a group is before anybody changes it. */
export const newGroupSettings = (state: State, creator: number): Group["settings"] => {
  const creatorAlone: GroupSetting = { direct_members: [creator], direct_subgroups: [] };
  return {
    can_add_members_group: creatorAlone,
    can_join_group: systemGroup(state, "role:nobody"),
    can_leave_group: systemGroup(state, "role:everyone"),
    can_manage_group: creatorAlone,
    can_mention_group: systemGroup(state, "role:everyone"),
    can_remove_members_group: systemGroup(state, "role:nobody"),
  };
};
