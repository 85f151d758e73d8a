/** Writes canonical values in the words of a file, or for people to read. */
import { withUnit } from "../../notation/units.ts";
import { keyOfKnown, knownIn, listChanges, same } from "../canonical.ts";
import { type FieldChange, type Known, type Option, optionsOf, type Values, type WhoValue } from "../difference.ts";
import { labelOf, sections } from "../file.ts";
import { Commented, namesIn, namingOf, plainName } from "../naming.ts";
import { fieldTypes, optionsIn } from "../sections/profile-fields.ts";
import { groups, people, textIn, who } from "../shape.ts";
import type { Snapshot } from "../snapshot.ts";
import type { SectionName } from "../words.ts";

type Kind = "person" | "people" | "groups" | "who" | "channel" | "folder" | "options" | "profile" | "text" | "plain";

function kindOf(section: SectionName, field: string): Kind {
  const member = sections[section].members[field];
  // Invitations have these lists, which are not attributes.
  if (!member) return field === "groups" ? "groups" : field === "channels" ? "channel" : "plain";
  const { shape } = member;
  if (field === "profile") return "profile";
  if (section === "profile_fields" && field === "options") return "options";
  if (shape === people) return "people";
  if (shape === groups) return "groups";
  if (shape === who) return "who";
  const text = textIn(shape);
  if (text?.names === "person") return "person";
  if (text?.names === "channel" || text?.names === "folder") return text.names;
  return text && !text.names ? "text" : "plain";
}

/** A unique key, and the name. */
type Item = readonly [key: string, name: string];

/** The largest number of list items that a line names. */
const most = 8;

const inFull = (all: readonly string[]): string =>
  all.length > most ? `${all.slice(0, most).join(", ")} and ${all.length - most} more` : all.join(", ");

const namesOf = (items: readonly Item[]): string[] => items.map(([, name]) => name);

/** Returns functions that write values. `result`: the organization after the plan, whose names are used. */
export function wordingOf(result: Snapshot) {
  const naming = namingOf(result);
  const names: ReadonlyMap<Known, string> = namesIn(result).user;
  /** By field, the texts of its options by their keys. */
  const options = new Map<number | string, ReadonlyMap<unknown, string>>();
  for (const { id, name, type, field_data } of result.organization.custom_profile_fields) {
    const all = type === fieldTypes.options ? optionsIn(field_data) : [];
    for (const key of [id, name]) options.set(key, new Map(all.map((option) => [option.key, option.text])));
  }

  const addresses = (ids: unknown): string[] =>
    knownIn(ids).flatMap((id) => {
      const person = typeof id === "number" ? naming.person(id) : [];
      return person instanceof Commented ? person.text : person;
    });

  const groupName = (group: Known): string => (typeof group === "number" ? naming.group(group) : plainName(group.new));

  function whoInFile({ users, groups: all }: WhoValue): unknown {
    const named = all.map(groupName);
    if (!users.length && named.length < 2) return named[0] ?? "nobody";
    return { ...(users.length && { users: addresses(users) }), ...(named.length && { groups: named }) };
  }

  /** Returns a value as a file would say it. */
  function inFile(section: SectionName, { field, of }: Pick<FieldChange, "field" | "of">, value: unknown): unknown {
    if (value === undefined || value === null) return value;
    const { choices } = sections[section].members[field] ?? {};
    if (choices) return naming.choice(choices, value);
    const kind = kindOf(section, field);
    const named = (each: Known): unknown => {
      if (kind === "groups") return groupName(each);
      if (typeof each !== "number") return each.new;
      return (kind === "channel" ? naming.channel(each) : naming.folder(each)) ?? `id:${each}`;
    };
    switch (kind) {
      case "people":
        return addresses(value);
      case "person":
        return addresses([value])[0];
      case "profile":
        if (Array.isArray(value)) return addresses(value);
        return (of && options.get(keyOfKnown(of.field))?.get(value)) ?? value;
      case "groups":
      case "channel":
      case "folder":
        return Array.isArray(value) ? knownIn(value).map(named) : knownIn([value]).map(named)[0];
      case "who":
        return whoInFile(value as WhoValue);
      case "options":
        return optionsOf(value).map(({ text }) => text);
      default:
        return value;
    }
  }

  const peopleItems = (ids: unknown): Item[] =>
    knownIn(ids).map((id) => [`person ${keyOfKnown(id)}`, names.get(id) ?? `id:${keyOfKnown(id)}`]);

  const groupItems = (all: unknown): Item[] =>
    knownIn(all).map((group) => [`group ${keyOfKnown(group)}`, groupName(group)]);

  function whoItems(value: unknown): Item[] {
    const { users, groups: all } = Object(value);
    const items = [...groupItems(all), ...peopleItems(users)];
    return items.length ? items : [["nobody", "nobody"]];
  }

  function word(section: SectionName, change: Pick<FieldChange, "field" | "of">, value: unknown): string {
    if (value === null || value === undefined) return "none";
    const kind = kindOf(section, change.field);
    if (kind === "who") return inFull(namesOf(whoItems(value)));
    if (kind === "person") return inFull(namesOf(peopleItems([value])));
    if (kind === "profile" && Array.isArray(value)) return inFull(namesOf(peopleItems(value)));
    const words = inFile(section, change, value);
    if (Array.isArray(words) && (kind === "groups" || kind === "channel")) return inFull(words.map(String));
    if (kind === "plain")
      return String(withUnit(change.field, typeof words === "object" ? JSON.stringify(words) : words));
    return kind === "text" || kind === "profile" || typeof words === "object" ? JSON.stringify(words) : String(words);
  }

  /** Returns a line such as `subscribers: + Ada Lovelace; − Eve Ost`. */
  function line(section: SectionName, change: FieldChange): string {
    const { field, from, to } = change;
    const kind = kindOf(section, field);
    const label = labelOf(change);
    if (kind === "people" || kind === "groups") {
      const items = kind === "people" ? peopleItems : groupItems;
      const [come, gone] = listChanges<Known>(from, to);
      return `${label}: ${signed(namesOf(items(come)), namesOf(items(gone)))}`;
    }
    if (kind === "options") return `${label}: ${optionChanges(optionsOf(from), optionsOf(to))}`;
    if (kind === "who" && from && to) return `${label}: ${listBeforeAndAfter(whoItems(from), whoItems(to))}`;
    if (Array.isArray(from) && Array.isArray(to) && kind === "profile")
      return `${label}: ${listBeforeAndAfter(peopleItems(from), peopleItems(to))}`;
    return `${label}: ${word(section, change, from)} → ${word(section, change, to)}`;
  }

  return {
    inFile,
    line,
    /** Returns all values of a new thing, as a file would say them. */
    ofNew: (section: SectionName, to: Values): Record<string, unknown> =>
      Object.fromEntries(Object.entries(to).map(([field, value]) => [field, inFile(section, { field }, value)])),
    /** Returns a line about a new thing, such as `members: + Ada Lovelace`. */
    stated(section: SectionName, field: string, to: unknown): string {
      const isAttribute = Object.hasOwn(sections[section].members, field);
      if (isAttribute && ["people", "groups", "options"].includes(kindOf(section, field)))
        return line(section, { field, from: [], to });
      return `${field}: ${word(section, { field }, to)}`;
    },
    /** Returns the names of things in their order. */
    order(section: SectionName, all: readonly Known[]): string[] {
      const stated = sections[section];
      if (stated.holds !== "things") return [];
      const name = (record: object) => String(Reflect.get(record, stated.key[0] ?? ""));
      const called = new Map(stated.records(result).map((record) => [stated.id(record), name(record)]));
      return all.map((known) => (typeof known === "number" ? (called.get(known) ?? `id:${known}`) : known.new));
    },
  };
}

export type Wording = ReturnType<typeof wordingOf>;

function optionChanges(from: readonly Option[], to: readonly Option[]): string {
  const [before, then] = [from, to].map((all) => new Map(all.map(({ key, text }) => [key, text])));
  const without = (all: readonly Option[], others = before) => all.filter(({ key }) => !others?.has(key));
  const added = without(to).map(({ text }) => text);
  const removed = without(from, then).map(({ text }) => text);
  const [kept, stay] = [from.filter(({ key }) => then?.has(key)), to.filter(({ key }) => before?.has(key))];
  const renamed = kept.flatMap(({ key, text }) => (then?.get(key) === text ? [] : [`${text} → ${then?.get(key)}`]));
  const keys = (all: readonly Option[]) => all.map(({ key }) => key);
  const moved = same(keys(kept), keys(stay)) ? [] : [`in the order ${inFull(to.map(({ text }) => text))}`];
  return [signed(added, removed), ...renamed, ...moved].filter(Boolean).join("; ");
}

/** Returns a short list before and after, or only the changes of a long list. */
function listBeforeAndAfter(from: readonly Item[], to: readonly Item[]): string {
  if (from.length <= most && to.length <= most) return [from, to].map((all) => namesOf(all).join(", ")).join(" → ");
  const without = (one: readonly Item[], other: readonly Item[]) => {
    const keys = new Set(other.map(([key]) => key));
    return namesOf(one.filter(([key]) => !keys.has(key)));
  };
  return signed(without(to, from), without(from, to));
}

/** Sorts by name if not all are named: otherwise the newest accounts would be missing. */
const someOf = (all: readonly string[]): string => inFull(all.length > most ? [...all].sort() : all);

function signed(added: readonly string[], removed: readonly string[]): string {
  const parts = [added.length && `+ ${someOf(added)}`, removed.length && `− ${someOf(removed)}`];
  return parts.filter(Boolean).join("; ");
}
