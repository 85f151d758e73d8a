/** The order of a section's things. */
import { same } from "../canonical.ts";
import type { Difference, Known, Reordering } from "../difference.ts";
import { sections } from "../file.ts";
import type { Comparing } from "./comparing.ts";
import type { ThingSection } from "./present.ts";

/** Those listed share out the places that they hold among all. */
export function arranged<T>(all: readonly T[], listed: readonly T[]): T[] {
  const places = new Set(listed);
  const next = listed[Symbol.iterator]();
  return all.map((each) => {
    if (!places.has(each)) return each;
    const { done, value } = next.next();
    return done ? each : value;
  });
}

const ordered = ["profile_fields", "folders", "linkifiers"] as const satisfies readonly ThingSection[];

/** `differences` say what is made and what is removed. */
export function orderDifferences(c: Comparing, differences: readonly Difference[]): Reordering[] {
  return ordered.flatMap((name): Reordering[] => {
    const mine = differences.filter(({ section }) => section === name);
    const removed = new Set(mine.flatMap((one) => (one.action === "remove" ? [one.id] : [])));
    const differing = new Set(mine.map((one) => one.name));
    const there = c.present[name].map(({ id }) => id!).filter((id) => !removed.has(id));
    const listed = c.pairings[name].pairs
      .filter((pair) => pair.thing || differing.has(pair.name))
      .map(({ thing, name: wanted }): Known => thing?.id ?? { new: wanted });
    const from: Known[] = [...there, ...listed.filter((known) => typeof known !== "number")];
    const to = arranged(from, listed);
    if (same(from, to)) return [];
    const { called, ordered: since = 0 } = sections[name];
    if (since > c.snapshot.feature_level) {
      c.findings.notice(`the order of ${called} differs: changing it requires feature level ${since}`);
      return [];
    }
    return [{ section: name, name: called, action: "reorder", from, to }];
  });
}
