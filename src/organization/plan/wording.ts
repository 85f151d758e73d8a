/** Canonical values in the words of the file, and for people to read. */
import { keyOfKnown, knownIn, same } from "../canonical.ts";
import type { Difference, FieldChange, Known, Option, Values, WhoValue } from "../difference.ts";
import { sections } from "../file.ts";
import { Commented, namingOf, plainName } from "../naming.ts";
import { fieldTypes, optionsIn } from "../sections/field-data.ts";
import { groups, type Member, type Names, people, textIn, who } from "../shape.ts";
import { everybodyOf, type Snapshot } from "../snapshot.ts";
import type { SectionName } from "../words.ts";

const optionsOf = (value: unknown): readonly Option[] => (Array.isArray(value) ? value : []);

type Kind = "people" | "groups" | "who" | "channel" | "folder" | "options" | "text" | "plain";

function kindOf(section: SectionName, field: string, { shape }: Member): Kind {
  if (section === "profile_fields" && field === "options") return "options";
  if (shape === people) return "people";
  if (shape === groups) return "groups";
  if (shape === who) return "who";
  const text = textIn(shape);
  if (!text) return "plain";
  const kinds: Partial<Record<Names, Kind>> = { channel: "channel", folder: "folder" };
  return text.names ? (kinds[text.names] ?? "plain") : "text";
}

/** What tells it from others of its name, and its name. */
type Item = readonly [key: string, name: string];

interface Listed {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** How many of a list are told by name. */
const most = 8;

const inFull = (all: readonly string[]): string =>
  all.length > most ? `${all.slice(0, most).join(", ")} and ${all.length - most} more` : all.join(", ");

const quoted = (value: unknown): string => JSON.stringify(value) ?? "none";

/** `result`: the organization afterwards, whose names things have in the file. */
export class Wording {
  readonly #naming: ReturnType<typeof namingOf>;
  readonly #people: ReadonlyMap<number, string>;
  /** By field and key, the texts of options that differences speak of. */
  readonly #options = new Map<string, string>();
  readonly #types = new Map<number | string, unknown>();

  constructor(result: Snapshot) {
    this.#naming = namingOf(result);
    this.#people = new Map(everybodyOf(result).map(({ user_id, full_name }) => [user_id, full_name]));
    for (const { id, name, type, field_data } of result.organization.custom_profile_fields) {
      for (const key of [id, name]) this.#types.set(key, type);
      for (const { key: option, text } of type === fieldTypes.options ? optionsIn(field_data) : [])
        for (const key of [id, name]) this.#options.set(`${key} ${option}`, text);
    }
  }

  /** As a file would say it. */
  inFile(section: SectionName, { field, of, ...change }: FieldChange, side: "from" | "to"): unknown {
    return this.#said(section, field, of?.field, change[side]);
  }

  /** All that something new is to be, as a file would say it. */
  ofNew(section: SectionName, to: Values): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(to).map(([field, value]) => [field, this.#said(section, field, undefined, value)]),
    );
  }

  #said(section: SectionName, field: string, of: Known | undefined, value: unknown): unknown {
    if (value === undefined || value === null) return value;
    if (field === "profile") return this.#profile(of!, value);
    const member = sections[section].members[field];
    if (!member) return this.#invitation(field, value);
    switch (kindOf(section, field, member)) {
      case "people":
        return this.#addresses(value);
      case "groups":
        return knownIn(value).map((group) => this.#group(group));
      case "who":
        return this.#who(value as WhoValue, (ids) => this.#addresses(ids));
      case "channel":
        return this.#thing(value as Known, (id) => this.#naming.channel(id));
      case "folder":
        return this.#thing(value as Known, (id) => this.#naming.folder(id));
      case "options":
        return optionsOf(value).map(({ text }) => text);
      default:
        return value;
    }
  }

  #invitation(field: string, value: unknown): unknown {
    if (field === "groups") return knownIn(value).map((group) => this.#group(group));
    if (field === "channels") return knownIn(value).map((one) => this.#thing(one, (id) => this.#naming.channel(id)));
    return value;
  }

  #profile(of: Known, value: unknown): unknown {
    if (Array.isArray(value)) return this.#addresses(value);
    return this.#types.get(keyOfKnown(of)) === 3 ? (this.#options.get(`${keyOfKnown(of)} ${value}`) ?? value) : value;
  }

  #addresses(ids: unknown): string[] {
    return (ids as number[]).map((id) => {
      const person = this.#naming.person(id);
      return person instanceof Commented ? person.text : person;
    });
  }

  #names(ids: unknown): string[] {
    return (ids as number[]).map((id) => this.#people.get(id) ?? `id:${id}`);
  }

  #group(group: Known): string {
    return typeof group === "number" ? this.#naming.group(group) : plainName(group.new);
  }

  #thing(known: Known, name: (id: number) => unknown): unknown {
    return typeof known === "number" ? (name(known) ?? `id:${known}`) : known.new;
  }

  #who({ users, groups: all }: WhoValue, name: (ids: readonly number[]) => string[]): unknown {
    const named = all.map((group) => this.#group(group));
    if (!users.length && !named.length) return "nobody";
    if (!users.length && named.length === 1) return named[0];
    return { ...(users.length && { users: name(users) }), ...(named.length && { groups: named }) };
  }

  /** `subscribers: + Ada Lovelace; − Eve Ost`. */
  line(section: SectionName, change: FieldChange): string {
    const { field, of, from, to } = change;
    if (field === "profile" && Array.isArray(from) && Array.isArray(to))
      return `profile ${of!.name}: ${changed(this.#named(from), this.#named(to))}`;
    if (field === "profile") return `profile ${of!.name}: ${this.#short(change, from)} → ${this.#short(change, to)}`;
    const member = sections[section].members[field];
    const kind = member ? kindOf(section, field, member) : "plain";
    if (kind === "people" || kind === "groups") {
      const name = (all: readonly Known[]) =>
        kind === "people" ? this.#names(all) : all.map((group) => this.#group(group));
      return `${field}: ${this.#listed(from, to, name)}`;
    }
    if (kind === "options") return `${field}: ${this.#ofOptions(optionsOf(from), optionsOf(to))}`;
    if (kind === "who" && from && to) return `${field}: ${changed(this.#whoItems(from), this.#whoItems(to))}`;
    const [before, then] = [from, to].map((value) => this.#word(section, kind, field, value));
    return `${field}: ${before} → ${then}`;
  }

  #named(ids: readonly number[]): Item[] {
    return this.#names(ids).map((name, at) => [`person ${ids[at]}`, name]);
  }

  #whoItems(value: unknown): Item[] {
    const { users, groups: all } = value as WhoValue;
    const named = all.map((group): Item => [`group ${keyOfKnown(group)}`, this.#group(group)]);
    const items = [...named, ...this.#named(users)];
    return items.length ? items : [["nobody", "nobody"]];
  }

  /** `members: + Ada Lovelace` of something that is to be made. */
  stated(section: SectionName, field: string, to: unknown): string {
    const member = sections[section].members[field];
    const kind = member ? kindOf(section, field, member) : "plain";
    if (kind === "people" || kind === "groups" || kind === "options")
      return this.line(section, { field, from: kind === "options" ? [] : undefined, to });
    if (Array.isArray(to) && !member)
      return `${field}: ${inFull(this.#said(section, field, undefined, to) as string[])}`;
    return `${field}: ${this.#word(section, kind, field, to)}`;
  }

  #short({ of }: FieldChange, value: unknown): string {
    if (value === null) return "none";
    if (Array.isArray(value)) return inFull(this.#names(value));
    return quoted(this.#profile(of!.field, value));
  }

  #word(section: SectionName, kind: Kind, field: string, value: unknown): string {
    if (value === null || value === undefined) return "none";
    if (kind === "who") return inFull(this.#whoItems(value).map(([, name]) => name));
    const said = this.#said(section, field, undefined, value);
    if (kind === "text") return quoted(said);
    return typeof said === "object" ? quoted(said) : String(said);
  }

  #listed(from: unknown, to: unknown, name: (all: readonly Known[]) => string[]): string {
    const difference = (one: unknown, other: unknown): Known[] => {
      const there = new Set(((other ?? []) as readonly Known[]).map(keyOfKnown));
      return ((one ?? []) as readonly Known[]).filter((known) => !there.has(keyOfKnown(known)));
    };
    return signed({ added: name(difference(to, from)), removed: name(difference(from, to)) });
  }

  #ofOptions(from: readonly Option[], to: readonly Option[]): string {
    const before = new Map(from.map(({ key, text }) => [key, text]));
    const then = new Map(to.map(({ key, text }) => [key, text]));
    const added = to.flatMap(({ key, text }) => (before.has(key) ? [] : [text]));
    const removed = from.flatMap(({ key, text }) => (then.has(key) ? [] : [text]));
    const renamed = from.flatMap(({ key, text }) =>
      then.has(key) && then.get(key) !== text ? [`${text} → ${then.get(key)}`] : [],
    );
    const keys = (all: readonly Option[], others: ReadonlyMap<string, string>) =>
      all.flatMap(({ key }) => (others.has(key) ? [key] : []));
    const moved = same(keys(from, then), keys(to, before))
      ? []
      : [`in the order ${inFull(to.map(({ text }) => text))}`];
    const told = added.length || removed.length ? [signed({ added, removed })] : [];
    return [...told, ...renamed, ...moved].join("; ");
  }

  /** The names of things in their order. */
  order(section: SectionName, all: readonly Known[], differences: readonly Difference[], snapshot: Snapshot): string[] {
    const { organization, channel_folders } = snapshot;
    const renamed = new Map(
      differences.flatMap((one) => (one.section === section && "id" in one ? [[one.id, one.name] as const] : [])),
    );
    const records: Partial<Record<SectionName, readonly { id: number; name?: string; pattern?: string }[]>> = {
      profile_fields: organization.custom_profile_fields,
      linkifiers: organization.realm_linkifiers ?? [],
      folders: channel_folders ?? [],
    };
    const names = new Map(
      (records[section] ?? []).map(({ id, name, pattern }) => [id, renamed.get(id) ?? name ?? pattern!]),
    );
    return all.map((known) => (typeof known === "number" ? (names.get(known) ?? `id:${known}`) : known.new));
  }
}

/** What a short list was and is; of a long one what differs, which might be among those that are not named. */
function changed(from: readonly Item[], to: readonly Item[]): string {
  if (from.length <= most && to.length <= most)
    return [from, to].map((all) => all.map(([, name]) => name).join(", ")).join(" → ");
  const without = (one: readonly Item[], other: readonly Item[]) => {
    const keys = new Set(other.map(([key]) => key));
    return one.flatMap(([key, name]) => (keys.has(key) ? [] : [name]));
  };
  return signed({ added: without(to, from), removed: without(from, to) });
}

/** By name where not all are named: the newest accounts have the last ids. */
const someOf = (all: readonly string[]): string => inFull(all.length > most ? [...all].sort() : all);

function signed({ added, removed }: Listed): string {
  const parts = [added.length && `+ ${someOf(added)}`, removed.length && `− ${someOf(removed)}`];
  return parts.filter(Boolean).join("; ");
}
