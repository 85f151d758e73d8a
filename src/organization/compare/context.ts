/** The shared state of a comparison. */
import { roles } from "../../model/person.ts";
import type { Content } from "../content.ts";
import { type Difference, optionsOf } from "../difference.ts";
import type { Reach } from "../group-members.ts";
import type { FinalField } from "../sections/rules.ts";
import { callerRole, everybodyOf } from "../snapshot.ts";
import { Findings } from "./findings.ts";
import { matchAll } from "./match.ts";
import { referencesOf } from "./references.ts";
import { valuesOf } from "./values.ts";

export type ComparisonState = ReturnType<typeof startComparison>;

/** Starts a comparison. `prune`: the plan removes what sections in `complete` do not list. */
export function startComparison({ snapshot, caller }: Reach, content: Content, prune: boolean) {
  const findings = new Findings();
  const pairings = matchAll(content, snapshot, findings);
  const references = referencesOf(snapshot, pairings, findings);
  const everybody = new Map(everybodyOf(snapshot).map((person) => [person.user_id, person]));
  const unlistedOptions: Difference[] = [];
  const fields = pairings.profile_fields.things.map(({ id, name, read }): [number | string, FinalField] => [
    id ?? name,
    { name, type: read("type"), options: optionsOf(read("options")) },
  ]);
  return {
    snapshot,
    content,
    prune,
    pairings,
    findings,
    everybody,
    unlistedOptions,
    references,
    values: valuesOf(snapshot, pairings, references, findings),
    owner: callerRole(snapshot) === roles.owner,
    caller,
    fields: new Map(fields),
  };
}
