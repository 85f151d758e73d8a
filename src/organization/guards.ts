/** Guards: stop a plan with an unusual result unless a flag allows it. Rules of plans stand here, others in `src/effects`. */

import { counted, joinFirst } from "../common/counted.ts";
import { groupBy } from "../common/group-by.ts";
import type { Judgment } from "../effects/judge.ts";
import { violationsOf } from "../effects/policy.ts";
import { listAttributes } from "../model/kinds/lists.ts";
import { roleNumber } from "../model/person.ts";
import {
  exceeds,
  fewRemovals,
  isMoreThanTenth,
  limitText,
  type RemovalLimit,
  type Removals,
} from "../model/removal-limit.ts";
import { type Difference, fieldsOf, optionsOf, type ThingId } from "./difference.ts";
import { isEmpty, listChanges } from "./id-values.ts";
import { judgePlan } from "./judge-plan.ts";
import { orderRequests } from "./order.ts";
import type { Prediction } from "./prediction.ts";
import { differenceTitle, sections, thingSections } from "./section-registry.ts";
import { holders } from "./sections/profile-fields.ts";
import { countActive } from "./sections/section.ts";
import { organizationSetting, type Snapshot } from "./snapshot.ts";

/** The flags that override guards. */
export interface GuardOverrides {
  readonly allowEmpty?: boolean;
  readonly allowLockout?: boolean;
  /** Replaces both limits. */
  readonly maxRemovals?: RemovalLimit;
}

const overrides = ["--allow-empty", "--allow-lockout", "--max-removals"] as const;

/** What a guard found: a sentence that names the thing, and the flag that allows it. */
export interface GuardViolation {
  readonly says: string;
  readonly overrideFlag?: (typeof overrides)[number];
  /** The limit that would allow all removals of the plan. */
  readonly removals?: number;
}

/** From this length on, a list may lose at most a tenth without a flag. */
const longList = 20;

/** The number of items that one list loses. */
interface RemovalCount extends Removals {
  readonly what: string;
}

const lists = new Set([...listAttributes, "options"]);

/** Returns the lists that lose items. `remaining` counts the items afterwards. */
const shortenedLists = (
  differences: readonly Difference[],
): (RemovalCount & { readonly field: string; readonly remaining: number })[] =>
  differences.flatMap((one) =>
    fieldsOf(one).flatMap(({ field, ...change }) => {
      if (!lists.has(field)) return [];
      const keys = (value: unknown): ThingId[] => optionsOf(value).map(({ key }) => ({ new: key }));
      const [from, to] = [change.from, change.to].map((value) => (field === "options" ? keys(value) : value));
      const [, { length: count }] = listChanges<ThingId>(from, to);
      const [total = 0, remaining = 0] = [from, to].map((value) => (Array.isArray(value) ? value.length : 0));
      return count ? [{ field, what: `${field} of ${differenceTitle(one)}`, count, total, remaining }] : [];
    }),
  );

/** Counts by section the active things that are archived, deactivated or removed. */
const archivedCounts = (snapshot: Snapshot, differences: readonly Difference[]): RemovalCount[] =>
  thingSections.map((name) => {
    const removed = differences.filter(
      ({ section, action }) => section === name && ["archive", "deactivate", "remove"].includes(action),
    );
    return { what: name.replace("_", " "), count: removed.length, total: countActive(sections[name], snapshot) };
  });

/** Counts people who get a lower role. */
function rolesTaken(snapshot: Snapshot, differences: readonly Difference[]): RemovalCount {
  const changes = differences.flatMap(fieldsOf).filter(({ field }) => field === "role");
  const count = changes.filter(
    ({ from, to }) => (roleNumber(to) ?? 0) > (roleNumber(from) ?? Number.POSITIVE_INFINITY),
  ).length;
  return { what: "roles of people", count, total: countActive(sections.people, snapshot) };
}

/** Counts by profile field the values that are deleted. */
function valuesCleared(snapshot: Snapshot, differences: readonly Difference[]): RemovalCount[] {
  const cleared = differences.flatMap(fieldsOf).filter(({ of, from, to }) => of && !isEmpty(from) && isEmpty(to));
  return [...groupBy(cleared, ({ of }) => of?.name)].map(([name, all]) => ({
    what: `values of profile field ${name}`,
    count: all.length,
    total: holders(snapshot, all[0].of?.field),
  }));
}

function removals(all: readonly RemovalCount[], allowed: RemovalLimit | undefined): GuardViolation[] {
  const removed = all.filter(({ count }) => count);
  const sum = removed.reduce((total, { count }) => total + count, 0);
  const override = { overrideFlag: "--max-removals", removals: sum } as const;
  const limits = allowed && `--max-removals allows ${limitText(allowed)}`;
  if (allowed?.isPercent)
    return removed
      .filter((each) => exceeds(each, allowed))
      .map(({ what, count, total }) => ({
        says: `${count} of ${total} ${what} would be removed: ${limits}`,
        ...override,
      }));
  if (allowed) return sum > allowed.most ? [{ says: `${counted(sum, "removal")}: ${limits}`, ...override }] : [];
  if (sum > fewRemovals) {
    const counts = removed.map(({ what, count }) => `${what} (${count})`);
    return [{ says: `${sum} removals in one run: ${joinFirst(counts)}`, ...override }];
  }
  return removed
    .filter(({ count, total }) => total > longList && isMoreThanTenth({ count, total }))
    .map(({ what, count, total }) => ({
      says: `${count} of ${total} ${what} would be removed: more than a tenth`,
      ...override,
    }));
}

function restriction(snapshot: Snapshot, result: Snapshot): GuardViolation[] {
  const isRestricted = organizationSetting(result, "emails_restricted_to_domains");
  const says = "the last domain would be removed while emails_restricted_to_domains is on: any address could join";
  const losesLast = snapshot.organization.realm_domains.length && !result.organization.realm_domains.length;
  return isRestricted && losesLast ? [{ says }] : [];
}

/** Returns what the policy of all commands stops. */
export const judgedViolations = (judgment: Judgment, allowed: GuardOverrides): GuardViolation[] =>
  violationsOf(judgment, allowed).map(({ says, isSentence, overrideFlag, limit }): GuardViolation => {
    const text = isSentence ? says : `this would ${says}${limit === undefined ? "" : `: ${limit}`}`;
    const [, removals] = /^--max-removals (\d+)/.exec(overrideFlag ?? "") ?? [];
    if (removals !== undefined) return { says: text, overrideFlag: "--max-removals", removals: Number(removals) };
    const flag = overrides.find((each) => each === overrideFlag);
    return { says: text, ...(flag && { overrideFlag: flag }) };
  });

/** Returns what stops a plan: the policy of all commands, and rules of its own. */
export function guards(
  prediction: Prediction,
  judgment: Judgment,
  { allowEmpty, ...allowed }: GuardOverrides,
): GuardViolation[] {
  const { differences } = prediction;
  if (!differences.length) return [];
  const [{ snapshot }, { snapshot: result }] = [prediction.before, prediction.after];
  const shorter = shortenedLists(differences);
  const optionless = shorter.filter(({ field, remaining }) => field === "options" && !remaining && !allowEmpty);
  const removed = [
    ...archivedCounts(snapshot, differences),
    rolesTaken(snapshot, differences),
    ...valuesCleared(snapshot, differences),
    ...shorter,
  ];
  const tooMany = removals(removed, allowed.maxRemovals);
  // The rule for plans is the stricter one, and counts more.
  const judged = judgedViolations(judgment, { allowEmpty, ...allowed }).filter(
    ({ overrideFlag }) => overrideFlag !== "--max-removals" || !tooMany.length,
  );
  return [
    ...judged,
    ...optionless.map(({ what, total }) => ({
      says: total === 1 ? `the only ${what.replace(/s? /, " ")} would be removed` : `all ${what} would be removed`,
      overrideFlag: "--allow-empty" as const,
    })),
    ...tooMany,
    ...restriction(snapshot, result),
  ];
}

/** Returns what stops these differences. They may be a part of those of a plan. */
export async function guardsOf(
  prediction: Prediction,
  options: Parameters<typeof orderRequests>[1],
  allowed: GuardOverrides,
): Promise<GuardViolation[]> {
  return guards(prediction, await judgePlan(prediction, orderRequests(prediction, options)), allowed);
}
