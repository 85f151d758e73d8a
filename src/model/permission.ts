/** What is stated of each permission of the organization, a channel or a group. */
import { membersOf, numbersIn } from "../common/object-members.ts";

/** The names of system groups, without `role:`. */
const systemGroupWords = [
  "owners",
  "administrators",
  "moderators",
  "fullmembers",
  "members",
  "everyone",
  "internet",
  "nobody",
] as const;
export const systemGroups: readonly string[] = systemGroupWords;
export type SystemGroup = `role:${(typeof systemGroupWords)[number]}`;

/** Whom servers accept for a permission, and who has it at first. */
export interface PermissionRule {
  /** Who has it in a new organization, channel or group. "creator": only the account that makes the thing. */
  initial: SystemGroup | "creator";
  /** Can be everybody. Otherwise guests never have the permission. */
  everyone?: true;
  /** Cannot be nobody. */
  neverNobody?: true;
  /** The only possible values. */
  allowed?: readonly SystemGroup[];
}

/** A permission as servers store it: a group's id, or people and groups. */
export type GroupSetting = number | PeopleAndGroups;

interface PeopleAndGroups {
  readonly direct_members: readonly number[];
  readonly direct_subgroups: readonly number[];
}

/** Returns whether a field of the organization, a channel or a group is a permission, also on newer servers. */
export const isPermissionName = (name: string): boolean =>
  /^(can|create|direct_message|workplace)_\w+_groups?$/.test(name);

/** The names of the permissions that channels and groups of newer servers may have. */
export const newerPermission = /^can_\w+_group$/;

/** Returns whether a value is a permission of people and groups. A number may be that of a group, or anything else. */
export function isPermissionValue(value: unknown): value is PeopleAndGroups {
  const { direct_members, direct_subgroups } = membersOf(value);
  return Array.isArray(direct_members) && Array.isArray(direct_subgroups);
}

/** Returns the people and groups of a permission, as servers store it or as an update sends it. */
export function whoIn(value: unknown) {
  const { new: who = value } = membersOf(value);
  const { direct_members, direct_subgroups } = membersOf(who);
  return {
    direct_members: numbersIn(direct_members),
    direct_subgroups: numbersIn(typeof who === "number" ? who : direct_subgroups),
  };
}

const sameIds = (a: readonly number[], b: readonly number[]): boolean =>
  new Set(a).size === new Set(b).size && a.every((id) => b.includes(id));

/** Returns whether two values name the same people and groups. */
export function sameWho(one: unknown, other: unknown): boolean {
  const [a, b] = [whoIn(one), whoIn(other)];
  return sameIds(a.direct_members, b.direct_members) && sameIds(a.direct_subgroups, b.direct_subgroups);
}

/** A permission of a channel or a group. */
export interface Permission extends PermissionRule {
  /** The first feature level with it. */
  since: number;
  /** What those may do who have it. */
  may: string;
}

export const permissionRule = (
  initial: PermissionRule["initial"],
  more: Omit<PermissionRule, "initial"> = {},
): PermissionRule => ({
  initial,
  ...more,
});
