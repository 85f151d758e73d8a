/** The phases of requests. What gives the caller a right goes first, and what takes one goes last. */
import type { Caller } from "../group-members.ts";

/** In their order. Requests of one number need no order. */
export const phases = {
  gives: 0,
  /** Neither permissions nor channels. */
  plainSettings: 0.5,
  /** Servers rename a bot with a taken name when they reactivate it, and give one without an owner to the caller. */
  beforeReactivation: 0.5,
  reactivate: 1,

  collections: 2,
  /** The profile summary has few places: fields leave it before others enter it. */
  enteringSummary: 2.05,
  additions: 2.1,

  groups: 3,
  newGroups: 3.1,
  /** Before subgroups are added: a group must never contain itself. */
  subgroupRemovals: 3.15,
  groupMembers: 3.2,

  /** A private channel without subscribers cannot be used after it is restored. */
  newSubscribers: 4,
  unarchive: 4.05,
  channelOpening: 4.1,
  channels: 4.3,
  channelClosing: 4.4,
  subscriberRemovals: 4.5,
  newChannels: 4.6,
  newChannelSettings: 4.7,

  people: 5,
  /** New owners come before others lose the role. */
  ownerDemotions: 5.1,
  invitations: 5.5,

  settings: 6,
  removals: 7,
  /** After the channels in them. */
  folderArchiving: 7.1,
  orders: 8,
  /** The caller may lose the right to change a group that they leave. */
  ownDepartures: 8.9,
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

export type OwnRights = ReturnType<typeof ownRights>;

/** Returns the phases of requests that give or take a right of the caller. Undefined for other requests. */
export function ownRights(before: Caller, after: Caller) {
  const phase = (kind: keyof typeof ranks, has: (caller: Caller) => boolean): number | undefined => {
    if (has(before) === has(after)) return undefined;
    return has(after) ? phases.gives + ranks[kind] : phases.takes - ranks[kind];
  };
  return {
    organization: (field: string) => phase("organization", (caller) => caller.inOrganization(field)),
    group(id: number, fields: readonly string[]): number | undefined {
      const changed = ofGroups.filter((field) => fields.includes(field));
      const all = changed.flatMap((field) => phase("group", (caller) => caller.inGroup(id, field)) ?? []);
      return all.length ? Math.max(...all) : undefined;
    },
    membership: (id: number) => phase("membership", (caller) => caller.isMember(id)),
    /** The right to read messages. */
    channel: (id: number) => phase("channel", (caller) => caller.reads(id)),
  };
}
