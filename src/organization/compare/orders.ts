/** The order of a section's things. */
import { keyOfKnown, same } from "../canonical.ts";
import type { Difference, Known, Reordering } from "../difference.ts";
import { sections } from "../file.ts";
import { arranged } from "./arrange.ts";
import type { Comparing } from "./comparing.ts";
import type { ThingSection } from "./present.ts";

const ordered = ["profile_fields", "folders", "linkifiers"] as const satisfies readonly ThingSection[];

/** `differences` say what is made and what is removed. */
export function orderDifferences(c: Comparing, differences: readonly Difference[]): Reordering[] {
  return ordered.flatMap((name): Reordering[] => {
    const mine = differences.filter(({ section }) => section === name);
    const removed = new Set(mine.flatMap((one) => (one.action === "remove" ? [one.id] : [])));
    const created = new Set(mine.flatMap((one) => (one.action === "create" ? [one.name] : [])));
    const there = c.present[name].flatMap(({ id }) => (removed.has(id) ? [] : [id!]));
    const listed = c.pairings[name].pairs.flatMap(({ thing, name }): Known[] =>
      thing ? [thing.id!] : created.has(name) ? [{ new: name }] : [],
    );
    const from: Known[] = [...there, ...listed.filter((known) => typeof known !== "number")];
    // What stands in both is to be one and the same.
    const key = new Map(from.map((known) => [keyOfKnown(known), known]));
    const to = arranged(
      from,
      listed.map((known) => key.get(keyOfKnown(known))!).filter((known) => known !== undefined),
    );
    if (same(from, to)) return [];
    const { called, ordered: since = 0 } = sections[name];
    if (since > c.snapshot.feature_level) {
      c.findings.notice(`the order of ${called} differs, and cannot be changed before feature level ${since}`);
      return [];
    }
    return [{ section: name, name: called, action: "reorder", from, to }];
  });
}
