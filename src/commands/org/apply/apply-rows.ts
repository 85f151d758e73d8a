/** The requests of a plan: for a dry run, and as rows of a run. */

import type { Server } from "../../../client/server.ts";
import { groupBy } from "../../../common/group-by.ts";
import { type Change, unchangedResult } from "../../../engine/change.ts";
import { withIds } from "../../../engine/provisional-ids.ts";
import { type TaskKey, taskKey } from "../../../engine/task.ts";
import { Conflict } from "../../../errors.ts";
import type { Difference } from "../../../organization/difference.ts";
import type { OrganizationPlan } from "../../../organization/make-plan.ts";
import type { RequestStep } from "../../../organization/order.ts";
import { wordingOf } from "../../../organization/plan/wording.ts";
import { recheck } from "../../../organization/recheck.ts";
import { differenceTitle } from "../../../organization/section-registry.ts";
import type { ShownRequest } from "../../../output/shown-requests.ts";
import type { IdNames } from "../../../resolve/look-ups.ts";
import { showRequest } from "../../../run/context.ts";
import type { RunRow } from "../../../run/journal/row.ts";

/** Returns the key of each step. `before`: the number of rows before these. */
function keysOf(steps: readonly RequestStep[], before: number): TaskKey[] {
  const parts = new Map<number, number>();
  return steps.map(({ of }) => {
    const part = parts.get(of) ?? 0;
    parts.set(of, part + 1);
    return taskKey(before + of + 1, part);
  });
}

const withNeeds = ({ change, needs }: RequestStep, keys: readonly TaskKey[]): Change => ({
  ...change,
  requires: needs.flatMap((each) => keys[each] ?? []),
});

/** Makes rows of changes that follow from the others. `before`: the number of rows before these. */
export function moreRows(
  { differences, steps }: { differences: readonly unknown[]; steps: readonly RequestStep[] },
  before: number,
) {
  const order = keysOf(steps, before);
  const stepsOf = groupBy(steps, ({ of }) => of);
  const rows = differences.map((_, n): RunRow => {
    const changes = (stepsOf.get(n) ?? []).map((step) => withNeeds(step, order));
    return { row: before + n + 1, changes };
  });
  return { rows, order };
}

/** Makes one row for each change. `confirmed` is the plan that the user saw, `fresh` the plan of the second reading. */
export function applyRows(confirmed: OrganizationPlan, fresh: OrganizationPlan) {
  const { differences } = fresh.comparison;
  const { conflicts, done } = recheck(confirmed.comparison.differences, differences, wordingOf(fresh.result));
  const stepsOf = groupBy(fresh.steps, ({ of }) => differences[of]);
  const keys = keysOf(fresh.steps, 0);
  /** Steps of conflicts, and steps that need these. */
  const blocked = new Set<RequestStep | undefined>();
  for (const step of fresh.steps) {
    const difference = differences[step.of];
    const isConflict = difference && conflicts.has(difference);
    if (isConflict || step.needs.some((each) => blocked.has(fresh.steps[each]))) blocked.add(step);
  }
  const freshRows = differences.map((difference, n): RunRow => {
    const steps = stepsOf.get(difference) ?? [];
    const message = conflicts.get(difference);
    return {
      row: n + 1,
      changes: steps.map((step) => withNeeds(step, keys)),
      ...(message !== undefined && { knownResults: steps.map(() => conflict(difference, message)) }),
    };
  });
  const doneRows = done.map((difference, n): RunRow => {
    const of = confirmed.comparison.differences.indexOf(difference);
    const changes = confirmed.steps
      .filter((step) => step.of === of)
      .map(({ change: { provisionalId: _, ids: __, ...change } }): Change => ({ ...change, requires: [] }));
    return { row: freshRows.length + n + 1, changes, knownResults: changes.map(() => unchangedResult) };
  });
  return {
    rows: [...freshRows, ...doneRows],
    /** The difference of each row. */
    differences: [...differences, ...done],
    /** The order of all changes. */
    order: keys,
    /** Differences that are sent completely: confirmed, and independent of what somebody else changed. */
    sent: differences.filter((each) => stepsOf.get(each)?.every((step) => !blocked.has(step))),
  };
}

const conflict = (difference: Difference, message: string) => ({
  outcome: "refused" as const,
  failure: new Conflict(`${differenceTitle(difference)} ${message}`, {
    outcome: "not_sent",
    hint: "Plan again to see what differs now.",
  }),
});

/** Returns the text as it stands in a path or a form. */
const encoded = (text: string): string[] => [
  encodeURIComponent(text),
  new URLSearchParams([["", text]]).toString().slice(1),
];

/** Formats requests, with the names that `find` knows. Unknown ids are shown as `<id of …>`. */
export async function showSteps(
  server: Server,
  steps: readonly RequestStep[],
  names?: IdNames,
): Promise<ShownRequest[]> {
  const ids = new Map<number, string>();
  const shown: ShownRequest[] = [];
  for (const { change } of steps) {
    const request = await showRequest(server, { ...change, ...withIds(change, ids) }, names);
    const plain = (text: string) =>
      [...ids.values()].reduce((all, id) => encoded(id).reduce((some, each) => some.replaceAll(each, id), all), text);
    shown.push({
      ...request,
      url: plain(request.url),
      ...(request.body !== undefined && { body: plain(request.body) }),
      ...(request.inWords && { inWords: request.inWords.map(([name, text]) => [name, plain(text)]) }),
    });
    if (change.provisionalId !== undefined) ids.set(change.provisionalId, `<id of ${change.target}>`);
  }
  return shown;
}
