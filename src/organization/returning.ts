/**
 * Finds what only shows after an account is there again, or at all: servers give reactivated accounts their old memberships
 * and permissions back, and no list can name a bot before it is created.
 */
import { idsIn, same } from "./canonical.ts";
import { type Difference, type FieldChange, isWhoValue, type ThingId } from "./difference.ts";
import { everybodyOf, type Snapshot } from "./snapshot.ts";

/** Returns ids of the accounts that these differences reactivated or created. */
export function newAccounts(snapshot: Snapshot, applied: readonly Difference[]): ReadonlySet<number> {
  const addresses = new Map(everybodyOf(snapshot).map(({ email, user_id }) => [email.toLowerCase(), user_id]));
  return new Set(
    applied.flatMap((one) => {
      if (one.section !== "people" && one.section !== "bots") return [];
      if (one.action === "reactivate") return one.id ?? [];
      return one.action === "create" ? (addresses.get(one.name.toLowerCase()) ?? []) : [];
    }),
  );
}

/** Returns the list with those of `accounts` who are in `to`, and with the others of `from`. */
function withAccounts(from: unknown, to: unknown, accounts: ReadonlySet<number>): number[] {
  const people = (value: unknown) => idsIn(value).filter((id: ThingId): id is number => typeof id === "number");
  return [...people(from).filter((id) => !accounts.has(id)), ...people(to).filter((id) => accounts.has(id))].sort(
    (a, b) => a - b,
  );
}

/** Returns the value with only the changes of `accounts`. Undefined if the attribute names no people. */
function limitedTo(accounts: ReadonlySet<number>, { field, from, to }: FieldChange): unknown {
  if (field === "members" || field === "subscribers") return withAccounts(from, to, accounts);
  if (!isWhoValue(from) || !isWhoValue(to)) return undefined;
  return { users: withAccounts(from.users, to.users, accounts), groups: from.groups };
}

/** Returns the parts of differences that are about these accounts: their places in lists and permissions. */
export const aboutAccounts = (remaining: readonly Difference[], accounts: ReadonlySet<number>): Difference[] =>
  remaining.flatMap((one) => {
    if (one.action !== "update") return [];
    const fields = one.fields.flatMap((change): FieldChange[] => {
      const to = limitedTo(accounts, change);
      return to === undefined || same(change.from, to) ? [] : [{ ...change, to }];
    });
    return fields.length ? [{ ...one, fields }] : [];
  });
