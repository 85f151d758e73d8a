/** The requests of a plan: for a dry run, and as rows of a run. */

import type { BatchRow } from "../../../batch/validation.ts";
import type { Server } from "../../../client/server.ts";
import { type Change, unchangedResult } from "../../../engine/change.ts";
import { withIds } from "../../../engine/provisional-ids.ts";
import { type Key, keyOf } from "../../../engine/task.ts";
import { Conflict } from "../../../errors.ts";
import { groupBy } from "../../../group-by.ts";
import type { Difference } from "../../../organization/difference.ts";
import { titleOf } from "../../../organization/file.ts";
import type { Step } from "../../../organization/order.ts";
import type { Plan } from "../../../organization/plan.ts";
import { recheck } from "../../../organization/recheck.ts";
import type { ShownRequest } from "../../../output/requests.ts";
import { type Requests, requests, showRequest } from "../../../run/context.ts";

export type Rows = ReturnType<typeof rowsOf>;

/** Makes one row for each change. `confirmed` is the plan that the user saw, `fresh` the plan of the second reading. */
export function rowsOf(confirmed: Plan, fresh: Plan) {
  const { conflicts, done } = recheck(confirmed.comparison.differences, fresh.comparison.differences);
  const keys: Key[] = [];
  const parts = new Map<number, number>();
  for (const { of } of fresh.steps) {
    const part = parts.get(of) ?? 0;
    parts.set(of, part + 1);
    keys.push(keyOf(of + 1, part));
  }
  const keyed = fresh.steps.map((step, n) => ({ step, n }));
  const stepsOf = groupBy(keyed, ({ step }) => step.of);
  const blocked = new Set<number>();
  for (const [n, { of, needs }] of fresh.steps.entries()) {
    const difference = fresh.comparison.differences[of];
    if ((difference && conflicts.has(difference)) || needs.some((each) => blocked.has(each))) blocked.add(n);
  }
  const there = fresh.comparison.differences.map((difference, of): BatchRow => {
    const says = conflicts.get(difference);
    const steps = stepsOf.get(of) ?? [];
    const changes = steps.map(
      ({ step }): Change => ({ ...step.change, requires: step.needs.flatMap((each) => keys[each] ?? []) }),
    );
    return {
      row: of + 1,
      changes,
      raw: "",
      ...(says !== undefined && { knownResults: steps.map(() => conflict(difference, says)) }),
    };
  });
  const over = done.map((difference, n): BatchRow => {
    const of = confirmed.comparison.differences.indexOf(difference);
    const changes = confirmed.steps.flatMap((step: Step): Change[] => {
      if (step.of !== of) return [];
      const { provisionalId: _, ids: __, ...change } = step.change;
      return [{ ...change, requires: [] }];
    });
    return { row: there.length + n + 1, changes, raw: "", knownResults: changes.map(() => unchangedResult) };
  });
  const isSent = (of: number) => stepsOf.has(of) && !stepsOf.get(of)?.some(({ n }) => blocked.has(n));
  return {
    rows: [...there, ...over],
    /** The difference of each row. */
    differences: [...fresh.comparison.differences, ...done],
    /** The order of all changes. */
    order: keys,
    /** Differences that are sent completely: confirmed, and independent of what somebody else changed. */
    sent: fresh.comparison.differences.filter((_, of) => isSent(of)),
  };
}

const conflict = (difference: Difference, says: string) => ({
  outcome: "refused" as const,
  failure: new Conflict(`${titleOf(difference)} ${says}`, {
    outcome: "not_sent",
    hint: "Plan again to see what differs now.",
  }),
});

/** Returns the text as it stands in a path or a form. */
const encoded = (text: string): string[] => [
  encodeURIComponent(text),
  new URLSearchParams([["", text]]).toString().slice(1),
];

/** Formats requests. Unknown ids are shown as `<id of …>`. */
export async function showSteps(server: Server, steps: readonly Step[]): Promise<Requests> {
  const ids = new Map<number, string>();
  const shown: ShownRequest[] = [];
  for (const { change } of steps) {
    const request = await showRequest(server, { ...change, ...withIds(change, ids) });
    const plain = (text: string) =>
      [...ids.values()].reduce((all, id) => encoded(id).reduce((some, each) => some.replaceAll(each, id), all), text);
    shown.push({
      ...request,
      url: plain(request.url),
      ...(request.body !== undefined && { body: plain(request.body) }),
    });
    if (change.provisionalId !== undefined) ids.set(change.provisionalId, `<id of ${change.target}>`);
  }
  return requests(shown);
}
