/** Who is reached by groups and by permissions, through groups in groups to any depth. */
import type { GroupSetting } from "../api/group-setting.ts";
import { type Channel, type Snapshot, settingOf } from "./snapshot.ts";

export interface Reach {
  /** Everybody whom the value names, directly or through groups. */
  people(setting: GroupSetting): ReadonlySet<number>;
}

/** These and everything that can be got to from them, going on from each to its next. */
export function reached<K>(from: Iterable<K>, next: (each: K) => Iterable<K> | undefined): Set<K> {
  const found = new Set<K>();
  const open = [...from];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (found.has(each)) continue;
    found.add(each);
    open.push(...(next(each) ?? []));
  }
  return found;
}

export function reachOf({ organization }: Snapshot): Reach {
  const groups = new Map(organization.realm_user_groups.map((group) => [group.id, group]));
  const known = new Map<number, ReadonlySet<number>>();

  function ofGroup(first: number): ReadonlySet<number> {
    const done = known.get(first);
    if (done) return done;
    const people = new Set<number>();
    const subgroups = (id: number) => groups.get(id)?.direct_subgroup_ids;
    for (const id of reached([first], subgroups))
      for (const member of groups.get(id)?.members ?? []) people.add(member);
    known.set(first, people);
    return people;
  }

  return {
    people: (setting) => {
      if (typeof setting === "number") return ofGroup(setting);
      const people = new Set(setting.direct_members);
      for (const id of setting.direct_subgroups) for (const member of ofGroup(id)) people.add(member);
      return people;
    },
  };
}

/** Whether the calling account may read what is written in a channel. */
export function mayRead({ organization: { user_id } }: Snapshot, reach: Reach, channel: Channel): boolean {
  if (!channel.invite_only || (channel.subscribers ?? [user_id]).includes(user_id)) return true;
  return ["can_add_subscribers_group", "can_subscribe_group"].some((name) => {
    const setting = settingOf(channel, name);
    return setting !== undefined && reach.people(setting).has(user_id);
  });
}
