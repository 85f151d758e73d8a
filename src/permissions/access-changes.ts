/** Who gains and who loses permissions by a plan, as data of the plan. */
import { everyKind } from "../model/kinds/index.ts";
import { type Difference, fieldsOf } from "../organization/difference.ts";
import type { AccessChange } from "../organization/plan/access-change.ts";
import { everybodyOf, type Snapshot } from "../organization/snapshot.ts";
import { permissionChanges, statedChanges } from "./permission-changes.ts";

/** The sections on which permissions depend, and fields of them that do not matter. */
const withRights = new Set(["settings", ...everyKind.map(([, { rights, section }]) => rights && section)]);
const plainFields = new Set<string>(["description", "folder", "message_retention_days", "default_push_notifications"]);

/** Returns whether somebody may gain or lose a permission by a change. */
const concernsRights = (one: Difference): boolean =>
  withRights.has(one.section) &&
  !(
    one.action === "update" &&
    fieldsOf(one).every(({ field }) => plainFields.has(field)) &&
    one.section !== "settings"
  );

/**
 * Returns who gains and who loses permissions. Things and accounts that only `after` has are left out. So is what people
 * lose because they are deactivated, or because a thing is archived: the changes say that.
 */
export function accessChanges(before: Snapshot, after: Snapshot, changes: readonly Difference[]): AccessChange[] {
  if (!changes.some(concernsRights)) return [];
  const known = new Set(everybodyOf(before).map(({ user_id }) => user_id));
  const active = new Set(after.organization.realm_users.map(({ user_id }) => user_id));
  const { changes: all } = permissionChanges(before, after, (id) => known.has(id) && active.has(id));
  const kept = all
    .filter(({ existsInBoth }) => existsInBoth)
    .map((one) => (one.cell.isInactive ? { ...one, lose: [] } : one));
  return statedChanges(kept).filter(({ gain, lose }) => gain.length || lose.length);
}
