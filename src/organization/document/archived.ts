/** Names of things that the same file puts away. */

import type { Content, Entry, Path } from "../content.ts";
import { sections } from "../file.ts";
import type { Things } from "../sections/section.ts";
import type { Names } from "../shape.ts";
import type { ThingSection } from "../words.ts";
import { entriesOf, isPutAway, sameName } from "./entries.ts";

/** Where the things stand that a reference can name. */
const kinds: Readonly<Record<Exclude<Names, "field">, ThingSection>> = {
  person: "people",
  group: "groups",
  channel: "channels",
  folder: "folders",
};
type Kind = keyof typeof kinds;

/** A reference as names are compared that it can name; `name:` says of a group that what follows is its name. */
export function meant(names: Kind, text: string): string | undefined {
  const section = sections[kinds[names]];
  return sameName(section, names === "group" ? text.replace(/^name:/, "") : text);
}

/** Of a reference at a place where it must not name what the file puts away: the path of what does that. */
export function putAwayIn(value: Content): (names: Kind, text: string, path: Path) => Path | undefined {
  const all = new Map<string, Path>();
  for (const [kind, section] of Object.entries(kinds)) {
    const { away, key }: Things = sections[section];
    const nameOf = (entry: Entry) => sameName(sections[section], entry[key[0]!]);
    const entries = entriesOf({ value }, section);
    const puts = entries.filter(([, entry]) => isPutAway(section, entry));
    if (!puts.length) continue;
    // Of several with a name the one that is not put away is meant.
    const live = new Set(entries.flatMap(([, entry]) => (isPutAway(section, entry) ? [] : [nameOf(entry)])));
    for (const [n, entry] of puts) {
      const path = [section, n, away!.member];
      const name = nameOf(entry);
      if (name !== undefined && !live.has(name)) all.set(`${kind} ${name}`, path);
      if (section === "people" && entry.id !== undefined) all.set(`${kind} id:${entry.id}`, path);
    }
  }
  /** What is put away itself may name what goes with it, a list may exclude it, and a profile keeps it. */
  const mayName = ([section, n, member, ...rest]: Path): boolean => {
    const entries = (value as Readonly<Record<string, unknown>>)[section as string];
    const entry: unknown = Array.isArray(entries) ? entries[n as number] : undefined;
    return rest[0] === "remove" || member === "profile" || isPutAway(section as string, entry);
  };
  return (names, text, path) => {
    const put = all.get(`${names} ${meant(names, text)}`);
    return put && !mayName(path) ? put : undefined;
  };
}
