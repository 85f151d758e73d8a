/** The organization before and after changes, with what the steps of a plan look up. It is made once for a plan. */
import { applyTo } from "./apply-to-snapshot.ts";
import { Ids } from "./canonical.ts";
import type { Difference } from "./difference.ts";
import { type Reach, reachIn } from "./group-members.ts";
import { type OwnRights, ownRights } from "./order/phases.ts";

export interface Prediction {
  readonly differences: readonly Difference[];
  readonly ids: Ids;
  readonly before: Reach;
  readonly after: Reach;
  /** What the changes give to the caller, and take. */
  readonly rights: OwnRights;
}

export function predict(before: Reach, differences: readonly Difference[]): Prediction {
  const ids = new Ids(before.snapshot, differences);
  const after = reachIn(applyTo(before.snapshot, differences, ids));
  return { differences, ids, before, after, rights: ownRights(before.caller, after.caller) };
}
