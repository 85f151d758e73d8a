/** The phases of requests. What gives the caller a right goes first, and what takes one goes last. */
import { callerIn } from "../group-members.ts";
import { channelsOf, type Snapshot } from "../snapshot.ts";

/** Fractions order the requests within a phase. */
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
  /** After all changes that still name the person. */
  deactivate: 10,
  self: 11,
} as const;

/** Permissions on a group that let the caller change it. */
const ofGroups = [
  "can_manage_group",
  "can_add_members_group",
  "can_remove_members_group",
  "can_join_group",
  "can_leave_group",
];

/** Within the first and last phase: a wider right goes first when given and last when taken. */
const ranks = { organization: 0, membership: 0.1, group: 0.2, channel: 0.3 };

/** Returns functions that tell the caller's rights. */
function rightsIn(snapshot: Snapshot) {
  const { organization } = snapshot;
  const { has, isIn, reads } = callerIn(snapshot);
  const channels = new Map(channelsOf(snapshot).map((channel) => [channel.stream_id, channel]));
  const groups = new Map(organization.realm_user_groups.map((group) => [group.id, group]));
  return {
    isIn,
    inOrganization: (field: string) => has(organization, `realm_${field}`),
    inGroup: (id: number, field: string) => has(groups.get(id) ?? {}, field),
    reads: (id: number) => {
      const channel = channels.get(id);
      return channel !== undefined && reads(channel);
    },
  };
}

export type OwnRights = ReturnType<typeof ownRights>;

/**
 * Returns the phases of requests that give or take a right of the caller. Undefined for other requests. `result`: the
 * organization after the plan.
 */
export function ownRights(snapshot: Snapshot, result: Snapshot) {
  const [now, then] = [rightsIn(snapshot), rightsIn(result)];
  const phase = (kind: keyof typeof ranks, has: (rights: typeof now) => boolean): number | undefined => {
    if (has(now) === has(then)) return undefined;
    return has(then) ? phases.gives + ranks[kind] : phases.takes - ranks[kind];
  };
  return {
    organization: (field: string) => phase("organization", (rights) => rights.inOrganization(field)),
    group(id: number, fields: readonly string[]): number | undefined {
      const changed = ofGroups.filter((field) => fields.includes(field));
      const all = changed.flatMap((field) => phase("group", (rights) => rights.inGroup(id, field)) ?? []);
      return all.length ? Math.max(...all) : undefined;
    },
    membership: (id: number) => phase("membership", (rights) => rights.isIn(id)),
    /** The right to read messages. */
    channel: (id: number) => phase("channel", (rights) => rights.reads(id)),
  };
}
