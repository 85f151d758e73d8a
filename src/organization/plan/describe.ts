/** Describes a plan as data, and as text for people. */
import type { ChalkInstance } from "chalk";
import { counted, joinFirst } from "../../common/counted.ts";
import { groupBy } from "../../common/group-by.ts";
import { escaped, sanitizeLine } from "../../output/sanitize.ts";
import { same } from "../canonical.ts";
import type { Difference, FieldChange, ThingId, Update } from "../difference.ts";
import { sections, thingSections, titleOf } from "../file.ts";
import type { Plan } from "../plan.ts";
import { everybodyOf } from "../snapshot.ts";
import { hasAccounts } from "../words.ts";
import { type Wording, wordingOf } from "./wording.ts";

type Row = Record<string, unknown>;

/** Returns the fields whose values differ. */
const differing = ({ fields }: Update): FieldChange[] => fields.filter(({ from, to }) => !same(from, to));

const fieldRow = (wording: Wording, { section }: Difference, change: FieldChange): Row => ({
  field: change.of ? `profile.${change.of.name}` : change.field,
  ...(change.from !== undefined && { from: wording.inFile(section, change, change.from) }),
  to: wording.inFile(section, change, change.to),
});

function changeRow(wording: Wording, one: Difference, requests: number): Row {
  const { section, name, action, destructive, prune } = one;
  return {
    section,
    name,
    action,
    ...(one.action === "reorder" && { from: wording.order(section, one.from), to: wording.order(section, one.to) }),
    ...(one.action === "remove" && { from: wording.ofNew(section, one.from) }),
    ...((one.action === "create" || one.action === "invite") && { to: wording.ofNew(section, one.to) }),
    ...("fields" in one &&
      one.fields.length && { fields: differing(one).map((change) => fieldRow(wording, one, change)) }),
    ...(destructive && { destructive }),
    ...(prune && { prune }),
    requests,
  };
}

/** Returns the changes in order, then what only `--prune` would change. */
const changesIn = ({ comparison: { differences, withheld } }: Plan): Difference[] => [...differences, ...withheld];

/** Returns the plan as `-o json` prints it. */
export function planRecord(plan: Plan): Row {
  const { site, email, feature_level } = plan.before;
  const wording = wordingOf(plan.result);
  const { used, refused, notices, unmanaged } = plan.comparison;
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
    ...(refused.length && { refused: refused.map(({ path: _, ...one }) => one) }),
    ...(plan.guards.length && { guards: plan.guards }),
    ...(notices.length && { notices: notices.map(({ message }) => message) }),
  };
}

/** By action, the sign of its line, and what follows the name. */
const actions: Readonly<Record<Difference["action"], readonly [sign: string, remark?: string]>> = {
  create: ["+"],
  invite: ["+", "invited"],
  update: ["~"],
  unarchive: ["~", "out of the archive"],
  reactivate: ["~", "reactivated"],
  reorder: ["~"],
  archive: ["-", "archived"],
  deactivate: ["-", "deactivated"],
  remove: ["-"],
};

interface TextOptions {
  chalk: ChalkInstance;
  /** Wraps long lines. Continuation lines are indented by `hanging`. */
  fold?: ((line: string, hanging: number) => string) | undefined;
  /** Sentences about who gains and loses permissions. */
  rights?: readonly string[];
}

/** Returns the name of a thing in a plan. */
function nameOf(one: Difference, people: ReadonlyMap<unknown, string>): string {
  const { section } = one;
  const person = "id" in one ? people.get(one.id) : undefined;
  if (hasAccounts(section) && person !== undefined)
    return `${sections[section].one} ${person}${person === one.name ? "" : ` (${one.name})`}`;
  const renamed =
    "fields" in one && one.section !== "settings"
      ? one.fields.find(({ field }) => field === "name" || field === "pattern")
      : undefined;
  return `${titleOf(one)}${renamed ? ` (was ${renamed.from})` : ""}`;
}

/** Returns whether the title already says the value. */
const isInName = (section: Difference["section"], field: string): boolean =>
  field === "email" || (field === "name" && section !== "bots");

function detailsOf(wording: Wording, one: Difference): string[] {
  const { section } = one;
  if ("fields" in one) return differing(one).map((change) => wording.line(section, change));
  const order = (all: readonly ThingId[]) => wording.order(section, all).join(", ");
  if (one.action === "reorder") return [`from: ${order(one.from)}`, `to: ${order(one.to)}`];
  if (one.action === "remove") return [];
  // Empty lists are the default.
  return Object.entries(one.to)
    .filter(([field, to]) => !isInName(section, field) && !(Array.isArray(to) && !to.length))
    .map(([field, to]) => wording.ofNewThing(section, field, to, one.through?.[field]));
}

function countsOf({ comparison, steps, messages, comparedWith, guards }: Plan, differs: boolean): string {
  const count = (sign: string) => comparison.differences.filter(({ action }) => actions[action][0] === sign).length;
  const withheld = comparison.withheld.length;
  const counts = [
    count("+") && `${count("+")} to create`,
    count("~") && `${count("~")} to change`,
    count("-") && `${count("-")} to remove`,
    withheld && `${withheld} to remove (kept: no --prune)`,
    comparison.refused.length && `${comparison.refused.length} refused`,
  ].filter(Boolean);
  if (!differs) return `No changes${withheld ? `; ${counts.join(", ")}` : ""}.`;
  const changed = `${counts.join(", ")}.`;
  // A comparison of two organizations is never applied.
  if (comparedWith !== undefined) return changed;
  if (comparison.refused.length || guards.length) return `${changed} This plan cannot be applied.`;
  const people = messages ? `, ${counted(messages, "person gets", "people get")} a message` : "";
  return `${changed} ${counted(steps.length, "request")}${people}.`;
}

function unmanagedIn({ comparison: { unmanaged } }: Plan, otherSide: string): string[] {
  const all = thingSections.flatMap((name) => {
    const { one, plural } = sections[name];
    return unmanaged[name] ? [counted(unmanaged[name], one, plural)] : [];
  });
  return all.length ? [`Not in ${otherSide}: ${all.join(", ")}.`] : [];
}

export type Description = ReturnType<typeof describePlan>;

/**
 * Describes a plan for all formats. Texts may contain control characters. `quoted` escapes the name of the other
 * organization or file.
 */
export function describePlan(plan: Plan, quoted = (name: string) => name) {
  const otherSide = plan.comparedWith === undefined ? "the file" : quoted(plan.comparedWith);
  const { differences, refused, used } = plan.comparison;
  const wording = wordingOf(plan.result);
  const people = new Map<unknown, string>(everybodyOf(plan.before).map((person) => [person.user_id, person.full_name]));
  const described = (one: Difference) => {
    const [sign, action] = actions[one.action];
    const remark = [action, one.prune && "only with --prune"].filter(Boolean).join(", ");
    return {
      sign,
      title: `${nameOf(one, people)}${remark ? `: ${remark}` : ""}`,
      details: detailsOf(wording, one),
      destructive: one.destructive ?? [],
      prune: one.prune ?? false,
    };
  };
  const differs = differences.length > 0 || refused.length > 0;
  return {
    /** The name of the other side. */
    otherSide,
    differs,
    changes: changesIn(plan).map(described),
    /** Things that `--prune` keeps because they are in use. */
    kept: used.map((one) => `${titleOf(one)} (by ${joinFirst(one.by, 3)})`),
    /** Changes that the server would refuse. */
    refused: refused.map((one) => `${titleOf(one)}: ${one.says}`),
    /** What guards stop, with the flag that allows it. */
    guarded: plan.guards.map(({ says, lifted }) => `${says}${lifted ? ` (${lifted})` : ""}`),
    counts: countsOf(plan, differs),
    unmanaged: unmanagedIn(plan, otherSide),
  };
}

/** Returns the plan as text. A plan without changes is one line. */
export function planText(plan: Plan, options: TextOptions): string {
  const { chalk, fold = (line) => line, rights = [] } = options;
  const { site, email, feature_level } = plan.before;
  const { otherSide, differs, changes, kept, refused, guarded, counts, unmanaged } = describePlan(plan);
  // Invisible characters make a name different, so show them.
  const folded = (line: string, hanging: number) => fold(sanitizeLine(escaped(line)), hanging);
  const bad = (line: string) => chalk.red(folded(`✗ ${line}`, 2));
  const linesOf = ({ sign, title, details, destructive, prune }: Description["changes"][number]): string[] => {
    const paint = prune ? chalk.dim : sign === "+" ? chalk.green : sign === "-" ? chalk.red : chalk.yellow;
    return [
      paint(folded(`${sign} ${title}`, 4)),
      ...details.map((line) => folded(`    ${line}`, 6)),
      ...destructive.map((says) => chalk.bold(folded(`  ! ${says}`, 4))),
    ];
  };
  // A job that reports drift prints one line if there is none.
  if (!differs && !changes.length && !guarded.length) {
    const inUse = kept.length ? [`Kept because in use: ${joinFirst(kept, 5)}.`] : [];
    return `${folded([`${site} matches ${otherSide}.`, ...inUse, ...unmanaged].join(" "), 0)}\n`;
  }
  const parts = [
    [chalk.bold(sanitizeLine(`${site} as ${email}, level ${feature_level}`))],
    changes.flatMap(linesOf),
    kept.map((one) => folded(`  kept because in use: ${one}`, 4)),
    refused.map(bad),
    guarded.map(bad),
    rights.map((line) => folded(line, 2)),
    [counts, ...unmanaged].map((line) => folded(line, 0)),
  ];
  const filled = parts.filter((part) => part.length).map((part) => part.join("\n"));
  return `${filled.join("\n\n")}\n`;
}
