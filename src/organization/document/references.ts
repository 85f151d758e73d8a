/** The people, groups, channels and folders that entries name. */
import type { Content, Entry, Path } from "../content.ts";
import { sections } from "../file.ts";
import { brief, type Names } from "../shape.ts";
import type { ThingSection } from "../words.ts";
import { entriesOf, isArchived, type Stated, sameName } from "./entries.ts";
import { textsOf, visitNames } from "./names.ts";

const kinds: Readonly<Partial<Record<Names, ThingSection>>> = {
  person: "people",
  group: "groups",
  channel: "channels",
  folder: "folders",
};

interface Reference {
  readonly text: string;
  readonly path: Path;
  readonly names: Names;
  /** The section of what it names, and that thing's name there. */
  readonly section: ThingSection;
  readonly name: string | undefined;
  /** Says which list it stands in: what is to be in a list and what is not stand side by side. */
  readonly list: string | undefined;
}

/** All references of a file to things of its sections. */
function referencesIn(value: Content): Reference[] {
  const all: Reference[] = [];
  visitNames(value, (names, named, at) => {
    const section = kinds[names];
    if (!section) return;
    const side = at.at(-1);
    const list = Array.isArray(named) ? at.slice(0, side === "add" || side === "remove" ? -1 : undefined) : undefined;
    const key = list?.join("\0");
    for (const [text, path] of textsOf(named, at)) {
      const name = sameName(section, names === "group" ? text.replace(/^name:/, "") : text);
      all.push({ text, path, names, section, name, list: key });
    }
  });
  return all;
}

/** What the file archives or deactivates, and where it says so. Of several things with a name one in use is meant. */
function archivedIn(value: Content): Map<string, Path> {
  const all = new Map<string, Path>();
  for (const section of Object.values(kinds)) {
    const { archiving, key } = sections[section];
    const entries = entriesOf(value, section);
    const nameOf = (entry: Entry) => `${section} ${sameName(section, entry[key[0]!])}`;
    for (const [n, entry] of entries) {
      if (!isArchived(section, entry)) continue;
      const path = [section, n, archiving?.member ?? ""];
      all.set(nameOf(entry), path);
      if (section === "people" && entry.id !== undefined) all.set(`${section} id:${entry.id}`, path);
    }
    for (const [, entry] of entries) if (!isArchived(section, entry)) all.delete(nameOf(entry));
  }
  return all;
}

/** References to what the same file archives, each with the place that does so. */
export function archivedReferences(
  value: Content,
  references = referencesIn(value),
): { text: string; path: Path; by: Path }[] {
  const archived = archivedIn(value);
  /** What is archived itself may name what goes with it, a list may exclude it, and a profile keeps it. */
  const mayName = ([section, n, member, list]: Path): boolean => {
    const entries: unknown = Reflect.get(value, section!);
    return (
      list === "remove" || member === "profile" || (Array.isArray(entries) && isArchived(section, entries[Number(n)]))
    );
  };
  return references.flatMap(({ section, name, text, path }) => {
    const by = archived.get(`${section} ${name}`);
    return by && !mayName(path) ? [{ text, path, by }] : [];
  });
}

const person = /^(?:id:\d{1,15}|name:[\s\S]*\S[\s\S]*|\S+@\S+)$/;

export function references({ value, wrong, place }: Stated): void {
  const all = referencesIn(value);
  const added = new Map<string, Path>();
  let current: string | undefined;
  for (const { text, path, names, name, list } of all) {
    if (names === "person" && !person.test(text.trim()))
      wrong(path, `"${brief(text)}" is not a person: use an e-mail address, name:… or id:…`);
    if (list === undefined || name === undefined) continue;
    if (list !== current) added.clear();
    current = list;
    const first = added.get(name);
    if (!first) added.set(name, path);
    else if (first.at(-2) === path.at(-2)) wrong(path, `"${brief(text)}" appears twice in this list`);
    else wrong(path, `"${brief(text)}" is both added and removed; the other is in ${place(first)}`);
  }
  for (const { text, path, by } of archivedReferences(value, all))
    wrong(path, `"${brief(text)}" cannot be named here: the file archives or deactivates it, in ${place(by)}`);
}
