/** Describes a plan as data, and in words for text and Markdown. */
import { counted, joinFirst } from "../../common/counted.ts";
import { groupBy } from "../../common/group-by.ts";
import { effectRecord } from "../../model/effect.ts";
import { maskUrlsIn } from "../../notation/url-secrets.ts";
import { type Difference, type FieldChange, isCreation } from "../difference.ts";
import type { OrganizationPlan } from "../make-plan.ts";
import { hasAccounts, type SectionName, sectionNames } from "../section-names.ts";
import { differenceTitle, sections, thingSections } from "../section-registry.ts";
import { everybodyOf, type Person } from "../snapshot.ts";
import { maxDetailed } from "./limits.ts";
import type { Sign } from "./lines.ts";
import { deactivatedParagraphs, differing, paragraphsOf, signOf } from "./paragraphs.ts";
import { type Wording, wordingOf } from "./wording.ts";

/** Fewer changes are seen at a glance, and so are those of many sections. */
const fewest = 4;

export interface CountTable {
  readonly heads: readonly string[];
  readonly rows: readonly { readonly section: string; readonly counts: readonly number[] }[];
}

/** `channels`, `settings of new people`. */
export const sectionTitle = (section: SectionName): string => {
  const stated = sections[section];
  return "plural" in stated ? stated.plural : differenceTitle({ section, name: section });
};

const withSign = (all: readonly Difference[], sign: Sign): Difference[] => all.filter((one) => signOf(one) === sign);

/**
 * Returns the number of changes by section, without empty columns and rows. Undefined if there are few, or two or
 * fewer for each row.
 */
function countTable({ comparison }: OrganizationPlan): CountTable | undefined {
  const { differences, onlyWithPrune, refused } = comparison;
  const columns = Object.entries<readonly { section: SectionName }[]>({
    create: withSign(differences, "+"),
    change: withSign(differences, "~"),
    remove: withSign(differences, "-"),
    destructive: differences.filter(({ destructive }) => destructive),
    irreversible: differences.filter(({ irreversible }) => irreversible),
    "only with --prune": onlyWithPrune,
    refused,
  }).filter(([, all]) => all.length);
  const rows = sectionNames.flatMap((name) => {
    const counts = columns.map(([, all]) => all.filter(({ section }) => section === name).length);
    return counts.some(Boolean) ? [{ section: sectionTitle(name), counts }] : [];
  });
  const total = differences.length + onlyWithPrune.length + refused.length;
  if (total < fewest || total <= 2 * rows.length) return undefined;
  return { heads: columns.map(([head]) => head), rows };
}

/** Returns a sentence such as `1 to create, 2 to change. 3 requests.` */
function planCounts({ comparison, steps, messages, comparedWith, guards }: OrganizationPlan, differs: boolean): string {
  const count = (sign: Sign) => withSign(comparison.differences, sign).length;
  const onlyWithPrune = comparison.onlyWithPrune.length;
  const counts = [
    count("+") && `${count("+")} to create`,
    count("~") && `${count("~")} to change`,
    count("-") && `${count("-")} to remove`,
    onlyWithPrune && `${onlyWithPrune} to remove (kept: no --prune)`,
    comparison.deactivated.length && `${counted(comparison.deactivated.length, "account")} deactivated (kept)`,
    comparison.refused.length && `${comparison.refused.length} refused`,
  ].filter(Boolean);
  if (!differs) return `No changes${onlyWithPrune ? `; ${counts.join(", ")}` : ""}.`;
  const changed = counts.length ? `${counts.join(", ")}.` : "Nothing to apply.";
  // A comparison of two organizations is never applied.
  if (comparedWith !== undefined) return changed;
  if (comparison.refused.length || guards.length) return `${changed} This plan cannot be applied.`;
  const people = messages ? `, ${counted(messages, "person gets", "people get")} a message` : "";
  return `${changed} ${counted(steps.length, "request")}${people}.`;
}

type PlanRow = Record<string, unknown>;

const fieldRow = (wording: Wording, { section }: Difference, change: FieldChange): PlanRow => ({
  field: change.of ? `profile.${change.of.name}` : change.field,
  ...(change.from !== undefined && { from: wording.inFile(section, change, change.from) }),
  to: wording.inFile(section, change, change.to),
  ...(change.through?.length && { through: wording.through(section, change) }),
});

/** By attribute of a new thing, the people who are in the list because a group is. */
function throughOf(wording: Wording, one: Difference): PlanRow {
  if (one.action !== "create") return {};
  const lists = Object.entries(one.through ?? {}).filter(([, through]) => through.length);
  const rows = lists.map(([field, through]) => [field, wording.through(one.section, { field, through })]);
  return rows.length ? { through: Object.fromEntries(rows) } : {};
}

function changeRow(wording: Wording, one: Difference, requests: number): PlanRow {
  const { section, name, action, destructive, irreversible, effects, prune } = one;
  return {
    section,
    name,
    action,
    ...(one.action === "reorder" && { from: wording.order(section, one.from), to: wording.order(section, one.to) }),
    ...(one.action === "remove" && { from: wording.ofNew(section, one.from) }),
    ...(isCreation(one) && { to: wording.ofNew(section, one.to) }),
    ...throughOf(wording, one),
    ...("fields" in one &&
      one.fields.length && { fields: differing(one).map((change) => fieldRow(wording, one, change)) }),
    ...(destructive && { destructive }),
    ...(irreversible && { irreversible }),
    ...(effects && { effects: effects.map(effectRecord) }),
    ...(prune && { prune }),
    requests,
  };
}

/** Returns the changes in order, then what only `--prune` would change. */
const changesIn = ({ comparison: { differences, onlyWithPrune } }: OrganizationPlan): Difference[] => [
  ...differences,
  ...onlyWithPrune,
];

/** What is shown of a plan has no secrets of URLs. */
const withoutSecrets = ({ comparison, dropped, ...plan }: OrganizationPlan): OrganizationPlan => ({
  ...plan,
  comparison: {
    ...comparison,
    differences: maskUrlsIn(comparison.differences),
    onlyWithPrune: maskUrlsIn(comparison.onlyWithPrune),
  },
  ...(dropped && { dropped: maskUrlsIn(dropped) }),
});

/** Returns the plan as `-o json` prints it. */
export function planRecord(whole: OrganizationPlan): PlanRow {
  const plan = withoutSecrets(whole);
  const { site, email, feature_level } = plan.before;
  const wording = wordingOf(plan.result);
  const { used, refused, deactivated, notices, unmanaged } = plan.comparison;
  const requests = groupBy(plan.steps, ({ of }) => of);
  return {
    site,
    email,
    feature_level,
    changes: changesIn(plan).map((one, n) => changeRow(wording, one, requests.get(n)?.length ?? 0)),
    requests: plan.steps.length,
    messages: plan.messages,
    unmanaged,
    ...(used.length && { used: used.map(({ section, name, by }) => ({ section, name, used_by: by })) }),
    ...(deactivated.length && { deactivated }),
    ...(plan.dropped?.length && { no_longer_in_file: plan.dropped }),
    ...(refused.length && { refused }),
    ...(plan.guards.length && { guards: plan.guards }),
    ...(notices.length && { notices: notices.map(({ message }) => message) }),
  };
}

/** Returns the lines about what the earlier file set: `channel design: is_private`. */
function droppedIn({ dropped = [] }: OrganizationPlan, people: ReadonlyMap<unknown, Person>): string[] {
  if (!dropped.length) return [];
  const all = dropped.map(({ section, name, id, fields }) => {
    const person = hasAccounts(section) ? people.get(id)?.full_name : undefined;
    const title = differenceTitle({ section, name: person ?? name });
    return fields.length ? `${title}: ${fields.join(", ")}` : title;
  });
  return [`no longer in the file, stays as it is: ${all.join("; ")}`];
}

function unmanagedIn({ comparison: { unmanaged } }: OrganizationPlan, otherSide: string): string[] {
  const all = thingSections.flatMap((name) => {
    const { one, plural } = sections[name];
    return unmanaged[name] ? [counted(unmanaged[name], one, plural)] : [];
  });
  return all.length ? [`Not in ${otherSide}: ${all.join(", ")}.`] : [];
}

export type Description = ReturnType<typeof describePlan>;

interface DescriptionOptions {
  /** Escapes the name of the other organization or file. */
  readonly quoted?: (name: string) => string;
  /** Show the details of all changes of a large plan. */
  readonly isDetailed: boolean;
}

/** Describes a plan for all formats. Texts may contain control characters. */
export function describePlan(whole: OrganizationPlan, { quoted = (name) => name, isDetailed }: DescriptionOptions) {
  const plan = withoutSecrets(whole);
  const { differences, refused, deactivated, used } = plan.comparison;
  const all = changesIn(plan);
  const people = new Map<unknown, Person>(everybodyOf(plan.before).map((person) => [person.user_id, person]));
  const brief = all.length > maxDetailed && !isDetailed;
  const dropped = droppedIn(plan, people);
  const differs = [differences, refused, deactivated, dropped].some(({ length }) => length);
  const otherSide = plan.comparedWith === undefined ? "the file" : quoted(plan.comparedWith);
  const alike = groupBy(refused, (one) => `${one.section} ${one.says}`);
  return {
    /** The name of the other side. */
    otherSide,
    differs,
    changes: [
      ...paragraphsOf(all, { wording: wordingOf(plan.result), people, brief }),
      ...deactivatedParagraphs(deactivated, people),
    ],
    /** The number of changes without details. */
    brief: brief ? all.filter(({ destructive }) => !destructive).length : 0,
    irreversible: differences.filter(({ irreversible }) => irreversible).length,
    /** The number of changes with other destructive effects. */
    reversible: differences.filter(
      ({ destructive = [], irreversible = [] }) => destructive.length > irreversible.length,
    ).length,
    table: countTable(plan),
    /** Things that `--prune` keeps because they are in use. */
    kept: used.map((one) => `${differenceTitle(one)} (by ${joinFirst(one.by, 3)})`),
    /** What the earlier file set and this one does not mention. */
    dropped,
    /** Changes that the server would refuse. */
    refused: [...alike.values()].map((same) => {
      const [one] = same;
      const names = same.map(({ name }) => name).join(", ");
      return `${same.length > 1 ? `${sectionTitle(one.section)} ${names}` : differenceTitle(one)}: ${one.says}`;
    }),
    /** What guards stop, with the flag that allows it. */
    guarded: plan.guards.map(({ says, overrideFlag }) => `${says}${overrideFlag ? ` (${overrideFlag})` : ""}`),
    counts: planCounts(plan, differs),
    unmanaged: unmanagedIn(plan, otherSide),
  };
}
