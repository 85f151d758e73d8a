/** The things of a snapshot, and which of them an entry of the file is about. Nothing is guessed: what is not certain is a problem. */
import type { Entry, Path } from "../content.ts";
import { sections } from "../file.ts";
import { readAttribute, type SectionReader, type Things } from "../sections/section.ts";
import type { ThingSection } from "../words.ts";
import { type Findings, nearest } from "./findings.ts";

export interface Thing {
  /** Domains have none. */
  readonly id: number | undefined;
  /** As the file names it. */
  readonly name: string;
  /** The same for two names that are one to the server. */
  readonly key: string;
  readonly archived: boolean;
  /** The canonical value of an attribute; undefined where the server does not send it. */
  read(attribute: string): unknown;
}

/** `3 folders "Work" (id 2, id 7, id 9)`. */
export const alike = ({ plural }: Things, name: string, all: readonly { readonly id: unknown }[]): string =>
  `${all.length} ${plural} "${name}" (${all.map(({ id }) => `id ${id}`).join(", ")})`;

type Read = Thing["read"];

/** A key for what says which thing it is. */
export function keyOf({ fold = String, key, members }: Things, read: Read): string {
  const stored = (name: string, value: unknown) =>
    typeof value === "string" ? (members[name]?.stored?.(value) ?? value) : (value ?? "");
  return key.map((name) => fold(String(stored(name, read(name))))).join("\n");
}

function nameOf({ key }: Things, read: Read): string {
  const [first, second] = key.map((name) => read(name)).reverse();
  if (first === undefined) return `id:${read("id")}`;
  return second === undefined ? String(first) : `${first} (${second})`;
}

export function thingsOf(section: Things, reader: SectionReader): Thing[] {
  const attributes = section.attributes?.(reader) ?? {};
  const isArchived = section.archivedIn?.(reader.snapshot);
  return section.records(reader.snapshot).map((record) => {
    const read = (attribute: string) => readAttribute(attributes, record, attribute);
    const id = section.id(record);
    const name = nameOf(section, (attribute) => (attribute === "id" ? id : read(attribute)));
    return { id, name, key: keyOf(section, read), archived: isArchived?.(record) ?? false, read };
  });
}

/** Whether an entry archives or deactivates its thing (true) or restores it (false). */
export function archives(section: ThingSection, entry: Entry): boolean | undefined {
  const { archiving } = sections[section];
  if (!archiving || !Object.hasOwn(entry, archiving.member)) return undefined;
  return entry[archiving.member] === archiving.archived;
}

export interface Pair {
  readonly entry: Entry;
  readonly path: Path;
  /** What the thing is to be named. */
  readonly name: string;
  readonly key: string;
  /** Absent where there is none yet. */
  readonly thing?: Thing;
}

export interface Pairing {
  readonly pairs: readonly Pair[];
  /** Things that the file names, if only as `was`: they are never pruned. */
  readonly named: ReadonlySet<Thing>;
}

export function matched(
  name: ThingSection,
  entries: readonly Entry[],
  things: readonly Thing[],
  findings: Findings,
): Pairing {
  const section = sections[name];
  const byKey = new Map<string | undefined, Thing[]>();
  for (const thing of things) byKey.set(thing.key, [...(byKey.get(thing.key) ?? []), thing]);
  const all = entries.map((entry, n) => {
    const read = (attribute: string) => entry[attribute];
    const { was } = entry;
    return {
      entry,
      path: [name, n],
      name: nameOf(section, read),
      key: keyOf(section, read),
      was: typeof was === "string" ? keyOf(section, () => was) : undefined,
    };
  });
  type Wanted = (typeof all)[number];
  const found = new Map<Wanted, Thing>();
  const named = new Set<Thing>();

  const claim = (wanted: Wanted, thing: Thing): void => {
    if (named.has(thing))
      findings.problem(
        wanted.path,
        `${section.one} "${thing.name}" is named by two entries: add its id to one of them`,
      );
    else found.set(wanted, thing);
    named.add(thing);
  };
  /** Live things before archived ones. */
  const free = (key: string | undefined): Thing | undefined => {
    const there = byKey.get(key)?.filter((thing) => !named.has(thing)) ?? [];
    return there.find(({ archived }) => !archived) ?? there[0];
  };

  /** Of several archived things it only matters which one is restored. */
  const claimNamed = (wanted: Wanted, thing: Thing, path: Path): void => {
    const restores = thing.archived && archives(name, wanted.entry) === false;
    const same = (byKey.get(thing.key) ?? []).filter((each) => !named.has(each) && (restores || !each.archived));
    if (same.length > 1 && Object.hasOwn(section.members, "id"))
      findings.problem(
        path,
        `there are ${alike(section, thing.name, same)}: add the id of the right one, which requires "organization"`,
      );
    claim(wanted, thing);
  };

  for (const wanted of all) {
    const { id } = wanted.entry;
    if (typeof id !== "number") continue;
    const thing = things.find((each) => each.id === id);
    if (thing) claim(wanted, thing);
    else findings.problem([...wanted.path, "id"], `${section.one} ${id} not found`);
  }

  // Whoever gives up a name does so before another takes it: a was b, b was c.
  const byName = all.filter(({ entry }) => typeof entry.id !== "number");
  for (let moved = true; moved; ) {
    moved = false;
    for (const wanted of byName) {
      const old = found.has(wanted) || free(wanted.key) ? undefined : free(wanted.was);
      const other = byName.find(({ key }) => key === wanted.was);
      // The other entry of that name must have an old one of its own to go to.
      if (!old || (other && !found.has(other) && !free(other.was))) continue;
      claimNamed(wanted, old, [...wanted.path, "was"]);
      moved = true;
    }
  }
  const ignored = new Set<Thing>();
  for (const wanted of byName) {
    if (found.has(wanted)) continue;
    const { key, was, path } = wanted;
    const thing = free(key);
    const [old] = byKey.get(was) ?? [];
    if (!thing) {
      if (old && all.some((other) => other.key === was))
        findings.problem([...path, "was"], `"${old.name}" is named by another entry: add the id of the one to rename`);
      else if (old) claim(wanted, old);
      continue;
    }
    claimNamed(wanted, thing, path);
    if (!old) continue;
    ignored.add(old);
    const both = `${section.one} "${wanted.name}" exists, and so does "${old.name}": "was" is ignored`;
    findings.notice(both, [...path, "was"]);
  }
  for (const thing of ignored) named.add(thing);

  const pairs = all.map((wanted): Pair => {
    const { entry, path, key } = wanted;
    const thing = found.get(wanted);
    // The address of a person who is named by id is not known to be another.
    const stays = thing && entry[section.key[0] ?? ""] === undefined;
    return { entry, path, name: stays ? thing.name : wanted.name, key, ...(thing && { thing }) };
  });
  suggestOldNames(name, pairs, things, named, findings);
  return { pairs, named };
}

/** Notes where something new has almost the name of something that the file does not name. */
function suggestOldNames(
  name: ThingSection,
  pairs: readonly Pair[],
  things: readonly Thing[],
  named: ReadonlySet<Thing>,
  findings: Findings,
): void {
  const section = sections[name];
  if (!Object.hasOwn(section.members, "was")) return;
  const keys = new Set(things.map(({ key }) => key));
  const others = things.filter((thing) => !named.has(thing)).map((thing) => thing.name);
  for (const { thing, entry, path, name: wanted } of pairs) {
    if (thing || entry.id !== undefined || archives(name, entry)) continue;
    const { was } = entry;
    const [near] = [wanted, was].flatMap((each) => (typeof each === "string" ? nearest(each, others) : []));
    const meant = near === undefined ? "" : `there is "${near}": did you mean it? Then add "was: ${inFile(near)}"`;
    if (was !== undefined && !keys.has(keyOf(section, () => was)))
      findings.notice(`no ${section.one} is named "${was}": "${wanted}" will be created${meant && `; ${meant}`}`, [
        ...path,
        "was",
      ]);
    else if (was === undefined && meant) findings.notice(`a new ${section.one} "${wanted}"; ${meant}`, path);
  }
}

/** As it can be pasted into a file: in quotes where YAML might take it for something else. */
const inFile = (name: string): string =>
  /^\p{L}[\p{L}\p{N} _-]*$/u.test(name) && !/^(?:true|false|null)$/i.test(name) && !name.endsWith(" ")
    ? name
    : `'${name.replaceAll("'", "''")}'`;
