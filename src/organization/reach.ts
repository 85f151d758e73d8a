/** Who is reached by groups and by permissions, through groups in groups to any depth. */
import type { GroupSetting } from "../api/group-setting.ts";
import { type Snapshot, subgroupsOf } from "./snapshot.ts";

export interface Reach {
  /** Everybody whom the value names, directly or through groups. */
  people(setting: GroupSetting): ReadonlySet<number>;
}

const direct = (setting: GroupSetting): { members: readonly number[]; groups: readonly number[] } =>
  typeof setting === "number"
    ? { members: [], groups: [setting] }
    : { members: setting.direct_members, groups: setting.direct_subgroups };

export function reachOf({ organization }: Snapshot): Reach {
  const groups = new Map(organization.realm_user_groups.map((group) => [group.id, group]));
  const known = new Map<number, ReadonlySet<number>>();

  function ofGroup(first: number): ReadonlySet<number> {
    const done = known.get(first);
    if (done) return done;
    const people = new Set<number>();
    const met = new Set<number>();
    const waiting = [first];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const group = met.has(id) ? undefined : groups.get(id);
      met.add(id);
      if (!group) continue;
      for (const member of group.members) people.add(member);
      waiting.push(...subgroupsOf(group));
    }
    known.set(first, people);
    return people;
  }

  return {
    people: (setting) => {
      const { members, groups: ids } = direct(setting);
      if (!members.length && ids.length === 1) return ofGroup(ids[0]!);
      const people = new Set(members);
      for (const id of ids) for (const member of ofGroup(id)) people.add(member);
      return people;
    },
  };
}
