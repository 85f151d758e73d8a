/** The phases of requests. What gives the caller a right goes first, and what takes one goes last. */
import type { Caller } from "../group-members.ts";

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
