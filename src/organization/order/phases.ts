/**
 * The phases of requests, which go one after the other. What gives the caller a right goes first, and what takes one goes
 * last.
 */
import type { GroupSetting } from "../../api/group-setting.ts";
import { mayRead, reachOf } from "../group-members.ts";
import { channelsOf, type Snapshot, settingOf } from "../snapshot.ts";

/** Fractions order the requests of one phase. */
export const phases = {
  gives: 0,
  reactivate: 1,
  collections: 2,
  groups: 3,
  channels: 4,
  people: 5,
  settings: 6,
  removals: 7,
  orders: 8,
  takes: 9,
  /** Nothing names a person any more who is deactivated. */
  deactivate: 10,
  self: 11,
} as const;

/** Settings of groups that let the caller change them. */
const ofGroups = [
  "can_manage_group",
  "can_add_members_group",
  "can_remove_members_group",
  "can_join_group",
  "can_leave_group",
];

/** Whoever manages everything can give and take the rest: that goes first, and last. */
const ranks = { organization: 0, membership: 0.1, group: 0.2, channel: 0.3 };

/** What the caller may do at one moment. */
function rightsIn(snapshot: Snapshot) {
  const { organization } = snapshot;
  const reach = reachOf(snapshot);
  const channels = new Map(channelsOf(snapshot).map((channel) => [channel.stream_id, channel]));
  const groups = new Map(organization.realm_user_groups.map((group) => [group.id, group]));
  const isIn = (setting: GroupSetting | undefined) =>
    setting !== undefined && reach.people(setting).has(organization.user_id);
  return {
    isIn,
    inOrganization: (field: string) => isIn(settingOf(organization, `realm_${field}`)),
    inGroup: (id: number | undefined, field: string) => isIn(settingOf(groups.get(id ?? 0) ?? {}, field)),
    reads: (id: number) => {
      const channel = channels.get(id);
      return channel !== undefined && mayRead(snapshot, reach, channel);
    },
  };
}

export type OwnRights = ReturnType<typeof ownRights>;

/**
 * The phases of requests that give or take a right of the caller; undefined for all others. `result`: the
 * organization when the plan is done.
 */
export function ownRights(snapshot: Snapshot, result: Snapshot) {
  const [now, then] = [rightsIn(snapshot), rightsIn(result)];
  const phase = (kind: keyof typeof ranks, has: (rights: typeof now) => boolean): number | undefined => {
    if (has(now) === has(then)) return undefined;
    return has(then) ? phases.gives + ranks[kind] : phases.takes - ranks[kind];
  };
  return {
    organization: (field: string) => phase("organization", (rights) => rights.inOrganization(field)),
    group(id: number | undefined, fields: readonly string[]): number | undefined {
      const changed = ofGroups.filter((field) => fields.includes(field));
      const all = changed.flatMap((field) => phase("group", (rights) => rights.inGroup(id, field)) ?? []);
      return all.length ? Math.max(...all) : undefined;
    },
    membership: (id: number | undefined) => phase("membership", (rights) => rights.isIn(id)),
    /** To read what is written in a channel. */
    channel: (id: number) => phase("channel", (rights) => rights.reads(id)),
  };
}
