/** What the account in use can do in a snapshot. */

import { keyBy } from "../common/group-by.ts";
import { everyoneTest } from "../effects/everyone.ts";
import { peopleOf } from "../effects/group-people.ts";
import type { GroupSetting } from "../model/permission.ts";
import type { FileEntry } from "./content.ts";
import { channelsOf, groupSettingOf, type Snapshot } from "./snapshot.ts";

/** Returns functions that tell what the calling account can do. */
function callerIn(snapshot: Snapshot, people: GroupMembership["people"]) {
  const { organization } = snapshot;
  const { user_id: me } = organization;
  const groups = keyBy(organization.realm_user_groups, ({ id }) => id);
  const channels = keyBy(channelsOf(snapshot), ({ stream_id }) => stream_id);
  const has = (record: FileEntry = {}, permission: string): boolean => {
    const setting = groupSettingOf(record, permission);
    return setting !== undefined && people(setting).has(me);
  };
  const inOrganization = (permission: string) => has(organization, `realm_${permission}`);
  const inGroup = (id: number, permission: string) => has(groups.get(id), permission);
  return {
    inOrganization,
    inGroup,
    isMember: (group: number): boolean => people(group).has(me),
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

/** An organization, and whom its groups and permissions reach. */
export interface GroupMembership {
  readonly snapshot: Snapshot;
  /** Returns everybody whom the value names, directly or through groups. */
  people(setting: GroupSetting): ReadonlySet<number>;
  /** Returns whether one of the groups includes everyone, guests too. */
  includesEveryone(groups: Iterable<number>): boolean;
  readonly caller: Caller;
}

export function groupMembershipIn(snapshot: Snapshot): GroupMembership {
  const people = peopleOf(snapshot.organization.realm_user_groups);
  const caller = callerIn(snapshot, people);
  return { snapshot, people, caller, includesEveryone: everyoneTest(snapshot.organization.realm_user_groups) };
}
