/** A comparison, the requests that it takes, and what stands in its way: everything there is to know before sending. */
import { groupBy } from "../group-by.ts";
import { applyTo } from "./apply-to-snapshot.ts";
import { type Comparison, compare } from "./compare.ts";
import type { Content } from "./content.ts";
import { withDestructive } from "./destructive.ts";
import type { Difference } from "./difference.ts";
import { type Allowed, type GuardViolation, guards } from "./guards.ts";
import { ordered, type Step } from "./order.ts";
import { messagesOf } from "./plan/cost.ts";
import type { Snapshot } from "./snapshot.ts";

export interface PlannedDifference {
  readonly difference: Difference;
  /** How many it takes; none where it would happen with `--prune` only. */
  readonly requests: number;
}

export interface Plan {
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
}

/** Throws nothing over what stands in the file: `comparison.problems` says what is wrong with it. */
export function planned(
  snapshot: Snapshot,
  content: Content,
  { prune = false, portion, verifyWith = "zulipctl org plan", ...allowed }: PlanOptions,
): Plan {
  const compared = compare(snapshot, content, { prune });
  const result = applyTo(snapshot, compared.differences);
  const found = withDestructive(snapshot, result, compared.differences);
  const pruned = applyTo(
    result,
    compared.withheld.map(({ prune: _, ...one }) => one as Difference),
  );
  const withheld = withDestructive(snapshot, pruned, compared.withheld);
  const requests = ordered(snapshot, found, { verifyWith, portion, result });
  const byDifference = [...groupBy(requests, ({ of }) => of)];
  const places = new Map(byDifference.map(([of], place) => [of, place]));
  const steps = requests.map((step): Step => ({ ...step, of: places.get(step.of) ?? step.of }));
  const differences = byDifference.flatMap(([of]) => found[of] ?? []);
  return {
    comparison: {
      ...compared,
      differences,
      withheld,
    },
    steps,
    result,
    changes: [
      ...byDifference.flatMap(([of, all]) =>
        found.slice(of, of + 1).map((difference) => ({ difference, requests: all.length })),
      ),
      ...withheld.map((difference) => ({ difference, requests: 0 })),
    ],
    guards: compared.problems.length ? [] : guards({ snapshot, result, differences, content }, allowed),
    requests: steps.length,
    messages: messagesOf(snapshot, differences),
  };
}
