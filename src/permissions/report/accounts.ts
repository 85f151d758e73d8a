/** The order of the page. */
import { type Person, roleOf, type Snapshot } from "../../organization/snapshot.ts";

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** By name, whatever its case; the same everywhere. */
export const byName =
  <T>(name: (each: T) => string, id: (each: T) => number) =>
  (one: T, other: T): number =>
    order(name(one).toLowerCase(), name(other).toLowerCase()) || order(name(one), name(other)) || id(one) - id(other);

const peopleByName = byName<Person>(
  ({ full_name }) => full_name,
  ({ user_id }) => user_id,
);

/** People by role, then bots by role: so most sets of them are a few runs. */
const rank = (person: Person): number => roleOf(person) + (person.is_bot ? 10_000 : 0);

/** The same, its active accounts in the order of the page, by which sets number them. */
export const ordered = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  organization: {
    ...snapshot.organization,
    realm_users: snapshot.organization.realm_users.toSorted(
      (one, other) => rank(one) - rank(other) || peopleByName(one, other),
    ),
  },
});
