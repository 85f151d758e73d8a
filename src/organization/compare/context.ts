/** The shared state of a comparison. */
import { roles } from "../../model/person.ts";
import type { Content } from "../content.ts";
import { type Difference, optionsOf } from "../difference.ts";
import { eachSection } from "../file.ts";
import type { Reach } from "../group-members.ts";
import type { FinalField } from "../sections/rules.ts";
import { callerRole, everybodyOf } from "../snapshot.ts";
import { Findings } from "./findings.ts";
import { matchEntries } from "./match.ts";
import { valuesOf } from "./values.ts";

export type ComparisonState = ReturnType<typeof startComparison>;

/** Starts a comparison. `prune`: the plan removes what sections in `complete` do not list. */
export function startComparison({ snapshot, caller }: Reach, content: Content, prune: boolean) {
  const findings = new Findings();
  const pairings = eachSection((name) => matchEntries(name, content[name] ?? [], snapshot, findings));
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
    values: valuesOf(snapshot, pairings, findings),
    owner: callerRole(snapshot) === roles.owner,
    caller,
    fields: new Map(fields),
  };
}
