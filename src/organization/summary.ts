/**
 * Puts organizations side by side: what differs, with the value of each side. One side is the base: the others are
 * compared with it, as plans that would make the base like them.
 */

import type { Difference, FieldChange } from "./difference.ts";
import { labelOf, sections, titleOf } from "./file.ts";
import { differing, isList, newValues } from "./plan/paragraphs.ts";
import { type Wording, wordingOf } from "./plan/wording.ts";
import type { Plan } from "./plan.ts";
import { everybodyOf } from "./snapshot.ts";
import { hasAccounts, type SectionName, sectionWords, type ThingSection } from "./words.ts";

export type State = "exists" | "missing" | "archived" | "deactivated";

/** A side of the comparison. */
export interface Compared {
  readonly name: string;
  /** The address of an organization. Files have none. */
  readonly site?: string | undefined;
  /** What would make the base like this side. The base itself has none. */
  readonly plan?: Plan | undefined;
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
  readonly refused: readonly {
    readonly side: string;
    readonly section: SectionName;
    readonly name: string;
    readonly title: string;
    readonly says: string;
  }[];
}

/** A list with more entries is counted, and the other sides say what they have more and less. */
const mostEntries = 8;

const absent = "-";

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

interface Thing {
  readonly section: SectionName;
  readonly name: string;
  readonly title: string;
  /** By side. */
  readonly differences: Map<number, Difference>;
  /** Sides that do not have it, although the base cannot remove it: something uses it. */
  readonly without: Set<number>;
}

/** Returns the same for a thing in all plans. */
function keyOf(section: SectionName, name: string, id: number | undefined): string {
  const stated = sections[section];
  const fold = "fold" in stated ? stated.fold : undefined;
  return `${section} ${id ?? (fold ? fold(name) : name)}`;
}

/** Returns the things that differ in some side, by section and in the order of the plans. */
function thingsIn(sides: readonly Compared[]): Thing[] {
  const things = new Map<string, Thing>();
  const thingFor = (key: string, about: () => Pick<Thing, "section" | "name" | "title">): Thing => {
    const thing = things.get(key) ?? { ...about(), differences: new Map(), without: new Set() };
    things.set(key, thing);
    return thing;
  };
  for (const [n, { plan }] of sides.entries()) {
    if (!plan) continue;
    const people = new Map<unknown, string>(everybodyOf(plan.before).map((one) => [one.user_id, one.full_name]));
    for (const one of plan.comparison.differences) {
      const { section, name, action } = one;
      if (action === "reorder") continue;
      const id = "id" in one ? one.id : undefined;
      const renamed = differing(one).find(({ field }) => field === "name" || field === "pattern");
      const nameBefore =
        (hasAccounts(section) && people.get(id)) || (id !== undefined && renamed ? String(renamed.from) : name);
      const about = () => ({ section, name, title: titleOf({ section, name: nameBefore }) });
      thingFor(keyOf(section, name, id), about).differences.set(n, one);
    }
    for (const { section, name, id } of plan.comparison.used)
      thingFor(keyOf(section, name, id), () => ({
        section,
        name,
        title: titleOf({ section, name }),
      })).without.add(n);
  }
  return sectionWords.flatMap((section) => [...things.values()].filter((thing) => thing.section === section));
}

/** Returns whether a thing exists in each side. Undefined if that is the same everywhere. */
function stateRow(thing: Thing, sides: readonly Compared[]): SummaryRow | undefined {
  const { section, name, title, differences, without } = thing;
  const stated = sections[section];
  const putAway: State = "archiving" in stated && stated.archiving?.archive === "archive" ? "archived" : "deactivated";
  const actions = new Set([...differences.values()].map(({ action }) => action));
  const base: State =
    actions.has("create") || actions.has("invite")
      ? "missing"
      : actions.has("unarchive") || actions.has("reactivate")
        ? putAway
        : "exists";
  const states = sides.map((side, n): State => {
    if (without.has(n)) return "missing";
    switch (differences.get(n)?.action) {
      case "create":
      case "invite":
      case "unarchive":
      case "reactivate":
        return "exists";
      case "remove":
        return "missing";
      case "archive":
      case "deactivate":
        return side.has(section, name) ? putAway : "missing";
      default:
        return base;
    }
  });
  if (new Set(states).size === 1) return undefined;
  return { section, name, title, values: states, words: states };
}

/** Returns the values of an existing thing that differ. */
function valueRows(
  { section, name, title, differences }: Thing,
  sides: readonly Compared[],
  wordings: readonly (Wording | undefined)[],
): SummaryRow[] {
  const changes = [...differences].flatMap(([n, one]) => differing(one).map((change) => ({ n, change })));
  return [...new Set(changes.map(({ change }) => labelOf(change)))].flatMap((field): SummaryRow[] => {
    const own = new Map(changes.flatMap(({ n, change }) => (labelOf(change) === field ? [[n, change] as const] : [])));
    const cells = [...own].flatMap(([n, change]) => {
      const wording = wordings[n];
      if (!wording) return [];
      const [from, to] = [change.from, change.to].map((value) => wording.inFile(section, change, value) ?? null);
      return [{ n, words: wordsOf(wording, section, change), from, to }];
    });
    const [base] = cells;
    if (!base) return [];
    const bySide = sides.map((_, n) => cells.find((cell) => cell.n === n));
    const values = bySide.map((cell) => cell?.to ?? base.from);
    const words = bySide.map((cell) => cell?.words[1] ?? base.words[0]);
    return [{ section, name, title, field, values, words }];
  });
}

/** Returns the values that differ between the sides that have a thing which the base does not have. */
function newRows(
  { section, name, title, differences }: Thing,
  sides: readonly Compared[],
  wordings: readonly (Wording | undefined)[],
): SummaryRow[] {
  const values = [...differences].flatMap(([n, one]) =>
    newValues(one).map(([field, value]) => ({ n, field, value, wording: wordings[n] })),
  );
  return [...new Set(values.map(({ field }) => field))].flatMap((field): SummaryRow[] => {
    const cells = sides.map((_, n) => {
      const found = values.find((each) => each.n === n && each.field === field);
      if (!found?.wording) return { value: null, words: absent };
      const change = { field, from: undefined, to: found.value };
      const value = found.wording.inFile(section, change, found.value);
      return { value, words: wordOf(found.wording, section, change, found.value) };
    });
    const having = cells.filter((_, n) => differences.has(n)).map(({ value }) => JSON.stringify(value));
    if (new Set(having).size < 2) return [];
    return [
      { section, name, title, field, values: cells.map(({ value }) => value), words: cells.map(({ words }) => words) },
    ];
  });
}

const ordersIn = (sides: readonly Compared[]): OrderRow[] =>
  sectionWords.flatMap((section) => {
    const isOther = ({ plan }: Compared) =>
      plan?.comparison.differences.some((one) => one.section === section && one.action === "reorder");
    const names = sides.filter(isOther).map(({ name }) => name);
    return names.length ? [{ section, sides: names }] : [];
  });

/** Compares the sides. One of them has no plan: it is the base. */
export function summaryOf(sides: readonly Compared[]): Summary {
  const wordings = sides.map(({ plan }) => plan && wordingOf(plan.result));
  const rows = thingsIn(sides).flatMap((thing) => {
    const state = stateRow(thing, sides);
    return [...(state ? [state] : []), ...valueRows(thing, sides, wordings), ...newRows(thing, sides, wordings)];
  });
  const refused = sides.flatMap(({ name, plan }) =>
    (plan?.comparison.refused ?? []).map((one) => ({
      side: name,
      section: one.section,
      name: one.name,
      title: titleOf(one),
      says: one.says,
    })),
  );
  return { rows, orders: ordersIn(sides), refused };
}
