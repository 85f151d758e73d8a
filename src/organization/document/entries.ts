/** What rules look at. */
import { type Content, type Entry, isEntry, type Path } from "../content.ts";
import { sections, thingSections } from "../file.ts";
import type { ThingSection } from "../words.ts";

export interface Stated {
  readonly value: Content;
  /** Adds a problem with what stands at a path, or with the key before it. */
  wrong(path: Path, says: string, key?: "key"): void;
  /** The place of what stands at a path, in words. */
  place(path: Path): string;
}

/** The entries of a section, with their indices. */
export const entriesOf = (value: Content, name: ThingSection): [number, Entry][] =>
  [...(value[name] ?? []).entries()].filter(([, entry]) => isEntry(entry));

/** Equal for names that mean the same thing on a server; undefined for what is not text. */
export function sameName(section: ThingSection, name: unknown): string | undefined {
  if (typeof name !== "string") return undefined;
  const { fold = String } = sections[section];
  return fold(name);
}

/** An entry archives or deactivates its thing. */
export const isArchived = (section: unknown, entry: unknown): boolean => {
  const name = thingSections.find((each) => each === section);
  const archiving = name && sections[name].archiving;
  return archiving !== undefined && isEntry(entry) && entry[archiving.member] === archiving.archived;
};
