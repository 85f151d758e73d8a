/** The requests of a plan of an organization that the account in use may not send, before and after the plan. */
import { privateMember } from "../model/channel.ts";
import { everyList } from "../model/kinds/lists.ts";
import type { Refusal } from "../organization/compare/findings.ts";
import { type Difference, fieldsOf } from "../organization/difference.ts";
import type { OrganizationPlan } from "../organization/make-plan.ts";
import { applyTo } from "../organization/prediction.ts";
import { callerRole } from "../organization/snapshot.ts";
import { lastingDenials } from "./account-rights.ts";
import { isGrantedByRole, needsOf } from "./needs.ts";
import { situationIn } from "./situation.ts";

/** Returns the attribute that an argument sets. Undefined if the whole request is refused. */
function attributeOf(one: Difference, param: string | undefined): string | undefined {
  const list = everyList.find(({ add, remove }) => param === add.members || param === remove.members);
  const name = list?.plural ?? param;
  const attribute = name === privateMember ? "is_private" : name;
  const created = one.action === "create" ? Object.keys(one.to) : [];
  return [...created, ...fieldsOf(one).map(({ field }) => field)].find((field) => field === attribute);
}

/** Returns the indexes of differences that are not made without these: others need what they create. */
function withDependents(steps: OrganizationPlan["steps"], differences: Iterable<number>): ReadonlySet<number> {
  const all = new Set(differences);
  for (let size = -1; size !== all.size; ) {
    size = all.size;
    for (const { of, needs } of steps) if (needs.some((n) => all.has(steps[n]?.of ?? -1))) all.add(of);
  }
  return all;
}

/** Returns what the account may not change, and why. The plan may give it the right. */
function deniedRequests({ before, steps, comparison: { differences } }: OrganizationPlan): Refusal[] {
  const situation = situationIn(before);
  const role = callerRole(before);
  const required = steps.flatMap(({ of, change }) =>
    needsOf(change, situation).flatMap((need) => (isGrantedByRole(need, role) ? [] : [{ of, need }])),
  );
  const denied = lastingDenials(required, before, (some) => {
    const left = withDependents(
      steps,
      some.map(({ of }) => of),
    );
    return applyTo(
      before,
      differences.filter((_, n) => !left.has(n)),
    );
  });
  return denied.flatMap(({ of, need, says }) => {
    const one = differences[of];
    const field = one && attributeOf(one, need.param);
    return one ? [{ section: one.section, name: one.name, ...(field !== undefined && { field }), says }] : [];
  });
}

/** Returns the plan, with what the account may not change among what the server would refuse. */
export function withDenied(plan: OrganizationPlan): OrganizationPlan {
  const { comparison } = plan;
  return { ...plan, comparison: { ...comparison, refused: [...comparison.refused, ...deniedRequests(plan)] } };
}
