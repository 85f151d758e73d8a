/** The people, groups, channels and folders that entries name. */
import { brief } from "../check.ts";
import { file, sections } from "../file.ts";
import type { Path, Place } from "../place.ts";
import type { Things } from "../sections/section.ts";
import { members, type Names } from "../shape.ts";
import { visit } from "./names.ts";
import { inWords } from "./problems.ts";
import { entriesOf, isPutAway, type Stated, sameName, type ThingsName } from "./stated.ts";

const shape = members(file);

/** Where the things stand that a reference can name. */
const kinds: Readonly<Record<Exclude<Names, "field">, ThingsName>> = {
  person: "people",
  group: "groups",
  channel: "channels",
  folder: "folders",
};

/** A reference as names are compared that it can name; `name:` says of a group that what follows is its name. */
function meant(names: keyof typeof kinds, text: string): string | undefined {
  const section = sections[kinds[names]];
  return sameName(section, names === "group" ? text.replace(/^name:/, "") : text);
}

/** By kind and name, or id, where the file puts a thing away. */
function putAway(stated: Stated): Map<string, () => Place> {
  const all = new Map<string, () => Place>();
  for (const [kind, section] of Object.entries(kinds)) {
    const { away, key }: Things = sections[section];
    for (const [n, entry] of entriesOf(stated, section)) {
      if (!isPutAway(section, entry)) continue;
      const place = () => stated.at([section, n, away!.member]);
      const name = sameName(sections[section], entry[key[0]!]);
      if (name !== undefined) all.set(`${kind} ${name}`, place);
      if (section === "people" && entry.id !== undefined) all.set(`${kind} id:${entry.id}`, place);
    }
  }
  return all;
}

const person = /^(?:id:\d{1,15}|name:[\s\S]*\S[\s\S]*|\S+@\S+)$/;

export function references(stated: Stated): void {
  const { value, at, problems } = stated;
  const away = putAway(stated);
  /** What is put away itself may name what goes with it, a list may exclude it, and a profile keeps it. */
  const mayName = ([section, n, member, ...rest]: Path): boolean => {
    const entries = (value as Readonly<Record<string, unknown>>)[section as string];
    const entry: unknown = Array.isArray(entries) ? entries[n as number] : undefined;
    return rest[0] === "remove" || member === "profile" || isPutAway(section as string, entry);
  };
  visit(shape, value, {
    name(names, text, path) {
      if (names === "field") return;
      const here = [...path];
      if (names === "person" && !person.test(text.trim()))
        problems.add(() => at(here), `“${brief(text)}” names nobody: people go by e-mail address, name:… or id:…`);
      const place = away.get(`${names} ${meant(names, text)}`);
      if (!place || mayName(path)) return;
      problems.add(
        () => at(here),
        () => `“${brief(text)}” cannot be named here: the file puts it away, in ${inWords(place())}`,
      );
    },
  });
  contradictions(stated);
}

/** Lists that say of one that it must and must not be in them, or name somebody twice in another spelling. */
function contradictions({ value, at, problems }: Stated): void {
  let added = new Map<string, { path: Path; text: unknown }>();
  let current = "";
  visit(shape, value, {
    list(names, texts, path) {
      if (names === "field") return;
      const last = path.at(-1);
      // What is to be in a list and what is not stand side by side.
      const list = (last === "add" || last === "remove" ? path.slice(0, -1) : path).join("\0");
      if (list !== current) added = new Map();
      current = list;
      for (const [n, text] of texts.entries()) {
        const name = typeof text === "string" ? meant(names, text) : undefined;
        if (name === undefined) continue;
        const here = [...path, n];
        const first = added.get(name);
        if (!first) added.set(name, { path: here, text });
        else if (first.path.at(-2) !== last)
          problems.add(
            () => at(here),
            () =>
              `“${brief(String(text))}” must and must not be in this list; the other is in ${inWords(at(first.path))}`,
          );
        // In the same spelling the check has told of it.
        else if (first.text !== text)
          problems.add(
            () => at(here),
            () => `“${brief(String(text))}” stands in this list twice; first in ${inWords(at(first.path))}`,
          );
      }
    },
  });
}
