/** Whom and what a group may be told to hold. */
import { refused } from "./api-error.ts";
import type { Call } from "./router.ts";

/** Refuses the first id, in the order sent, that is no active person's. */
export function checkPeople({ state }: Call, ids: readonly number[]): void {
  const stranger = ids.find((id) => !state.users.get(id)?.is_active);
  if (stranger !== undefined) throw refused(`Invalid user ID: ${stranger}`);
}

export function checkSubgroups({ state }: Call, ids: readonly number[]): void {
  const unknown = ids.find((id) => !state.groups.has(id));
  if (unknown !== undefined) throw refused(`Invalid user group ID: ${unknown}`);
  if (ids.some((id) => state.groups.get(id)!.deactivated)) throw refused("User group is deactivated.");
}
