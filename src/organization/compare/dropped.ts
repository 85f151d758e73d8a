/** Finds what an earlier file set and a newer one does not mention: nothing changes it, and it stays as it is. */
import { membersOf } from "../../common/object-members.ts";
import { memberNamed } from "../attribute-shapes.ts";
import { type Content, type FileEntry, isEntry } from "../content.ts";
import { type Difference, fieldsOf, idIn } from "../difference.ts";
import { type SectionName, sectionNames } from "../section-names.ts";
import { labelOf, sections, thingSections } from "../section-registry.ts";
import type { ThingsSection } from "../sections/section.ts";
import type { ComparedThing, Pair } from "../sections/section-rules.ts";
import type { Snapshot } from "../snapshot.ts";
import { Findings } from "./findings.ts";
import { matchAll } from "./match.ts";

export interface Dropped {
  readonly section: SectionName;
  readonly name: string;
  readonly id?: number;
  /** Attributes, and of lists and mappings what the newer file lacks. Empty if only the name of the thing was there. */
  readonly fields: readonly string[];
}

/** Values that are one value, although YAML writes them as a mapping. */
const isWho = (value: FileEntry): boolean => "users" in value || "groups" in value;

const itemText = (item: unknown): string => (isEntry(item) ? String(item.name) : String(item));

const itemsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(itemText) : []);

/** Returns what a list of the earlier file added or removed, and the newer one does not mention. */
function droppedItems(field: string, older: unknown, newer: FileEntry): string[] {
  const known = new Set([...itemsOf(newer.add), ...itemsOf(newer.remove)]);
  const { add, remove } = isEntry(older) ? older : { add: older, remove: [] };
  const without = (all: unknown) => itemsOf(all).filter((item) => !known.has(item));
  return [...without(add).map((item) => `${field} + ${item}`), ...without(remove).map((item) => `${field} − ${item}`)];
}

/** Returns what the newer value of an attribute lacks. */
function droppedParts(field: string, older: unknown, newer: unknown, isExact: boolean): string[] {
  if (field === "options")
    return isExact ? [] : itemsOf(older).flatMap((item) => (itemsOf(newer).includes(item) ? [] : [`option ${item}`]));
  if (!isEntry(newer) || isWho(newer)) return [];
  if ("add" in newer || "remove" in newer) return droppedItems(field, older, newer);
  if (!isEntry(older) || isWho(older)) return [];
  return Object.keys(older).flatMap((key) => (Object.hasOwn(newer, key) ? [] : [`${field} ${key}`]));
}

/** Returns what an entry of the earlier file has and the newer one lacks. */
function droppedFields(section: SectionName, older: FileEntry, newer: FileEntry, isExact: boolean): string[] {
  const stated = sections[section];
  const { key = [], archiving }: Partial<ThingsSection> = "records" in stated ? stated : {};
  const identifying = new Set([...key, "id", "was", "invite", archiving?.member]);
  return Object.entries(older).flatMap(([field, value]): string[] => {
    if (identifying.has(field)) return [];
    const { until, createOnly } = memberNamed(stated, field) ?? {};
    if (createOnly || (until && Object.hasOwn(newer, until.by))) return [];
    if (Object.hasOwn(newer, field)) return droppedParts(field, value, newer[field], isExact);
    return field === "profile" ? Object.keys(membersOf(value)).map((name) => `profile ${name}`) : [field];
  });
}

const keyOf = (thing: ComparedThing): string => String(thing.id ?? thing.key);

/** `differences`: what the earlier file would change now. These values are not there any more. */
export function droppedFrom(
  snapshot: Snapshot,
  { base, content, differences }: { base: Content; content: Content; differences: readonly Difference[] },
): Dropped[] {
  const [older, newer] = [base, content].map((each) => matchAll(each, snapshot, new Findings()));
  const stillThere = (section: SectionName, id: number | undefined, name: string) => {
    const own = differences.filter((one) => one.section === section && (idIn(one) ?? one.name) === (id ?? name));
    // Of a changed list, the rest is still there.
    const changes = own.flatMap(fieldsOf).filter(({ to }) => !Array.isArray(to));
    const changed = new Set(changes.map(labelOf));
    return (field: string) => !changed.has(field);
  };
  const ofThings = (section: (typeof thingSections)[number]): Dropped[] => {
    const current = new Map(
      newer?.[section].pairs.flatMap(({ thing, entry }) => (thing ? [[keyOf(thing), entry]] : [])),
    );
    const isExact = content.complete?.includes(section) ?? false;
    return (older?.[section].pairs ?? []).flatMap(({ thing, entry, archives }: Pair): Dropped[] => {
      const isGone = !thing || (thing.archived && !archives);
      const entryNow = thing && current.get(keyOf(thing));
      if (isGone || (!entryNow && isExact)) return [];
      const { id, name } = thing;
      const fields = droppedFields(section, entry, entryNow ?? {}, isExact).filter(stillThere(section, id, name));
      return fields.length || !entryNow ? [{ section, name, ...(id !== undefined && { id }), fields }] : [];
    });
  };
  return sectionNames.flatMap((section): Dropped[] => {
    const name = thingSections.find((each) => each === section);
    if (name) return ofThings(name);
    const [one, other] = [base, content].map((each) => membersOf(each[section]));
    const fields = droppedFields(section, one ?? {}, other ?? {}, false).filter(
      stillThere(section, undefined, section),
    );
    return fields.length ? [{ section, name: section, fields }] : [];
  });
}
