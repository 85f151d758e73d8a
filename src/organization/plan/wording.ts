/** Writes values with ids in the words of a file, or for people to read. */

import { joinFirst } from "../../common/counted.ts";
import { groupBy } from "../../common/group-by.ts";
import { membersOf } from "../../common/object-members.ts";
import type { Option } from "../../model/profile-field.ts";
import { withUnit } from "../../model/unit.ts";
import { anything } from "../../wire/types.ts";
import {
  type AttributeKind,
  attributeKind,
  groupsShape,
  type Member,
  memberNamed,
  referenceShape,
} from "../attribute-shapes.ts";
import type { FileEntry } from "../content.ts";
import { type AttributeValues, type FieldChange, optionsOf, type ThingId } from "../difference.ts";
import { idsIn, keyOfId, same } from "../id-values.ts";
import { type FileNaming, namingOf } from "../naming.ts";
import type { SectionName } from "../section-names.ts";
import { labelOf, sections } from "../section-registry.ts";
import { idOf } from "../sections/section.ts";
import type { Snapshot } from "../snapshot.ts";

/** The lists of an invitation, which are no attributes. */
const invitation: Readonly<Record<string, Pick<Member, "shape">>> = {
  groups: { shape: groupsShape },
  channels: { shape: referenceShape("channel") },
};

const memberOf = (section: SectionName, field: string): Pick<Member, "shape" | "choices"> =>
  memberNamed(sections[section], field) ?? invitation[field] ?? { shape: anything };

/** A unique key, and the name. */
type NamedItem = readonly [key: string, name: string];

/** The largest number of list items that a line names. */
const maxNames = 8;

const inFull = (all: readonly string[]): string => joinFirst(all, maxNames);

const namesOf = (items: readonly NamedItem[]): string[] => items.map(([, name]) => name);

const personItem = ({ names }: FileNaming, id: ThingId): NamedItem => {
  const people: ReadonlyMap<ThingId, string> = names.user;
  return [`person ${keyOfId(id)}`, people.get(id) ?? `id:${keyOfId(id)}`];
};

const groupItem = (naming: FileNaming, id: ThingId): NamedItem => [`group ${keyOfId(id)}`, naming.group(id)];

/** Returns the items of a value that names people or groups. */
function itemsOf(naming: FileNaming, kind: AttributeKind, value: unknown): NamedItem[] | undefined {
  const people = (ids: unknown) => idsIn(ids).map((id) => personItem(naming, id));
  const groups = (ids: unknown) => idsIn(ids).map((id) => groupItem(naming, id));
  switch (kind) {
    case "people":
    case "person":
      return people([value].flat());
    case "profile":
      return Array.isArray(value) ? people(value) : undefined;
    case "groups":
      return groups(value);
    case "who": {
      const who = membersOf(value);
      const items = [...groups(who.groups), ...people(who.users)];
      return items.length ? items : [["nobody", "nobody"]];
    }
    default:
      return undefined;
  }
}

/** Returns the names of things in their order. */
function orderOf(result: Snapshot, section: SectionName, all: readonly ThingId[]): string[] {
  const stated = sections[section];
  if (!("records" in stated)) return [];
  const name = (record: FileEntry) => String(record[stated.key[0] ?? ""]);
  const names = new Map(stated.records(result).map((record) => [idOf(stated, record), name(record)]));
  return all.map((known) => (typeof known === "number" ? (names.get(known) ?? `id:${known}`) : known.new));
}

/** Returns functions that write values. `result`: the organization after the plan, whose names are used. */
export function wordingOf(result: Snapshot) {
  const naming = namingOf(result);

  /** Returns a value as a file would say it. */
  const inFile = (section: SectionName, { field, of }: Pick<FieldChange, "field" | "of">, value: unknown): unknown =>
    naming.inFile(memberOf(section, field), value, of?.field);

  function word(section: SectionName, change: Pick<FieldChange, "field" | "of">, value: unknown): string {
    if (value === null || value === undefined) return "none";
    const kind = attributeKind(memberOf(section, change.field));
    const items = itemsOf(naming, kind, value);
    if (items) return inFull(namesOf(items));
    const words = inFile(section, change, value);
    if (kind === "channel" && Array.isArray(words)) return inFull(words.map(String));
    if (kind === "plain")
      return String(withUnit(change.field, typeof words === "object" ? JSON.stringify(words) : words));
    return kind === "text" || kind === "profile" || typeof words === "object" ? JSON.stringify(words) : String(words);
  }

  /** Returns the names of groups by the keys of people who are in the list through them. */
  const throughOf = ({ through = [] }: FieldChange): ReadonlyMap<string, string> =>
    new Map(through.flatMap(({ group, people }) => people.map((id) => [`person ${id}`, naming.group(group)])));

  /** Returns a line such as `subscribers: + Ada Lovelace; − Eve Ost`. */
  function line(section: SectionName, change: FieldChange): string {
    const { field, from, to } = change;
    const kind = attributeKind(memberOf(section, field));
    const [before, after] = [from, to].map((value) => (value ? itemsOf(naming, kind, value) : undefined));
    const says =
      kind === "people" || kind === "groups"
        ? changesOf(before ?? [], after ?? [], throughOf(change))
        : kind === "options"
          ? optionChanges(optionsOf(from), optionsOf(to))
          : before && after
            ? listBeforeAndAfter(before, after)
            : `${word(section, change, from)} → ${word(section, change, to)}`;
    return `${labelOf(change)}: ${says}`;
  }

  return {
    inFile,
    line,
    /** Returns the people who are in a list because a group is, as a file would say them. */
    through: (section: SectionName, { field, through = [] }: Pick<FieldChange, "field" | "through">) =>
      through.map(({ group, people }) => ({
        group: naming.group(group),
        people: inFile(section, { field }, people),
      })),
    value: word,
    /** Returns all values of a new thing, as a file would say them. */
    ofNew: (section: SectionName, to: AttributeValues): Record<string, unknown> =>
      Object.fromEntries(Object.entries(to).map(([field, value]) => [field, inFile(section, { field }, value)])),
    /** Returns a line about a new thing, such as `members: + Ada Lovelace`. */
    ofNewThing(section: SectionName, field: string, to: unknown, through?: FieldChange["through"]): string {
      const { members } = sections[section];
      const isList = members[field] && ["people", "groups", "options"].includes(attributeKind(members[field]));
      if (isList) return line(section, { field, from: [], to, ...(through && { through }) });
      return `${field}: ${word(section, { field }, to)}`;
    },
    order: (section: SectionName, all: readonly ThingId[]) => orderOf(result, section, all),
  };
}

export type Wording = ReturnType<typeof wordingOf>;

function optionChanges(from: readonly Option[], to: readonly Option[]): string {
  const textsOf = (all: readonly Option[]) => new Map(all.map(({ key, text }): NamedItem => [key, text]));
  const [before, after] = [textsOf(from), textsOf(to)];
  const keptOf = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
    [...one.keys()].filter((key) => other.has(key));
  const kept = keptOf(before, after);
  const renamed = kept.filter((key) => before.get(key) !== after.get(key));
  const isMoved = !same(kept, keptOf(after, before));
  return [
    changesOf([...before], [...after]),
    ...renamed.map((key) => `${before.get(key)} → ${after.get(key)}`),
    ...(isMoved ? [`in the order ${inFull([...after.values()])}`] : []),
  ]
    .filter(Boolean)
    .join("; ");
}

/** Returns a short list before and after, or only the changes of a long list. */
function listBeforeAndAfter(from: readonly NamedItem[], to: readonly NamedItem[]): string {
  if (from.length > maxNames || to.length > maxNames) return changesOf(from, to);
  return `${namesOf(from).join(", ")} → ${namesOf(to).join(", ")}`;
}

/** `through`: by the keys of people, the group through which they are in the list. */
function changesOf(
  from: readonly NamedItem[],
  to: readonly NamedItem[],
  through: ReadonlyMap<string, string> = new Map(),
): string {
  const without = (one: readonly NamedItem[], other: readonly NamedItem[]) => {
    const keys = new Set(other.map(([key]) => key));
    const some = one.filter(([key]) => !keys.has(key));
    return [...groupBy(some, ([key]) => through.get(key) ?? "")].sort(([a], [b]) => (a < b ? -1 : 1));
  };
  const words = (sign: string, all: readonly (readonly [group: string, items: readonly NamedItem[]])[]) =>
    all.map(([group, items]) => `${sign} ${someOf(namesOf(items))}${group && ` (${group})`}`);
  return [...words("+", without(to, from)), ...words("−", without(from, to))].join("; ");
}

/** Sorts by name if not all are named: otherwise the newest accounts would be missing. */
const someOf = (all: readonly string[]): string => inFull(all.length > maxNames ? [...all].sort() : all);
