/** The order of channels, groups and accounts: by name, the same on every machine. */
import { byText } from "../organization/naming.ts";
import {
  channelsOf,
  type Person,
  roleOf,
  type Snapshot,
  type SnapshotChannel,
  type SnapshotGroup,
} from "../organization/snapshot.ts";

/** Sorts by name without case. */
export const byName = <T>(all: readonly T[], nameAndId: (each: T) => readonly [name: string, id: number]): T[] =>
  all
    .map((each) => ({ each, key: nameAndId(each) }))
    .sort(({ key: [a, x] }, { key: [b, y] }) => byText(a.toLowerCase(), b.toLowerCase()) || byText(a, b) || x - y)
    .map(({ each }) => each);

export const channelsByName = (snapshot: Snapshot): SnapshotChannel[] =>
  byName(channelsOf(snapshot), ({ name, stream_id }) => [name, stream_id]);

export const groupsByName = ({ organization }: Snapshot): SnapshotGroup[] =>
  byName(organization.realm_user_groups, ({ name, id }) => [name, id]);

/** Sorts people by role, then bots by role: most sets then become a few runs. */
const rank = (person: Person): number => roleOf(person) + (person.is_bot ? 10_000 : 0);

/** Sorts active accounts in the order of the page, which numbers their sets. */
export const inPageOrder = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  organization: {
    ...snapshot.organization,
    realm_users: byName(snapshot.organization.realm_users, ({ full_name, user_id }) => [full_name, user_id]).sort(
      (one, other) => rank(one) - rank(other),
    ),
  },
});
