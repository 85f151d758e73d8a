/** What calls need to know of an organization. */
import { type Person, peopleById, roleOf, type Snapshot } from "../organization/snapshot.ts";
import type { Situation } from "./needs.ts";

/** `accounts`: those whom the calls are about. */
export function situationOf(
  { me, level }: Pick<Situation, "me" | "level">,
  accounts: ReadonlyMap<number, Pick<Person, "role" | "is_bot" | "bot_owner_id">>,
): Situation {
  return {
    me,
    level,
    roleOf(id) {
      const account = accounts.get(id);
      return account && roleOf(account);
    },
    ownerOf(id) {
      const account = accounts.get(id);
      return account?.is_bot ? (account.bot_owner_id ?? null) : undefined;
    },
  };
}

export const situationIn = (snapshot: Snapshot): Situation =>
  situationOf({ me: snapshot.organization.user_id, level: snapshot.feature_level }, peopleById(snapshot));
