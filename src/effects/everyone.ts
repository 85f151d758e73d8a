/** Finds groups that include everyone, directly or through subgroups. */
import { keyBy } from "../common/group-by.ts";
import { reachableFrom } from "../common/reachable.ts";
import { channelPermissionRules } from "../model/channel.ts";
import { groupPermissionRules } from "../model/group.ts";
import type { GroupNow } from "./present.ts";

/** System groups that include guests, or people without an account. */
const widest = new Set<unknown>(["role:everyone", "role:internet"]);

/** Returns a test whether groups include everyone. */
export function everyoneTest(groups: readonly GroupNow[]): (ids: Iterable<number>) => boolean {
  const byId = keyBy(groups, ({ id }) => id);
  return (ids) =>
    [...reachableFrom(ids, (id) => byId.get(id)?.direct_subgroup_ids)].some((id) => widest.has(byId.get(id)?.name));
}

/** Permissions of channels and groups that servers give to everyone by default. */
const everyoneByDefault = new Set<string>(
  Object.entries({ ...channelPermissionRules, ...groupPermissionRules })
    .filter(([, { initial }]) => initial === "role:everyone")
    .map(([name]) => name),
);

/** Returns whether a permission is harmless for everyone. */
export const isOpenByDefault = (permission: string): boolean => everyoneByDefault.has(permission);

/** Follows "This" and "it". */
export const givesToEveryone = (permission: string): string => `gives ${permission} to everyone, guests too`;

export const takesFrom = (permission: string, whom: string): string => `takes ${permission} from ${whom}`;

export const makesEveryoneMember = "makes everyone a member of the group, guests too";
