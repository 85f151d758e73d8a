/** What rules look at. */

import { type Content, type Entry, isEntry, type Path, type Place } from "../content.ts";
import { sections, thingSections } from "../file.ts";
import type { Things } from "../sections/section.ts";
import type { ThingSection } from "../words.ts";
import type { Problems } from "./problems.ts";

export interface Stated {
  readonly value: Content;
  readonly at: (path: Path, key?: "key") => Place;
  readonly problems: Problems;
}

/** The entries of a section that are some, with their indices. */
export const entriesOf = ({ value }: Pick<Stated, "value">, name: ThingSection): [number, Entry][] =>
  [...(value[name] ?? []).entries()].filter((pair): pair is [number, Entry] => isEntry(pair[1]));

/** What names a thing, made so that equal ones name the same thing on a server; undefined where it is no text. */
export function sameName({ fold }: Things, name: unknown): string | undefined {
  if (typeof name !== "string") return undefined;
  return fold ? fold(name) : name;
}

/** An entry says that the thing is put away, or that the person goes. */
export const isPutAway = (name: string, entry: unknown): boolean => {
  const section = thingSections.find((each) => each === name);
  const away = section && sections[section].away;
  return away !== undefined && isEntry(entry) && entry[away.member] === away.away;
};
