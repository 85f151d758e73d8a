/** A comparison, what it comes to, and what stands in its way: all that there is to tell before anything is sent. */
import { after } from "./after.ts";
import { protectedTopics, unreadableInvitations } from "./compare/access.ts";
import { type Comparison, compare } from "./compare.ts";
import { withDestructive } from "./destructive.ts";
import type { Difference } from "./difference.ts";
import { type Allowed, type GuardViolation, guards } from "./guards.ts";
import { ordered, refusedIn, type Step } from "./order.ts";
import type { Content } from "./place.ts";
import { messagesOf } from "./plan/cost.ts";
import type { Snapshot } from "./snapshot.ts";

export interface PlannedDifference {
  readonly difference: Difference;
  /** How many it takes; none where it would happen with `--prune` only. */
  readonly requests: number;
}

export interface Plan {
  readonly comparison: Comparison;
  /** The organization when all of it is done. */
  readonly result: Snapshot;
  /** In the order in which they would happen, destructive ones saying so; then what `--prune` would do besides. */
  readonly changes: readonly PlannedDifference[];
  readonly guards: readonly GuardViolation[];
  readonly requests: number;
  /** How many people get a direct message. */
  readonly messages: number;
}

export interface PlanOptions extends Allowed {
  readonly prune?: boolean;
  readonly portion?: number | undefined;
}

/** In the order in which they begin, with what they take. */
function inTurn(differences: readonly Difference[], steps: readonly Step[]): PlannedDifference[] {
  const requests = new Map<number, number>();
  for (const { of } of steps) requests.set(of, (requests.get(of) ?? 0) + 1);
  return [...requests].map(([of, count]) => ({ difference: differences[of]!, requests: count }));
}

/** The plan of what another plan has found, as the organization is now. */
export function replanned(
  snapshot: Snapshot,
  differences: readonly Difference[],
  { portion, ...allowed }: PlanOptions = {},
): Plan {
  const found = { differences, withheld: [], used: [], refused: [], problems: [], notices: [], unmanaged: {} };
  return assembled(snapshot, found, { portion, ...allowed });
}

/** Throws nothing over what stands in the file: `comparison.problems` says what is wrong with it. */
export function planned(
  snapshot: Snapshot,
  content: Content,
  { prune = false, portion, ...allowed }: PlanOptions,
): Plan {
  return assembled(snapshot, compare(snapshot, content, { prune }), { portion, ...allowed }, content);
}

function assembled(
  snapshot: Snapshot,
  compared: Comparison,
  { portion, ...allowed }: PlanOptions,
  content?: Content,
): Plan {
  const result = after(snapshot, compared.differences);
  const differences = withDestructive(snapshot, result, compared.differences);
  const withheld = withDestructive(
    snapshot,
    after(
      result,
      compared.withheld.map(({ prune: _, ...one }) => one as Difference),
    ),
    compared.withheld,
  );
  const steps = ordered(snapshot, differences, { verifyWith: "zulipctl org plan", portion });
  const changes = inTurn(differences, steps);
  const comparison = {
    ...compared,
    differences: changes.map(({ difference }) => difference),
    withheld,
    refused: [
      ...compared.refused,
      ...unreadableInvitations(snapshot, result, differences),
      ...protectedTopics(result, differences),
      ...refusedIn(steps, differences),
    ],
  };
  return {
    comparison,
    result,
    changes: [...changes, ...withheld.map((difference) => ({ difference, requests: 0 }))],
    guards: compared.problems.length
      ? []
      : guards({ snapshot, result, differences, ...(content && { content }) }, allowed),
    requests: changes.reduce((sum, { requests }) => sum + requests, 0),
    messages: messagesOf(snapshot, differences),
  };
}
