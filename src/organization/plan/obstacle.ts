/** Why a plan cannot be applied, and whether anything differs. */
import { counted, joinFirst } from "../../common/counted.ts";
import { Difference, type Failure, Refused, Usage } from "../../errors.ts";
import { titleOf } from "../file.ts";
import type { GuardViolation } from "../guards.ts";
import type { Plan } from "../plan.ts";

/** Returns the failure of `--exit-code`: what differs, or would be refused. Undefined if nothing. */
export function differenceFrom(other: string, { comparison: { differences, refused } }: Plan): Difference | undefined {
  const count = new Set([...differences, ...refused].map(({ section, name }) => `${section} ${name}`)).size;
  return count ? new Difference(`${counted(count, "thing differs", "things differ")} from ${other}`) : undefined;
}

function refusedFailure({ comparison: { refused } }: Plan, start: string): Refused | undefined {
  if (!refused.length) return undefined;
  const all = refused.map((each) => `${titleOf({ ...each, action: "update" })}: ${each.says}`);
  return new Refused(`${start}: the server would refuse some of it: ${joinFirst(all, 10)}`, {
    outcome: "not_sent",
    more: { refused: refused.map(({ path: _, ...each }) => each) },
  });
}

/** Returns what the guards stop, with the flags that allow it. */
function guardFailure(violations: readonly GuardViolation[], start: string): Usage | undefined {
  if (!violations.length) return undefined;
  const flags = [...new Set(violations.flatMap(({ lifted }) => lifted ?? []))];
  const all = violations.map(({ says }) => says);
  return new Usage(`${start}: ${joinFirst(all, 10)}`, {
    outcome: "not_sent",
    ...(flags.length && { hint: `To do that anyway, add: ${flags.join(" ")}` }),
    more: { guards: violations },
  });
}

/** Returns the failure with which `org apply` would end before it sends anything. */
export function obstacle(plan: Plan): Failure | undefined {
  const start = "this plan cannot be applied";
  return refusedFailure(plan, start) ?? guardFailure(plan.guards, start);
}

const nothingSent = "nothing was sent";

/** Throws `Refused` if the server would refuse a change. */
export function checkRefused(plan: Plan): void {
  const failure = refusedFailure(plan, nothingSent);
  if (failure) throw failure;
}

/** Throws `Usage` for what the guards stop. */
export function checkGuards(violations: readonly GuardViolation[]): void {
  const failure = guardFailure(violations, nothingSent);
  if (failure) throw failure;
}
