/** Matches entries of a file with existing things. An ambiguous match is a problem: nothing is guessed. */
import { nfc } from "../../common/folding.ts";
import { groupBy } from "../../common/group-by.ts";
import { keyed } from "../../common/object-members.ts";
import { reachableFrom } from "../../common/reachable.ts";
import type { Content, FileEntry, Path } from "../content.ts";
import { hasSign } from "../document/entry-names.ts";
import { hasAccounts, type ThingSection } from "../section-names.ts";
import { sections, thingSections } from "../section-registry.ts";
import { archivedTest, idOf, readerOf, type ThingsSection } from "../sections/section.ts";
import type { ComparedThing, Pair, Pairing, Pairings } from "../sections/section-rules.ts";
import type { Snapshot } from "../snapshot.ts";
import { type Findings, similarNamesOrAddresses } from "./findings.ts";

/** Formats things with the same name: `3 folders "Work" (id 2, id 7, id 9)`. */
export const formatDuplicates = (
  { plural }: ThingsSection,
  name: string,
  all: readonly { readonly id: unknown }[],
): string => `${all.length} ${plural} "${name}" (${all.map(({ id }) => `id ${id}`).join(", ")})`;

type Read = ComparedThing["read"];

/** Returns the members that identify a thing, as servers store them. */
const keyValues = ({ key, members }: ThingsSection, read: Read): unknown[] =>
  key.map((name) => {
    const value = read(name);
    return typeof value === "string" ? (members[name]?.stored?.(value) ?? value) : value;
  });

/** Returns the same text for entries about the same thing. */
export const entryKey = (section: ThingsSection, read: Read): string =>
  keyValues(section, read)
    .map((value) => (section.fold ?? String)(nfc(String(value ?? ""))))
    .join("\n");

function nameOf(section: ThingsSection, read: Read, id: unknown): string {
  const [first, second] = keyValues(section, read).reverse();
  if (first === undefined) return `id:${id}`;
  return second === undefined ? String(first) : `${first} (${second})`;
}

function thingsOf(section: ThingsSection, snapshot: Snapshot): ComparedThing[] {
  const isArchived = archivedTest(section, snapshot);
  const reader = readerOf(section, snapshot);
  return section.records(snapshot).map((record) => {
    const read = (attribute: string) => reader(record, attribute);
    const id = idOf(section, record);
    return { id, name: nameOf(section, read, id), key: entryKey(section, read), archived: isArchived(record), read };
  });
}

/** Finds the thing of each entry: by id, by name, or by old name. */
export function matchAll(content: Content, snapshot: Snapshot, findings: Findings): Pairings {
  return keyed(thingSections, (name) => matchEntries(name, content[name] ?? [], snapshot, findings));
}

/**
 * Returns whether an entry archives its thing. An entry that does not say it restores the thing. Only accounts stay as they
 * are: reactivating a person or a bot lets somebody in, so the file must say it.
 */
function archivesIn(name: ThingSection, entry: FileEntry): boolean | undefined {
  const { archiving }: ThingsSection = sections[name];
  if (!archiving) return undefined;
  if (Object.hasOwn(entry, archiving.member)) return entry[archiving.member] === archiving.archived;
  return hasAccounts(name) ? undefined : false;
}

/** An entry, with the key of its old name. */
interface DesiredPair extends Pair {
  readonly was: string | undefined;
}

const desiredPairs = (name: ThingSection, entries: readonly FileEntry[]): DesiredPair[] =>
  entries.map((entry, n) => {
    const section = sections[name];
    const read = (attribute: string) => entry[attribute];
    const { was } = entry;
    return {
      entry,
      path: [name, n],
      name: nameOf(section, read, entry.id),
      key: entryKey(section, read),
      was: typeof was === "string" ? entryKey(section, () => was) : undefined,
      archives: archivesIn(name, entry),
    };
  });

/** The things of a section, and which entries claim them. */
class Claims {
  readonly found = new Map<Pair, ComparedThing>();
  readonly claimed = new Set<ComparedThing>();
  readonly byKey: ReadonlyMap<string, readonly ComparedThing[]>;

  constructor(
    private readonly section: ThingsSection,
    readonly things: readonly ComparedThing[],
    private readonly findings: Findings,
  ) {
    this.byKey = groupBy(things, ({ key }) => key);
  }

  claim(pair: Pair, thing: ComparedThing): void {
    const { one } = this.section;
    if (this.claimed.has(thing))
      this.findings.problem(pair.path, `${one} "${thing.name}" is named by two entries: add its id to one of them`);
    else this.found.set(pair, thing);
    this.claimed.add(thing);
  }

  /** Returns the unmatched things with this name, active ones first. */
  unclaimed(key: string): ComparedThing[] {
    return (this.byKey.get(key) ?? [])
      .filter((thing) => !this.claimed.has(thing))
      .sort((a, b) => Number(a.archived) - Number(b.archived));
  }

  /** Archived things with the same name are ambiguous only if one is restored. */
  claimFirst(pair: Pair, all: readonly ComparedThing[], path: Path): void {
    const [first] = all;
    if (!first) return;
    const restores = first.archived && pair.archives === false;
    const possible = all.filter(({ archived }) => restores || !archived);
    if (possible.length > 1 && Object.hasOwn(this.section.members, "id"))
      this.findings.problem(
        path,
        `there are ${formatDuplicates(this.section, first.name, possible)}: add the id of the right one, which requires "organization"`,
      );
    this.claim(pair, first);
  }
}

function claimById(section: ThingsSection, desired: readonly DesiredPair[], claims: Claims, findings: Findings): void {
  for (const pair of desired) {
    const { id } = pair.entry;
    if (typeof id !== "number") continue;
    const thing = claims.things.find((each) => each.id === id);
    if (thing) claims.claim(pair, thing);
    else findings.problem([...pair.path, "id"], `${section.one} ${id} not found`);
  }
}

/** Two channels may differ in the sign alone. */
function checkSign(
  { path, name }: Pair,
  withSign: ComparedThing | undefined,
  without: ComparedThing | undefined,
  findings: Findings,
): void {
  if (withSign && without)
    findings.problem(
      [...path, "name"],
      `"#${name}" is the name of channel ${withSign.id}, and means channel "${name}" (${without.id}) too: write name:#${name} or ${name}`,
    );
}

/** Matches entries without an id. */
function claimByName(
  section: ThingsSection,
  desired: readonly DesiredPair[],
  claims: Claims,
  findings: Findings,
): void {
  const oldNames = new Map(desired.map(({ key, was }) => [key, was]));
  const ignored: ComparedThing[] = [];
  for (const pair of desired) {
    if (typeof pair.entry.id === "number") continue;
    const { key, was, path } = pair;
    const [old] = was === undefined ? [] : (claims.byKey.get(was) ?? []);
    const present = claims.unclaimed(key);
    if (hasSign(pair.entry))
      checkSign(pair, claims.byKey.get(entryKey(section, () => `#${pair.name}`))?.[0], present[0], findings);
    if (present.length) claims.claimFirst(pair, present, path);
    if (!old || was === undefined || was === key) continue;
    const at = [...path, "was"];
    const exchanged = reachableFrom([was], (each) => [oldNames.get(each)].filter((name) => name !== undefined));
    if (present.length && exchanged.has(key))
      findings.problem(at, `"${pair.name}" exchanges its name with other entries: add the id of each`);
    else if (present.length) {
      findings.notice(`${section.one} "${pair.name}" exists, and so does "${old.name}": "was" is ignored`, at);
      ignored.push(old);
    } else if (desired.some((other) => other.key === was))
      findings.problem(at, `"${old.name}" is named by another entry: add the id of the one to rename`);
    else if (claims.unclaimed(was).length) claims.claimFirst(pair, claims.unclaimed(was), at);
    else claims.claim(pair, old);
  }
  for (const thing of ignored) claims.claimed.add(thing);
}

function matchEntries(
  name: ThingSection,
  entries: readonly FileEntry[],
  snapshot: Snapshot,
  findings: Findings,
): Pairing {
  const section = sections[name];
  const desired = desiredPairs(name, entries);
  const claims = new Claims(section, thingsOf(section, snapshot), findings);
  claimById(section, desired, claims, findings);
  claimByName(section, desired, claims, findings);
  const { things, found, claimed } = claims;
  const pairs = desired.map(({ was: _, ...pair }, n): Pair => {
    const thing = found.get(desired[n] ?? pair);
    // An entry with an id and without an address keeps the address.
    const keepsName = thing && pair.entry[section.key[0] ?? ""] === undefined;
    return { ...pair, ...(keepsName && { name: thing.name }), ...(thing && { thing }) };
  });
  suggestOldNames(section, { things, pairs, claimed }, findings);
  return { things, pairs, claimed };
}

/** Adds a notice if a new thing has a name similar to an unlisted one. */
function suggestOldNames(section: ThingsSection, { things, pairs, claimed }: Pairing, findings: Findings): void {
  if (!Object.hasOwn(section.members, "was")) return;
  // Without a word of the file, nothing is said of linkifiers: all patterns look alike.
  const isNamed = section.key[0] === "name";
  const others = things.filter((thing) => !claimed.has(thing)).map(({ name }) => name);
  for (const { thing, entry, path, name, archives } of pairs) {
    if (thing || entry.id !== undefined || archives) continue;
    const { was } = entry;
    const [similar] = [name, was].flatMap((each) =>
      typeof each === "string" ? similarNamesOrAddresses(each, others) : [],
    );
    const hint =
      similar === undefined ? "" : `; there is "${similar}": did you mean it? Then add "was: ${inFile(similar)}"`;
    const oldKey = was === undefined ? undefined : entryKey(section, () => was);
    if (oldKey !== undefined && !things.some(({ key }) => key === oldKey))
      findings.notice(`no ${section.one} is named "${was}": "${name}" will be created${hint}`, [...path, "was"]);
    else if (was === undefined && isNamed && hint) findings.notice(`a new ${section.one} "${name}"${hint}`, path);
  }
}

/** Quotes a name if YAML could read it as another type. */
const inFile = (name: string): string =>
  /^\p{L}[\p{L}\p{N} _-]*$/u.test(name) && !/^(?:true|false|null)$/i.test(name) && !name.endsWith(" ")
    ? name
    : `'${name.replaceAll("'", "''")}'`;
