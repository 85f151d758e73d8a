/** Entries about the same thing, and old names that cannot be. */
import { type Entry, isEntry, type Path } from "../content.ts";
import { sections } from "../file.ts";
import { brief } from "../shape.ts";
import type { ThingSection } from "../words.ts";
import { entriesOf, type Stated, sameName } from "./entries.ts";

/** Things may have the same name where ids tell them apart: an export writes them like this. */
const apart = (one: Entry, other: Entry): boolean =>
  one.id !== undefined && other.id !== undefined && one.id !== other.id;

export function duplicates({ value, wrong, place }: Stated, section: ThingSection): void {
  const { key } = sections[section];
  const last = key.at(-1)!;
  const named = new Map<string, [number, Entry]>();
  const pinned = new Map<unknown, number>();
  for (const [n, entry] of entriesOf(value, section)) {
    const parts = key.map((member) => sameName(section, entry[member]));
    const name = parts.join("\0");
    const first = named.get(name);
    if (first && !apart(first[1], entry))
      wrong(
        [section, n, last],
        `"${brief(String(entry[last]))}" appears twice; first in ${place([section, first[0], last])}`,
      );
    else if (!parts.includes(undefined)) named.set(name, [n, entry]);
    if (entry.id === undefined) continue;
    const other = pinned.get(entry.id);
    if (other === undefined) pinned.set(entry.id, n);
    else if (other !== first?.[0])
      wrong([section, n, "id"], `the id ${entry.id} appears twice; first in ${place([section, other, "id"])}`);
  }
}

interface Renamed {
  readonly path: Path;
  /** Names as the section compares them. */
  readonly name: string;
  readonly was: string;
  /** The two as the file has them. */
  readonly text: string;
}

/** The names that lead back to a name, beginning with it; empty where none do. */
function circle(start: Renamed, from: ReadonlyMap<string, Renamed>): Renamed[] {
  const all = [start];
  for (let next = from.get(start.was); next && !all.includes(next); next = from.get(next.was)) all.push(next);
  return all.at(-1)!.was === start.name ? all : [];
}

function renamesOf({ wrong, place }: Stated, all: readonly Renamed[], instead: string): void {
  const old = new Map<string, Renamed>();
  for (const one of all) {
    const first = old.get(one.was);
    if (one.name === one.was) wrong(one.path, '"was" is the current name: remove it');
    else if (first) wrong(one.path, `"${brief(one.was)}" is already renamed, in ${place(first.path)}`);
    else old.set(one.was, one);
  }
  const from = new Map([...old.values()].map((one) => [one.name, one]));
  const seen = new Set<Renamed>();
  for (const start of from.values()) {
    const names = seen.has(start) ? [] : circle(start, from);
    for (const one of names) seen.add(one);
    if (names.length)
      wrong(start.path, `circular names (${brief(names.map(({ text }) => text).join(", "))}) ${instead}`);
  }
}

export function renames(stated: Stated, section: ThingSection): void {
  const key = sections[section].key[0]!;
  const all = entriesOf(stated.value, section).flatMap(([n, { [key]: now, was: before, id }]): Renamed[] => {
    const [name, was] = [sameName(section, now), sameName(section, before)];
    // With an id, the old name says nothing.
    if (name === undefined || was === undefined || id !== undefined) return [];
    return [{ path: [section, n, "was"], name, was, text: `${before} → ${now}` }];
  });
  renamesOf(stated, all, 'require an "id" each');
}

/** The options of a profile field: names, or names with old names. */
export function options(stated: Stated, path: Path, all: readonly unknown[]): void {
  const seen = new Set<string>();
  const renamed: Renamed[] = [];
  for (const [n, option] of all.entries()) {
    const { name, was }: Entry = isEntry(option) ? option : { name: option };
    if (typeof name !== "string") continue;
    if (seen.has(name)) stated.wrong([...path, n], `"${brief(name)}" appears twice in this list`);
    seen.add(name);
    if (typeof was === "string") renamed.push({ path: [...path, n, "was"], name, was, text: `${was} → ${name}` });
  }
  renamesOf(stated, renamed, "cannot be told from names that stay");
}
