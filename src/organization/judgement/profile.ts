import { inJson } from "../export/entry.ts";
import { fieldTypes } from "../sections/profile-fields.ts";
import { everybodyOf, type Snapshot } from "../snapshot.ts";

/** The canonical value that somebody has in a profile field. */
export function inProfile(snapshot: Snapshot, user: number, field: number): unknown {
  const { profile_data } = everybodyOf(snapshot).find(({ user_id }) => user_id === user) ?? {};
  const value = profile_data?.[field]?.value ?? null;
  if (value === "") return null;
  const { type } = snapshot.organization.custom_profile_fields.find(({ id }) => id === field) ?? {};
  if (type !== fieldTypes.people) return value;
  const ids = typeof value === "string" ? inJson(value) : value;
  return Array.isArray(ids) && ids.length ? [...(ids as number[])].sort((a, b) => a - b) : null;
}
