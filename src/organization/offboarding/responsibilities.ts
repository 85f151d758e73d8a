/** Finds the permissions, memberships, bots and invitations of people who leave. */

import { invitationId } from "../../api/invitations.ts";
import { userAddress } from "../../api/users.ts";
import { channelPermissions } from "../../model/channel.ts";
import { groupPermissions } from "../../model/group.ts";
import { organizationPermissions } from "../../model/organization.ts";
import type { GroupSetting } from "../../model/permission.ts";
import type { GroupMembership } from "../group-members.ts";
import {
  activeChannelsOf,
  activeGroupsOf,
  groupSettingOf,
  type Person,
  type Snapshot,
  type SnapshotChannel,
  type SnapshotGroup,
} from "../snapshot.ts";

/** A thing whose permissions and lists can name people. */
export type ThingWithPeople =
  | { readonly section: "settings"; readonly name: "settings" }
  | { readonly section: "channels"; readonly name: string; readonly id: number; readonly record: SnapshotChannel }
  | { readonly section: "groups"; readonly name: string; readonly id: number; readonly record: SnapshotGroup };

/** A permission or a list of people, in a thing that stays. */
export interface ResponsibilityInThing {
  readonly kind: "permission" | "subscription" | "membership";
  readonly person: number;
  readonly thing: ThingWithPeople;
  readonly field: string;
  /** The person is named directly, not only through a group or a bot. */
  readonly isNamed: boolean;
  /** Nobody else is in it. */
  readonly isLast: boolean;
}

export type Responsibility =
  | ResponsibilityInThing
  | {
      readonly kind: "bot";
      readonly person: number;
      readonly id: number;
      readonly name: string;
      readonly email: string | undefined;
    }
  | { readonly kind: "invitation"; readonly person: number; readonly id: string; readonly name: string };

const permissionsBySection = {
  settings: organizationPermissions,
  channels: channelPermissions,
  groups: groupPermissions,
};

/** Returns the value of a permission. Undefined if the server does not have it. */
export const permissionOf = (
  { organization }: Snapshot,
  thing: ThingWithPeople,
  field: string,
): GroupSetting | undefined =>
  thing.section === "settings" ? groupSettingOf(organization, `realm_${field}`) : groupSettingOf(thing.record, field);

/** Returns the things that are active. Permissions of archived things have no effect. */
function thingsIn(snapshot: Snapshot): ThingWithPeople[] {
  return [
    { section: "settings", name: "settings" },
    ...activeChannelsOf(snapshot).map((record): ThingWithPeople => {
      return { section: "channels", name: record.name, id: record.stream_id, record };
    }),
    ...activeGroupsOf(snapshot).map(
      (record): ThingWithPeople => ({ section: "groups", name: record.name, id: record.id, record }),
    ),
  ];
}

/** Finds everything that the people have. `botsStay`: their bots get another owner. */
export function responsibilitiesOf(
  membership: GroupMembership,
  people: readonly Person[],
  botsStay = false,
): Responsibility[] {
  const { snapshot } = membership;
  const { realm_users } = snapshot.organization;
  const leaving = new Set(people.map(({ user_id }) => user_id));
  const bots = realm_users.filter(({ is_bot, bot_owner_id }) => is_bot && leaving.has(bot_owner_id ?? 0));
  /** By leaving account, the person it leaves with. */
  const leavingWith = new Map([...leaving].map((id) => [id, id]));
  if (!botsStay) for (const { user_id, bot_owner_id } of bots) leavingWith.set(user_id, bot_owner_id ?? 0);
  const staying = realm_users.filter(({ user_id }) => !leavingWith.has(user_id));
  const accounts = new Set(staying.map(({ user_id }) => user_id));
  const readers = new Set(staying.flatMap(({ user_id, is_bot }) => (is_bot ? [] : [user_id])));

  /** Returns who leaves, if all accounts of the set leave. */
  function last(all: ReadonlySet<number>, remaining: ReadonlySet<number>): number[] {
    if (![...leavingWith.keys()].some((id) => all.has(id))) return [];
    for (const id of all) if (remaining.has(id)) return [];
    return [...all].flatMap((id) => leavingWith.get(id) ?? []);
  }

  const permissions = (thing: ThingWithPeople): Responsibility[] =>
    permissionsBySection[thing.section].flatMap((field) => {
      const value = permissionOf(snapshot, thing, field);
      if (value === undefined) return [];
      const direct = new Set(typeof value === "object" ? value.direct_members.filter((id) => leaving.has(id)) : []);
      const only = last(membership.people(value), accounts);
      return [...new Set([...direct, ...only])].map((person): Responsibility => {
        return { kind: "permission", person, thing, field, isNamed: direct.has(person), isLast: only.length > 0 };
      });
    });

  function lists(thing: ThingWithPeople): Responsibility[] {
    if (thing.section === "settings") return [];
    const isGroup = thing.section === "groups";
    const all = (isGroup ? thing.record.members : thing.record.subscribers) ?? [];
    const own = all.filter((id) => leaving.has(id));
    const isLast = own.length > 0 && last(new Set(all), readers).length > 0;
    // A subscription only matters if the channel would have no subscribers.
    if (!isGroup && !isLast) return [];
    const list = { thing, field: isGroup ? "members" : "subscribers", isNamed: true, isLast };
    return own.map((person) => ({ kind: isGroup ? "membership" : "subscription", person, ...list }));
  }

  const things = thingsIn(snapshot);
  const invitations = snapshot.invites.filter(({ invited_by_user_id }) => leaving.has(invited_by_user_id ?? 0));
  return [
    ...things.flatMap(permissions),
    ...things.flatMap(lists),
    ...bots.map((bot): Responsibility => {
      const { user_id: id, full_name: name, bot_owner_id: owner } = bot;
      return { kind: "bot", person: owner ?? 0, id, name, email: userAddress(bot) };
    }),
    ...invitations.map((one): Responsibility => {
      const { id, email, invited_by_user_id = 0 } = one;
      return { kind: "invitation", person: invited_by_user_id, id: invitationId(one), name: email ?? `link ${id}` };
    }),
  ];
}
