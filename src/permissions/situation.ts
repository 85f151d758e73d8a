/** What calls need to know of an organization. */
import { peopleById, roleOf, type Snapshot } from "../organization/snapshot.ts";
import type { Situation } from "./needs.ts";

export function situationIn(snapshot: Snapshot): Situation {
  const everybody = peopleById(snapshot);
  const role = (id: number) => {
    const person = everybody.get(id);
    return person && roleOf(person);
  };
  const ownerOf = (id: number) => {
    const person = everybody.get(id);
    return person?.is_bot ? (person.bot_owner_id ?? null) : undefined;
  };
  return { me: snapshot.organization.user_id, level: snapshot.feature_level, roleOf: role, ownerOf };
}
