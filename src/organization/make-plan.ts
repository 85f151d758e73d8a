/** Makes a plan: the differences, their requests, and what stops it. */

import type { ChangeEffect } from "../model/effect.ts";
import { listIn } from "../model/kinds/lists.ts";
import { type Dropped, droppedFrom } from "./compare/dropped.ts";
import { type Comparison, compare } from "./compare.ts";
import type { Content } from "./content.ts";
import { type Difference, fieldsOf, marksOf } from "./difference.ts";
import { groupMembershipIn } from "./group-members.ts";
import { type GuardOverrides, type GuardViolation, guards } from "./guards.ts";
import { listChanges } from "./id-values.ts";
import { judgePlan } from "./judge-plan.ts";
import { inStartOrder, orderRequests, type RequestStep } from "./order.ts";
import type { AccessChange } from "./plan/access-change.ts";
import { predict } from "./prediction.ts";
import { isSettings } from "./section-names.ts";
import { everybodyOf, type Snapshot } from "./snapshot.ts";
import { cyclicGroups, unsupportedChannels, unsupportedNames, unsupportedPermissions } from "./unsupported.ts";

export interface OrganizationPlan {
  /** The name of the other side. "the file" by default. */
  readonly comparedWith?: string | undefined;
  /** Its differences are in the order of their first requests, with `effects` filled in. */
  readonly comparison: Comparison;
  /** The requests, in order. */
  readonly steps: readonly RequestStep[];
  /** The organization before the plan. */
  readonly before: Snapshot;
  /** The organization after it. */
  readonly result: Snapshot;
  readonly guards: readonly GuardViolation[];
  /** What an earlier file set and this one does not mention. */
  readonly dropped?: readonly Dropped[];
  /** The number of people who get a direct message. */
  readonly messages: number;
  /** Who gains and who loses permissions. Absent if the command does not show it. */
  readonly access?: readonly AccessChange[];
}

export interface PlanOptions extends GuardOverrides {
  readonly prune?: boolean;
  /** Plan the rest if there are problems. */
  readonly partial?: boolean;
  readonly portion?: number | undefined;
  readonly verifyWith?: string;
  readonly comparedWith?: string | undefined;
  /** The file as it was before. */
  readonly base?: Content | undefined;
}

/** Returns the guards of complete lists without an entry: each would remove everything of its kind. */
function emptyLists(content: Content, all: readonly Difference[]): GuardViolation[] {
  return (content.complete ?? []).flatMap((name) => {
    const isEmpty = !isSettings(name) && !content[name]?.length;
    const says = `"complete" names ${name}, and the list is empty: that would remove everything in it`;
    return isEmpty && all.some(({ section }) => section === name) ? [{ says }] : [];
  });
}

/**
 * Counts the people who get a direct message: people added to existing channels, and added to or removed from existing
 * groups. Servers send none for new channels and groups, and none to the caller.
 */
export function messagesOf(snapshot: Snapshot, differences: readonly Difference[]): number {
  const people = new Set<number>();
  for (const one of differences)
    for (const { field, from, to } of fieldsOf(one)) {
      const list = listIn(one.section, field);
      if (!list?.notifies) continue;
      const [added, removed] = listChanges(from, to);
      for (const id of list.notifies === "both" ? [...added, ...removed] : added) people.add(id);
    }
  people.delete(snapshot.organization.user_id);
  return everybodyOf(snapshot).filter(({ is_bot, user_id }) => !is_bot && people.has(user_id)).length;
}

/** Returns the same differences with what they do to people and content. */
const withEffects = (all: readonly Difference[], effects: readonly (readonly ChangeEffect[])[]): Difference[] =>
  all.map(({ destructive: _, irreversible: __, effects: ___, ...one }, n) => ({
    ...one,
    ...marksOf(effects[n] ?? []),
  }));

/** Makes a plan. Errors in the file are in `comparison.problems` and never thrown. */
export async function makePlan(
  snapshot: Snapshot,
  content: Content,
  { prune = false, partial = false, portion, comparedWith, base, ...options }: PlanOptions,
): Promise<OrganizationPlan> {
  const { verifyWith = "zulipctl org plan", ...allowed } = options;
  const before = groupMembershipIn(snapshot);
  const compared = compare(before, content, { prune, partial });
  const prediction = predict(before, compared.differences);
  const result = prediction.after.snapshot;
  const circular = cyclicGroups(result);
  const requests = circular.length ? [] : orderRequests(prediction, { verifyWith, portion });
  // What a request does may depend on those before it.
  const started = inStartOrder(prediction.differences, requests);
  const judgment = await judgePlan({ ...prediction, differences: started.differences }, started.steps);
  const found = withEffects(started.differences, judgment.effects);
  const unsent = { ...prediction, differences: compared.onlyWithPrune };
  const removals = compared.onlyWithPrune.length ? orderRequests(unsent, { verifyWith, portion }) : [];
  const onlyWithPrune = withEffects(compared.onlyWithPrune, (await judgePlan(unsent, removals)).effects);
  const { differences, steps } = inStartOrder(found, started.steps);
  const planned = { ...prediction, differences };
  return {
    comparedWith,
    comparison: {
      ...compared,
      differences,
      onlyWithPrune,
      refused: [
        ...compared.refused,
        ...circular,
        ...unsupportedChannels(planned),
        ...unsupportedPermissions(planned),
        ...(await unsupportedNames(planned, steps)),
      ],
    },
    steps,
    before: snapshot,
    result,
    guards: compared.problems.length
      ? []
      : [
          ...guards(planned, judgment, allowed),
          ...(comparedWith === undefined ? emptyLists(content, [...differences, ...onlyWithPrune]) : []),
        ],
    ...(base && {
      dropped: droppedFrom(snapshot, {
        base,
        content,
        differences: compare(before, base, { partial: true }).differences,
      }),
    }),
    messages: messagesOf(snapshot, differences),
  };
}
