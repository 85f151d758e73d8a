/** Names of people where an organization has them all differ. */
import { addressOf } from "../../api/users.ts";
import { strip } from "../../folding.ts";
import type { Difference } from "../difference.ts";
import { organizationSetting, type Snapshot } from "../snapshot.ts";
import type { Comparing } from "./comparing.ts";

/** The same for two names that servers take for one. */
export const sameFullName = (name: string): string => strip(name).normalize("NFKC").toUpperCase().toLowerCase();

/**
 * Whether each name of these differences must be free when somebody gets it. Where names must differ from the plan on
 * only, people have theirs before that.
 */
export function mustDiffer(snapshot: Snapshot, differences: readonly Difference[]): boolean {
  const now = organizationSetting(snapshot, "require_unique_names");
  const changes = differences.flatMap((one) => (one.section === "settings" && "fields" in one ? one.fields : []));
  return now === true && !changes.some(({ field, to }) => field === "require_unique_names" && to === false);
}

/** Refuses each name that somebody else has when all is done. Servers count bots and those who are deactivated too. */
export function refuseSharedNames(c: Comparing, differences: readonly Difference[]): void {
  if (!mustDiffer(c.snapshot, differences)) return;
  const renamed = differences.flatMap((one) => {
    const change = one.section === "people" && "fields" in one && one.fields.find(({ field }) => field === "full_name");
    return change ? [{ id: one.id!, name: one.name, to: String(change.to) }] : [];
  });
  const names = new Map([...c.everybody].map(([id, { full_name }]) => [id, full_name]));
  for (const { id, to } of renamed) names.set(id, to);
  for (const { id, name, to } of renamed) {
    const [other] = [...names].find(([each, called]) => each !== id && sameFullName(called) === sameFullName(to)) ?? [];
    if (other === undefined) continue;
    const whose = addressOf(c.everybody.get(other)!) ?? `id:${other}`;
    const pair = c.pairings.people.pairs.find(({ thing }) => thing?.id === id);
    c.findings.refuse({
      section: "people",
      name,
      field: "full_name",
      says: `cannot be named "${to}": ${whose} has that name, and names must be unique here`,
      ...(pair && { path: [...pair.path, "full_name"] }),
    });
  }
}
