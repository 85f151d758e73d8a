/** Who is reached by groups and by permissions, through groups in groups to any depth. */
import type { GroupSetting } from "../api/group-setting.ts";
import { type Channel, type Snapshot, settingOf } from "./snapshot.ts";

export type Reach = ReturnType<typeof reachOf>;

/** These and everything that can be got to from them, going on from each to its next. */
export function reached<K>(from: Iterable<K>, next: (each: K) => Iterable<K> | undefined): Set<K> {
  const found = new Set(from);
  // A set that grows while it is walked is walked to its end.
  for (const each of found) for (const more of next(each) ?? []) found.add(more);
  return found;
}

export function reachOf({ organization }: Snapshot) {
  const groups = new Map(organization.realm_user_groups.map((group) => [group.id, group]));
  const known = new Map<number, ReadonlySet<number>>();

  function ofGroup(first: number): ReadonlySet<number> {
    const done = known.get(first);
    if (done) return done;
    const all = [...reached([first], (id) => groups.get(id)?.direct_subgroup_ids)];
    const people = new Set(all.flatMap((id) => groups.get(id)?.members ?? []));
    known.set(first, people);
    return people;
  }

  return {
    /** Everybody whom the value names, directly or through groups. */
    people(setting: GroupSetting): ReadonlySet<number> {
      if (typeof setting === "number") return ofGroup(setting);
      return new Set([...setting.direct_members, ...setting.direct_subgroups.flatMap((id) => [...ofGroup(id)])]);
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
