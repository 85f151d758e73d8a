/** Plans of an administrator refuse exactly what the server would refuse for a missing right. */
import { expect, test } from "vitest";
import { compare } from "../../src/organization/compare.ts";
import type { Difference } from "../../src/organization/difference.ts";
import { groupMembershipIn } from "../../src/organization/group-members.ts";
import type { OrganizationPlan } from "../../src/organization/make-plan.ts";
import { orderRequests } from "../../src/organization/order.ts";
import { predict } from "../../src/organization/prediction.ts";
import { differenceTitle } from "../../src/organization/section-registry.ts";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import { withDenied } from "../../src/permissions/denied-requests.ts";
import { joinSystemGroups } from "../../src/sandbox/index.ts";
import { asComplete, levelOf, organizationOf } from "../organization/pairs.ts";
import { fileOf } from "../organization/random.ts";
import { TestOrganization } from "../organization/test-organization.ts";

const moment = Date.UTC(2026, 0, 15, 12);
const size = { people: 0, kinds: 3 };

/** Returns a random organization as an administrator reads it. */
function organizationOfAdmin(seed: number): TestOrganization {
  const level = levelOf(seed);
  const { sandbox } = organizationOf(seed, level, size);
  const people = [...sandbox.state.users.values()].filter((each) => each.bot_type === null && each.is_active);
  const admin = people.find(({ role }) => role === 200) ?? people.find(({ role }) => role !== 100)!;
  admin.role = 200;
  joinSystemGroups(sandbox.state, admin, moment);
  return new TestOrganization({ level, sandbox, as: admin.delivery_email });
}

function planFor(before: Snapshot, one: Difference): OrganizationPlan {
  const steps = orderRequests(predict(groupMembershipIn(before), [one]), { verifyWith: "" });
  const comparison = compare(groupMembershipIn(before), {});
  const result = before;
  return { before, result, steps, guards: [], messages: 0, comparison: { ...comparison, differences: [one] } };
}

const isAboutRights = (message: string): boolean => /permission|access is required|owner|not enabled/i.test(message);

test.each([100, 111, 150, 166])("refuses what a server refuses an administrator, seed %i", async (seed) => {
  const other = organizationOf(seed + 10_000, levelOf(seed), size);
  const content = asComplete(fileOf(await other.snapshot()));
  const before = await organizationOfAdmin(seed).snapshot();
  const { differences } = compare(groupMembershipIn(before), content, { prune: true });
  // What needs something that another difference creates cannot be sent alone.
  const alone = differences.filter((one) => !JSON.stringify(one).includes('"new":'));
  const wrong: string[] = [];
  let count = 0;
  for (const one of alone) {
    const plan = planFor(before, one);
    const denied = withDenied(plan).comparison.refused.map(({ says }) => says);
    count += denied.length;
    const results = await organizationOfAdmin(seed).send(plan.steps);
    const refused = results.map((each) => each.outcome === "refused" && isAboutRights(each.failure.message));
    // A plan may take the rights of its own later requests: a guard asks for that.
    const isRight = denied.length ? results.some(({ outcome }) => outcome === "refused") : !refused[0];
    if (!isRight) wrong.push(`${differenceTitle(one)}: ${denied.join("; ") || "not refused"}`);
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(2);
});
