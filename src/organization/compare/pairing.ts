/** Which thing an entry of the file is about. Nothing is guessed: where that is not certain, it is a problem. */

import type { Entry, Path } from "../content.ts";
import { sections } from "../file.ts";
import type { Things } from "../sections/section.ts";
import type { Findings, Placed } from "./findings.ts";
import { nearest } from "./nearest.ts";
import { keyOf, nameOf, type Thing, type ThingSection } from "./present.ts";
import { putsAway } from "./put-away.ts";

export interface Pair extends Placed {
  /** What the thing is to be called. */
  readonly name: string;
  readonly key: string;
  /** Absent where there is none yet. */
  readonly thing?: Thing;
}

export interface Pairing {
  readonly pairs: readonly Pair[];
  /** Things that the file speaks of, if only as `was`: they are never pruned. */
  readonly spoken: ReadonlySet<Thing>;
}

type Wanted = Placed & { name: string; key: string; was: string | undefined };

/** Live ones before those that are put away. */
const first = (things: readonly Thing[] = []): Thing | undefined => things.find(({ away }) => !away) ?? things[0];

/** `3 folders "Work" (id 2, id 7, id 9)`. */
export const alike = ({ called }: Things, name: string, ids: readonly unknown[]): string =>
  `${ids.length} ${called} "${name}" (${ids.map((id) => `id ${id}`).join(", ")})`;

export function paired(
  name: ThingSection,
  entries: readonly Entry[],
  things: readonly Thing[],
  findings: Findings,
): Pairing {
  const section = sections[name];
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  const byKey = new Map<string | undefined, Thing[]>();
  for (const thing of things) byKey.set(thing.key, [...(byKey.get(thing.key) ?? []), thing]);
  const claimed = new Map<Thing, Placed>();
  const ignored = new Set<Thing>();
  const found = new Map<Placed, Thing>();

  const all = entries.map((entry, n): Wanted => {
    const path = [name, n];
    const tell = (attribute: string) => entry[attribute];
    const { was } = entry;
    return {
      entry,
      path,
      name: nameOf(section, tell),
      key: keyOf(section, tell),
      was: typeof was === "string" ? keyOf(section, () => was) : undefined,
    };
  });

  const claim = (wanted: Wanted, thing: Thing): void => {
    if (claimed.has(thing))
      findings.problem(
        wanted.path,
        `${section.one} "${thing.name}" is named by two entries: add its id to one of them`,
      );
    else {
      claimed.set(thing, wanted);
      found.set(wanted, thing);
    }
  };
  const unclaimed = (key: string | undefined): Thing[] => byKey.get(key)?.filter((thing) => !claimed.has(thing)) ?? [];
  const free = (key: string | undefined): Thing | undefined => first(unclaimed(key));
  /** By its name, where no other can be meant: of several that are put away it only matters which one is brought back. */
  const claimNamed = (wanted: Wanted, key: string, path: Path): void => {
    const there = unclaimed(key);
    const live = there.filter(({ away }) => !away);
    const back = putsAway(name, wanted.entry) === false;
    const meant = live.length || !back ? live : there;
    const ids = meant.map(({ id }) => id);
    if (ids.length > 1 && Object.hasOwn(section.members, "id"))
      findings.problem(
        path,
        `there are ${alike(section, meant[0]!.name, ids)}: add the id of the right one, which requires "organization"`,
      );
    claim(wanted, first(there)!);
  };

  const pinned = all.filter(({ entry }) => typeof entry.id === "number");
  for (const wanted of pinned) {
    const { entry, path } = wanted;
    const thing = byId.get(entry.id as number);
    if (thing) claim(wanted, thing);
    else findings.problem([...path, "id"], `${section.one} ${entry.id} not found`);
  }

  // Whoever gives up a name does so before another takes it: a was b, b was c. No file has names that go round.
  const waiting = all.filter(({ entry }) => typeof entry.id !== "number");
  for (let moved = true; moved; ) {
    moved = false;
    for (const wanted of waiting) {
      if (found.has(wanted) || free(wanted.key)) continue;
      const old = free(wanted.was);
      const other = old && waiting.find(({ key }) => key === wanted.was);
      // The other entry of that name must have an old one of its own to go to.
      if (!old || (other && !found.has(other) && !free(other.was))) continue;
      claimNamed(wanted, wanted.was!, [...wanted.path, "was"]);
      moved = true;
    }
  }
  for (const wanted of waiting) {
    if (found.has(wanted)) continue;
    const { key, was, path, name: called } = wanted;
    const there = free(key);
    const old = first(byKey.get(was));
    if (there) claimNamed(wanted, key, path);
    else if (old && all.some((other) => other.key === was))
      findings.problem([...path, "was"], `"${old.name}" is named by another entry: add the id of the one to rename`);
    else if (old) claim(wanted, old);
    if (!there || !old) continue;
    ignored.add(old);
    const both = `${section.one} "${called}" exists, and so does "${old.name}": "was" is ignored`;
    findings.notice(both, [...path, "was"]);
  }

  const pairs = all.map((wanted): Pair => {
    const { entry, path, name, key } = wanted;
    const thing = found.get(wanted);
    // Of people that are named by their ids the address is not known to be another.
    return {
      entry,
      path,
      name: thing && entry[section.key[0]!] === undefined ? thing.name : name,
      key,
      ...(thing && { thing }),
    };
  });
  for (const { entry, key, thing, path, name: wanted } of pairs) {
    if (!thing || (thing.key === key && thing.name === wanted) || entry[section.key[0]!] === undefined) continue;
    const holder = byKey.get(key)?.find((other) => !claimed.has(other) && !(name === "folders" && other.away));
    if (holder) findings.problem(path, `another ${section.one} is named "${wanted}" (id ${holder.id})`);
  }
  const spoken = new Set([...claimed.keys(), ...ignored]);
  suggest(name, pairs, things, spoken, findings);
  return { pairs, spoken };
}

/** Something new with almost the name of something that is there was perhaps to be that. */
function suggest(
  name: ThingSection,
  pairs: readonly Pair[],
  things: readonly Thing[],
  spoken: ReadonlySet<Thing>,
  findings: Findings,
): void {
  const { one, members, away } = sections[name];
  if (!Object.hasOwn(members, "was")) return;
  const keys = new Set(things.map(({ key }) => key));
  const others = things.filter((thing) => !spoken.has(thing)).map(({ name }) => name);
  for (const { thing, entry, path, name: wanted } of pairs) {
    if (thing || entry.id !== undefined) continue;
    const { was } = entry;
    const [near] = [wanted, ...(typeof was === "string" ? [was] : [])].flatMap((each) => nearest(each, others));
    const meant = near === undefined ? "" : `there is "${near}": did you mean it? Then add "was: ${inFile(near)}"`;
    if (was === undefined) {
      if (meant) findings.notice(`a new ${one} "${wanted}"; ${meant}`, path);
    } else if (!keys.has(keyOf(sections[name], () => was)) && (!away || entry[away.member] !== away.away)) {
      const anew = `no ${one} is named "${was}": "${wanted}" will be created`;
      findings.notice(meant ? `${anew}; ${meant}` : anew, [...path, "was"]);
    }
  }
}

/** As it can be pasted into a file: in quotes where YAML might take it for something else. */
const inFile = (name: string): string =>
  /^\p{L}[\p{L}\p{N} _-]*$/u.test(name) && !/^(?:true|false|null)$/i.test(name) && !name.endsWith(" ")
    ? name
    : `'${name.replaceAll("'", "''")}'`;
