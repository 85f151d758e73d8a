/** Finds members whom a plan removes from lists and the account in use could not add again: `undo` would leave them out. */
import { listIn } from "../model/kinds/lists.ts";
import { type Difference, fieldsOf, idIn } from "../organization/difference.ts";
import { listChanges } from "../organization/id-values.ts";
import { differenceTitle } from "../organization/section-registry.ts";
import { listRequest } from "../organization/sections/member-lists.ts";
import type { Snapshot } from "../organization/snapshot.ts";
import { accountRights } from "./account-rights.ts";
import { needsOf } from "./needs.ts";
import { situationIn } from "./situation.ts";

const isGone = ({ action }: Difference): boolean => action === "archive" || action === "deactivate";

/** Returns the lists, and why the account could not add the members again. `result`: the organization after the plan. */
export function unrestorableMembers(result: Snapshot, differences: readonly Difference[]): string[] {
  const situation = situationIn(result);
  const rights = accountRights(result);
  const active = new Set(result.organization.realm_users.map(({ user_id }) => user_id));
  return differences.flatMap((one) => {
    const id = idIn(one);
    if (id === undefined || isGone(one)) return [];
    return fieldsOf(one).flatMap(({ field, from, to }) => {
      const list = listIn(one.section, field);
      if (!list) return [];
      const [, removed] = listChanges(from, to);
      const restorable = removed.filter((each) => list.of === "group" || active.has(each));
      if (!restorable.length) return [];
      const needs = needsOf(listRequest(list.add, { id, name: one.name }, restorable), situation);
      const [why] = needs.flatMap((need) => rights(need) ?? []);
      return why === undefined ? [] : [`${differenceTitle(one)}: once removed, ${field} cannot be put back: ${why}`];
    });
  });
}
