/** Finds the people of groups and permissions, through subgroups at any depth. */

import { keyBy } from "../common/group-by.ts";
import { reachableFrom } from "../common/reachable.ts";
import type { GroupSetting } from "../model/permission.ts";
import type { GroupNow } from "./present.ts";

const known = new WeakMap<ReadonlyMap<number, GroupNow>, ReturnType<typeof peopleOf>>();

/** Returns the same function for the same groups. */
export function peopleIn(groups: ReadonlyMap<number, GroupNow>) {
  const found = known.get(groups) ?? peopleOf([...groups.values()]);
  known.set(groups, found);
  return found;
}

/** Returns a function that finds everybody whom a permission names. */
export function peopleOf(all: readonly GroupNow[]) {
  const groups = keyBy(all, ({ id }) => id);
  const cache = new Map<number, ReadonlySet<number>>();

  function ofGroup(first: number): ReadonlySet<number> {
    const cached = cache.get(first);
    if (cached) return cached;
    const all = [...reachableFrom([first], (id) => groups.get(id)?.direct_subgroup_ids)];
    const people = new Set(all.flatMap((id) => groups.get(id)?.members ?? []));
    cache.set(first, people);
    return people;
  }

  return (setting: GroupSetting): ReadonlySet<number> => {
    if (typeof setting === "number") return ofGroup(setting);
    return new Set([...setting.direct_members, ...setting.direct_subgroups.flatMap((id) => [...ofGroup(id)])]);
  };
}
