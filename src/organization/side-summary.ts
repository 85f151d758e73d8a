/**
 * Puts organizations side by side: what differs, with the value of each side. One side is the base: the others are
 * compared with it, as plans that would make the base like them.
 */

import { groupBy } from "../common/group-by.ts";
import type { Refusal } from "./compare/findings.ts";
import { type Difference, type FieldChange, idIn } from "./difference.ts";
import type { OrganizationPlan } from "./make-plan.ts";
import { differing, isList, newValues } from "./plan/paragraphs.ts";
import { type Wording, wordingOf } from "./plan/wording.ts";
import { hasAccounts, type SectionName, sectionNames, type ThingSection } from "./section-names.ts";
import { differenceTitle, labelOf, sections } from "./section-registry.ts";
import { everybodyOf } from "./snapshot.ts";

type ThingState = "exists" | "missing" | "archived" | "deactivated";

/** A side of the comparison. */
export interface ComparedSide {
  readonly name: string;
  /** The address of an organization. Files have none. */
  readonly site?: string | undefined;
  /** What would make the base like this side. The base itself has none. */
  readonly plan?: OrganizationPlan | undefined;
  /** The number of active things by section. */
  readonly things: Readonly<Partial<Record<ThingSection, number>>>;
  /** Returns whether the side has a thing, archived or not. */
  has(section: SectionName, name: string): boolean;
}

/** A value or a state that differs, by side. */
export interface SummaryRow {
  readonly section: SectionName;
  readonly name: string;
  /** `channel design`. */
  readonly title: string;
  /** Absent for the state of the thing itself. */
  readonly field?: string;
  /** As a file says them. Null where the side does not have the thing. */
  readonly values: readonly unknown[];
  readonly words: readonly string[];
}

/** Sides that have the things of a section in another order than the base. */
interface OrderRow {
  readonly section: SectionName;
  readonly sides: readonly string[];
}

export interface Summary {
  readonly rows: readonly SummaryRow[];
  readonly orders: readonly OrderRow[];
  /** What the base cannot have, by side: its server would refuse it. */
  readonly refused: readonly (Pick<Refusal, "section" | "name" | "says"> & Record<"side" | "title", string>)[];
}

/** A list with more entries is counted, and the other sides say what they have more and less. */
const mostEntries = 8;

const absent = "-";

const isNumber = (id: unknown): boolean => typeof id === "number";

function wordOf(wording: Wording, section: SectionName, change: FieldChange, value: unknown): string {
  const data = wording.inFile(section, change, value);
  return change.field === "options" && Array.isArray(data) ? data.join(", ") : wording.value(section, change, value);
}

/** Says what the base has, and what a side has in its place. */
function wordsOf(wording: Wording, section: SectionName, change: FieldChange): readonly [from: string, to: string] {
  const { field, from, to } = change;
  const line = () => wording.line(section, change).slice(labelOf(change).length + 2);
  const [before, after] = [wordOf(wording, section, change, from), wordOf(wording, section, change, to)];
  if (isList(field) && Array.isArray(from) && Array.isArray(to) && Math.max(from.length, to.length) > mostEntries)
    return [`${from.length}: ${before}`, `${to.length}: ${line()}`];
  // Long lists can differ in what is not shown.
  return [before, before === after ? line() : after];
}

const creations = new Set<string | undefined>(["create", "invite"]);
const restorations = new Set<string | undefined>(["unarchive", "reactivate"]);

interface ComparedRow {
  readonly section: SectionName;
  readonly name: string;
  readonly title: string;
  /** By side. */
  readonly differences: Map<number, Difference>;
  /** Sides that do not have it, although the base cannot remove it: something uses it. */
  readonly without: Set<number>;
  /** Sides where the account is active. It is deactivated in the base, and no plan changes that. */
  readonly active: Set<number>;
}

/** Returns the same for a thing in all plans. */
function keyOf(section: SectionName, name: string, id: number | undefined): string {
  const stated = sections[section];
  const fold = "fold" in stated ? stated.fold : undefined;
  return `${section} ${id ?? (fold ? fold(name) : name)}`;
}

/** Returns the things that differ in some side, by section and in the order of the plans. */
function thingsIn(sides: readonly ComparedSide[]): ComparedRow[] {
  const things = new Map<string, ComparedRow>();
  const thingFor = (section: SectionName, name: string, id: number | undefined, shown: string): ComparedRow => {
    const key = keyOf(section, name, id);
    const title = differenceTitle({ section, name: shown });
    const thing = things.get(key) ?? {
      section,
      name,
      title,
      differences: new Map(),
      without: new Set(),
      active: new Set(),
    };
    things.set(key, thing);
    return thing;
  };
  for (const [n, { plan }] of sides.entries()) {
    if (!plan) continue;
    const people = new Map<unknown, string>(everybodyOf(plan.before).map((one) => [one.user_id, one.full_name]));
    for (const one of plan.comparison.differences) {
      const { section, name, action } = one;
      if (action === "reorder") continue;
      const id = idIn(one);
      const renamed = differing(one).find(({ field }) => field === "name" || field === "pattern");
      const nameBefore =
        (hasAccounts(section) && people.get(id)) || (id !== undefined && renamed ? String(renamed.from) : name);
      thingFor(section, name, id, nameBefore).differences.set(n, one);
    }
    const { used, deactivated } = plan.comparison;
    for (const { section, name, id } of used) thingFor(section, name, id, name).without.add(n);
    for (const { section, name, id } of deactivated) thingFor(section, name, id, people.get(id) ?? name).active.add(n);
  }
  return sectionNames.flatMap((section) => [...things.values()].filter((thing) => thing.section === section));
}

/** Returns whether a thing exists in each side. Undefined if that is the same everywhere. */
function stateRow(thing: ComparedRow, sides: readonly ComparedSide[]): SummaryRow | undefined {
  const { section, name, title, differences, without, active } = thing;
  const stated = sections[section];
  const inactive: ThingState =
    "archiving" in stated && stated.archiving?.archive === "archive" ? "archived" : "deactivated";
  const actions = [...differences.values()].map(({ action }) => action);
  const base: ThingState = actions.some((action) => creations.has(action))
    ? "missing"
    : active.size || actions.some((action) => restorations.has(action))
      ? inactive
      : "exists";
  const states = sides.map((side, n): ThingState => {
    const action = differences.get(n)?.action;
    if (without.has(n) || action === "remove") return "missing";
    if (action === "archive" || action === "deactivate") return side.has(section, name) ? inactive : "missing";
    return active.has(n) || creations.has(action) || restorations.has(action) ? "exists" : base;
  });
  if (new Set(states).size === 1) return undefined;
  return { section, name, title, values: states, words: states };
}

/** Returns the values that differ: from the base, or between the sides that have what the base does not have. */
function valueRows(
  { section, name, title, differences }: ComparedRow,
  sides: readonly ComparedSide[],
  wordings: readonly (Wording | undefined)[],
): SummaryRow[] {
  const changes = [...differences].flatMap(([n, one]) => {
    const all = [...differing(one), ...newValues(one).map(([field, to]): FieldChange => ({ field, to }))];
    const wording = wordings[n];
    return wording ? all.map((change) => ({ n, change, wording })) : [];
  });
  const isNew = [...differences.values()].some(({ action }) => creations.has(action));
  return [...groupBy(changes, ({ change }) => labelOf(change))].flatMap(([field, own]): SummaryRow[] => {
    const texts = own.map(({ n, change, wording }) => {
      const [from, to] = [change.from, change.to].map((value) => wording.inFile(section, change, value) ?? null);
      const words = isNew ? [absent, wordOf(wording, section, change, change.to)] : wordsOf(wording, section, change);
      return { n, base: { value: from, words: words[0] }, cell: { value: to, words: words[1] } };
    });
    const cells = sides.map((_, n) => texts.find((each) => each.n === n)?.cell ?? texts[0]?.base);
    const values = cells.map((cell) => cell?.value ?? null);
    const having = values.filter((_, n) => differences.has(n)).map((value) => JSON.stringify(value));
    if (isNew && new Set(having).size < 2) return [];
    return [{ section, name, title, field, values, words: cells.map((cell) => cell?.words ?? absent) }];
  });
}

/** Returns whether things that both sides have are in another order. A new thing, or one with a new name, has none. */
const isOtherOrder = (one: Difference): boolean =>
  one.action === "reorder" && one.from.filter(isNumber).join() !== one.to.filter(isNumber).join();

const ordersIn = (sides: readonly ComparedSide[]): OrderRow[] =>
  sectionNames.flatMap((section) => {
    const isOther = ({ plan }: ComparedSide) =>
      plan?.comparison.differences.some((one) => one.section === section && isOtherOrder(one));
    const names = sides.filter(isOther).map(({ name }) => name);
    return names.length ? [{ section, sides: names }] : [];
  });

/** Compares the sides. One of them has no plan: it is the base. */
export function summaryOf(sides: readonly ComparedSide[]): Summary {
  const wordings = sides.map(({ plan }) => plan && wordingOf(plan.result));
  const rows = thingsIn(sides).flatMap((thing) => {
    const state = stateRow(thing, sides);
    return [...(state ? [state] : []), ...valueRows(thing, sides, wordings)];
  });
  const refused = sides.flatMap(({ name, plan }) => {
    const { refused: all = [] } = plan?.comparison ?? {};
    return all.map((one) => ({ ...one, side: name, title: differenceTitle(one) }));
  });
  return { rows, orders: ordersIn(sides), refused };
}
