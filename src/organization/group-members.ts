/** Finds the people of groups and permissions, through subgroups at any depth. */

import type { GroupSetting } from "../api/group-setting.ts";
import { reachableFrom } from "../common/reachable.ts";
import type { Entry } from "./content.ts";
import { channelsOf, type Snapshot, settingOf } from "./snapshot.ts";

export function peopleOf({ organization }: Snapshot) {
  const groups = new Map(organization.realm_user_groups.map((group) => [group.id, group]));
  const cache = new Map<number, ReadonlySet<number>>();

  function ofGroup(first: number): ReadonlySet<number> {
    const cached = cache.get(first);
    if (cached) return cached;
    const all = [...reachableFrom([first], (id) => groups.get(id)?.direct_subgroup_ids)];
    const people = new Set(all.flatMap((id) => groups.get(id)?.members ?? []));
    cache.set(first, people);
    return people;
  }

  return {
    /** Returns everybody whom the value names, directly or through groups. */
    people(setting: GroupSetting): ReadonlySet<number> {
      if (typeof setting === "number") return ofGroup(setting);
      return new Set([...setting.direct_members, ...setting.direct_subgroups.flatMap((id) => [...ofGroup(id)])]);
    },
  };
}

/** Returns functions that tell what the calling account can do. */
export function callerIn(snapshot: Snapshot) {
  const { organization } = snapshot;
  const { user_id: me } = organization;
  const reach = peopleOf(snapshot);
  const groups = new Map(organization.realm_user_groups.map((group) => [group.id, group]));
  const channels = new Map(channelsOf(snapshot).map((channel) => [channel.stream_id, channel]));
  const has = (record: Entry = {}, permission: string): boolean => {
    const setting = settingOf(record, permission);
    return setting !== undefined && reach.people(setting).has(me);
  };
  const inOrganization = (permission: string) => has(organization, `realm_${permission}`);
  const inGroup = (id: number, permission: string) => has(groups.get(id), permission);
  return {
    inOrganization,
    inGroup,
    isMember: (group: number): boolean => reach.people(group).has(me),
    manages: (group: number): boolean => inOrganization("can_manage_all_groups") || inGroup(group, "can_manage_group"),
    /** Whether the account may read the messages of a channel. */
    reads(id: number): boolean {
      const channel = channels.get(id);
      return (
        channel !== undefined &&
        (!channel.invite_only ||
          (channel.subscribers ?? [me]).includes(me) ||
          has(channel, "can_add_subscribers_group") ||
          has(channel, "can_subscribe_group"))
      );
    },
  };
}

export type Caller = ReturnType<typeof callerIn>;
