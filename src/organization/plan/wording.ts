/** Canonical values in the words of the file, and for people to read. */
import { keyOfKnown, knownIn, movesIn, same } from "../canonical.ts";
import { type FieldChange, type Known, type Option, optionsOf, type Values, type WhoValue } from "../difference.ts";
import { sections } from "../file.ts";
import { Commented, namingOf, plainName } from "../naming.ts";
import { fieldTypes, optionsIn } from "../sections/profile-fields.ts";
import { groups, people, textIn, who } from "../shape.ts";
import { everybodyOf, type Snapshot } from "../snapshot.ts";
import type { SectionName } from "../words.ts";

type Kind = "people" | "groups" | "who" | "channel" | "folder" | "options" | "profile" | "text" | "plain";

function kindOf(section: SectionName, field: string): Kind {
  const member = sections[section].members[field];
  // An invitation has lists that are no attributes.
  if (!member) return field === "groups" ? "groups" : field === "channels" ? "channel" : "plain";
  const { shape } = member;
  if (field === "profile") return "profile";
  if (section === "profile_fields" && field === "options") return "options";
  if (shape === people) return "people";
  if (shape === groups) return "groups";
  if (shape === who) return "who";
  const text = textIn(shape);
  if (text?.names === "channel" || text?.names === "folder") return text.names;
  return text && !text.names ? "text" : "plain";
}

/** What tells it from others of its name, and its name. */
type Item = readonly [key: string, name: string];

/** How many of a list are named. */
const most = 8;

const inFull = (all: readonly string[]): string =>
  all.length > most ? `${all.slice(0, most).join(", ")} and ${all.length - most} more` : all.join(", ");

const namesOf = (items: readonly Item[]): string[] => items.map(([, name]) => name);

/** `result`: the organization afterwards, whose names things have in the file. */
export class Wording {
  readonly #result: Snapshot;
  readonly #naming: ReturnType<typeof namingOf>;
  readonly #people: ReadonlyMap<Known, string>;
  /** By field, the texts of its options by their keys. */
  readonly #options = new Map<number | string, ReadonlyMap<unknown, string>>();

  constructor(result: Snapshot) {
    this.#result = result;
    this.#naming = namingOf(result);
    this.#people = new Map(everybodyOf(result).map(({ user_id, full_name }) => [user_id, full_name]));
    for (const { id, name, type, field_data } of result.organization.custom_profile_fields) {
      const texts =
        type === fieldTypes.options ? optionsIn(field_data).map(({ key, text }) => [key, text] as const) : [];
      for (const key of [id, name]) this.#options.set(key, new Map(texts));
    }
  }

  /** A value as a file would say it. */
  inFile(section: SectionName, { field, of }: Pick<FieldChange, "field" | "of">, value: unknown): unknown {
    if (value === undefined || value === null) return value;
    const named = (each: Known): unknown => {
      const kind = kindOf(section, field);
      if (kind === "groups") return this.#group(each);
      if (typeof each !== "number") return each.new;
      return (kind === "channel" ? this.#naming.channel(each) : this.#naming.folder(each)) ?? `id:${each}`;
    };
    switch (kindOf(section, field)) {
      case "people":
        return this.#addresses(value);
      case "profile":
        if (Array.isArray(value)) return this.#addresses(value);
        return (of && this.#options.get(keyOfKnown(of.field))?.get(value)) ?? value;
      case "groups":
      case "channel":
      case "folder":
        return Array.isArray(value) ? knownIn(value).map(named) : knownIn([value]).map(named)[0];
      case "who":
        return this.#who(value as WhoValue);
      case "options":
        return optionsOf(value).map(({ text }) => text);
      default:
        return value;
    }
  }

  /** All that something new is to be, as a file would say it. */
  ofNew(section: SectionName, to: Values): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(to).map(([field, value]) => [field, this.inFile(section, { field }, value)]),
    );
  }

  #addresses(ids: unknown): string[] {
    return knownIn(ids).flatMap((id) => {
      const person = typeof id === "number" ? this.#naming.person(id) : [];
      return person instanceof Commented ? person.text : person;
    });
  }

  #group(group: Known): string {
    return typeof group === "number" ? this.#naming.group(group) : plainName(group.new);
  }

  #who({ users, groups: all }: WhoValue): unknown {
    const named = all.map((group) => this.#group(group));
    if (!users.length && named.length < 2) return named[0] ?? "nobody";
    return { ...(users.length && { users: this.#addresses(users) }), ...(named.length && { groups: named }) };
  }

  #peopleItems = (ids: unknown): Item[] =>
    knownIn(ids).map((id) => [`person ${keyOfKnown(id)}`, this.#people.get(id) ?? `id:${keyOfKnown(id)}`]);

  #groupItems = (all: unknown): Item[] =>
    knownIn(all).map((group) => [`group ${keyOfKnown(group)}`, this.#group(group)]);

  #whoItems(value: unknown): Item[] {
    const { users, groups: all } = Object(value);
    const items = [...this.#groupItems(all), ...this.#peopleItems(users)];
    return items.length ? items : [["nobody", "nobody"]];
  }

  /** `subscribers: + Ada Lovelace; − Eve Ost`. */
  line(section: SectionName, change: FieldChange): string {
    const { field, of, from, to } = change;
    const kind = kindOf(section, field);
    const label = of ? `${field} ${of.name}` : field;
    if (kind === "people" || kind === "groups") {
      const items = kind === "people" ? this.#peopleItems : this.#groupItems;
      const [come, gone] = movesIn<Known>(from, to);
      return `${label}: ${signed(namesOf(items(come)), namesOf(items(gone)))}`;
    }
    if (kind === "options") return `${label}: ${ofOptions(optionsOf(from), optionsOf(to))}`;
    if (kind === "who" && from && to) return `${label}: ${changed(this.#whoItems(from), this.#whoItems(to))}`;
    if (Array.isArray(from) && Array.isArray(to) && kind === "profile")
      return `${label}: ${changed(this.#peopleItems(from), this.#peopleItems(to))}`;
    return `${label}: ${this.#word(section, change, from)} → ${this.#word(section, change, to)}`;
  }

  /** `members: + Ada Lovelace` of something that is to be made. */
  stated(section: SectionName, field: string, to: unknown): string {
    const isAttribute = Object.hasOwn(sections[section].members, field);
    if (isAttribute && ["people", "groups", "options"].includes(kindOf(section, field)))
      return this.line(section, { field, from: [], to });
    return `${field}: ${this.#word(section, { field }, to)}`;
  }

  #word(section: SectionName, change: Pick<FieldChange, "field" | "of">, value: unknown): string {
    if (value === null || value === undefined) return "none";
    const kind = kindOf(section, change.field);
    if (kind === "who") return inFull(namesOf(this.#whoItems(value)));
    if (kind === "profile" && Array.isArray(value)) return inFull(namesOf(this.#peopleItems(value)));
    const words = this.inFile(section, change, value);
    if (Array.isArray(words) && (kind === "groups" || kind === "channel")) return inFull(words.map(String));
    return kind === "text" || kind === "profile" || typeof words === "object" ? JSON.stringify(words) : String(words);
  }

  /** The names of things in their order. */
  order(section: SectionName, all: readonly Known[]): string[] {
    const stated = sections[section];
    if (stated.holds !== "things") return [];
    const name = (record: object) => String(Reflect.get(record, stated.key[0] ?? ""));
    const names = new Map(stated.records(this.#result).map((record) => [stated.id(record), name(record)]));
    return all.map((known) => (typeof known === "number" ? (names.get(known) ?? `id:${known}`) : known.new));
  }
}

function ofOptions(from: readonly Option[], to: readonly Option[]): string {
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

/** What a short list was and is; of a long one what differs, which might be among those that are not named. */
function changed(from: readonly Item[], to: readonly Item[]): string {
  if (from.length <= most && to.length <= most) return [from, to].map((all) => namesOf(all).join(", ")).join(" → ");
  const without = (one: readonly Item[], other: readonly Item[]) => {
    const keys = new Set(other.map(([key]) => key));
    return namesOf(one.filter(([key]) => !keys.has(key)));
  };
  return signed(without(to, from), without(from, to));
}

/** By name where not all are named: the newest accounts have the last ids. */
const someOf = (all: readonly string[]): string => inFull(all.length > most ? [...all].sort() : all);

function signed(added: readonly string[], removed: readonly string[]): string {
  const parts = [added.length && `+ ${someOf(added)}`, removed.length && `− ${someOf(removed)}`];
  return parts.filter(Boolean).join("; ");
}
