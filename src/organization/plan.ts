/** A comparison, the requests that it takes, and what stands in its way: everything there is to know before sending. */
import { groupBy } from "../group-by.ts";
import { applyTo } from "./apply-to-snapshot.ts";
import { movesIn } from "./canonical.ts";
import type { Refusal } from "./compare/findings.ts";
import { type Comparison, compare } from "./compare.ts";
import type { Content } from "./content.ts";
import { withDestructive } from "./destructive.ts";
import type { Difference } from "./difference.ts";
import { reached } from "./group-members.ts";
import { type Allowed, type GuardViolation, guards } from "./guards.ts";
import { ordered, type Step } from "./order.ts";
import { everybodyOf, type Snapshot } from "./snapshot.ts";

export interface PlannedDifference {
  readonly difference: Difference;
  /** How many it takes; none where it would happen with `--prune` only. */
  readonly requests: number;
}

export interface Plan {
  /** What the organization is compared with, where that is not "the file". */
  readonly than?: string | undefined;
  /** Its differences are in the order in which they begin. */
  readonly comparison: Comparison;
  /** The requests for these differences, in order. */
  readonly steps: readonly Step[];
  /** The organization when all of it is done. */
  readonly result: Snapshot;
  /** The differences, destructive ones saying so; then what `--prune` would do besides. */
  readonly changes: readonly PlannedDifference[];
  readonly guards: readonly GuardViolation[];
  readonly requests: number;
  /** How many people get a direct message. */
  readonly messages: number;
}

export interface PlanOptions extends Allowed {
  readonly prune?: boolean;
  readonly portion?: number | undefined;
  readonly verifyWith?: string;
  readonly than?: string | undefined;
}

/** Groups that would contain themselves: nothing else is planned then, since there is no order for it. */
function circularGroups({ organization }: Snapshot): Refusal[] {
  const subgroups = new Map(organization.realm_user_groups.map(({ id, direct_subgroup_ids: ids }) => [id, ids]));
  const says = "cannot have these subgroups: the group would contain itself";
  return organization.realm_user_groups.flatMap(({ id, name, deactivated }) =>
    !deactivated && reached(subgroups.get(id) ?? [], (each) => subgroups.get(each)).has(id)
      ? [{ section: "groups" as const, name, field: "subgroups", says }]
      : [],
  );
}

/**
 * How many people get a direct message: those who are put into channels that are there, and into or out of groups that
 * are there. What is made with people in it writes to none, and nobody is written to for what they do themselves.
 */
export function messagesOf(snapshot: Snapshot, differences: readonly Difference[]): number {
  const people = new Set<number>();
  const changes = differences.flatMap((one) => ("fields" in one ? one.fields : []));
  for (const { field, from, to } of changes) {
    if (field !== "members" && field !== "subscribers") continue;
    const [come, gone] = movesIn(from, to);
    for (const id of field === "members" ? [...come, ...gone] : come) people.add(id);
  }
  people.delete(snapshot.organization.user_id);
  return everybodyOf(snapshot).filter(({ is_bot, user_id }) => !is_bot && people.has(user_id)).length;
}

/** Differences in the order in which their first requests go. */
export function begun(found: readonly Difference[], requests: readonly Step[]) {
  const byDifference = [...groupBy(requests, ({ of }) => of)];
  const places = new Map(byDifference.map(([of], place) => [of, place]));
  return {
    changes: byDifference.flatMap(([of, all]) =>
      found.slice(of, of + 1).map((difference) => ({ difference, requests: all.length })),
    ),
    steps: requests.map((step): Step => ({ ...step, of: places.get(step.of) ?? step.of })),
    requests: requests.length,
  };
}

/** Throws nothing over what stands in the file: `comparison.problems` says what is wrong with it. */
export function planned(
  snapshot: Snapshot,
  content: Content,
  { prune = false, portion, verifyWith = "zulipctl org plan", than, ...allowed }: PlanOptions,
): Plan {
  const compared = compare(snapshot, content, { prune });
  const result = applyTo(snapshot, compared.differences);
  const found = withDestructive(snapshot, result, compared.differences);
  const unpruned = compared.withheld.map(({ prune: _, ...one }) => one as Difference);
  const withheld = withDestructive(snapshot, applyTo(result, unpruned), compared.withheld);
  const circular = circularGroups(result);
  const requests = circular.length ? [] : ordered(snapshot, found, { verifyWith, portion, result });
  const { changes, ...plan } = begun(found, requests);
  const differences = changes.map(({ difference }) => difference);
  return {
    than,
    comparison: { ...compared, differences, withheld, refused: [...compared.refused, ...circular] },
    ...plan,
    result,
    changes: [...changes, ...withheld.map((difference) => ({ difference, requests: 0 }))],
    guards: compared.problems.length ? [] : guards(snapshot, result, differences, allowed),
    messages: messagesOf(snapshot, differences),
  };
}
