/** What is stated of each permission of the organization, a channel or a group. */

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
export type StoredPermission =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] };

/** A permission of a channel or a group. */
export interface Permission extends PermissionRule {
  /** The first feature level with it. */
  since: number;
  /** What those may do who have it. */
  may: string;
}

export const rule = (
  initial: PermissionRule["initial"],
  more: Omit<PermissionRule, "initial"> = {},
): PermissionRule => ({
  initial,
  ...more,
});
