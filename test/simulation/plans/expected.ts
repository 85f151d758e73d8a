/** Turns a file into expected facts, without the code of the program. */
import type { Content, FileEntry } from "../../../src/organization/content.ts";
import { isBot, type SandboxState } from "../../../src/sandbox/index.ts";
import type { Desired } from "./desired.ts";
import { type Fact, type Facts, partsOf, type Section } from "./facts.ts";

/** The sections of a file. */
type FileSection = Exclude<Section, "invitations">;

/** By section, the attribute that identifies a thing. */
const keys: Readonly<Record<FileSection, string>> = {
  people: "email",
  groups: "name",
  channels: "name",
  folders: "name",
  linkifiers: "pattern",
  profile_fields: "name",
  domains: "domain",
  playgrounds: "name",
};
const sections = Object.keys(keys) as FileSection[];
export const roles: Readonly<Record<string, number>> = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
};
/** By attribute, the name of the fact if it differs. */
const factNames: Readonly<Record<string, string>> = { archived: "away", deactivated: "away", active: "away" };

/** What never changes in a story: the addresses of people, and the system groups. */
export class Register {
  readonly people = new Map<string, number>();
  readonly roles = new Map<string, number>();

  constructor({ users, groups }: SandboxState) {
    for (const user of users.values()) if (!isBot(user)) this.people.set(user.delivery_email, user.user_id);
    for (const { id, name, is_system_group } of groups.values()) if (is_system_group) this.roles.set(name, id);
  }
}

/** Finds things by section and name, and the elements of lists. */
class Names {
  readonly #ids = new Map<string, string>();
  readonly #elements = new Map<string, number[]>();

  constructor(facts: Facts) {
    for (const [fact, value] of facts) {
      const { thing, section, id, field, element } = partsOf(fact);
      if (element !== undefined) {
        const list = `${thing} ${field}`;
        const namesCache = this.#elements.get(list);
        if (namesCache) namesCache.push(Number(element));
        else this.#elements.set(list, [Number(element)]);
      }
      if (field !== (section === "invitations" ? "name" : keys[section as FileSection])) continue;
      const key = this.#key(section, String(value));
      // A folder may have the name of an archived one.
      if (!this.#ids.has(key) || facts.get(`${thing} away`) === false) this.#ids.set(key, id);
    }
  }

  /** Returns the elements of a list such as `groups 17 members`. */
  elements(list: string): readonly number[] {
    return this.#elements.get(list) ?? [];
  }

  #key(section: string, name: string): string {
    return `${section} ${section === "channels" ? name.toLowerCase() : name}`;
  }

  id(section: string, name: string): string | undefined {
    return this.#ids.get(this.#key(section, name));
  }
}

/** Facts of one moment never change, and are read several times. */
const known = new WeakMap<Facts, Names>();

function namesOf(facts: Facts): Names {
  const names = known.get(facts) ?? new Names(facts);
  known.set(facts, names);
  return names;
}

export interface Expected {
  readonly section: FileSection;
  readonly name: string;
  /** `channels 7`. Undefined if it does not exist. */
  readonly thing: string | undefined;
  readonly entry: FileEntry;
}

/** Returns the things that a file describes, at a moment. */
export function expectedOf(content: Content, facts: Facts, register: Register): Expected[] {
  const names = namesOf(facts);
  return sections.flatMap((section) =>
    ((content[section] ?? []) as FileEntry[]).map((entry): Expected => {
      const name =
        section === "playgrounds" ? `${entry.pygments_language} ${entry.name}` : String(entry[keys[section]]);
      const found = () => {
        if (section === "people") return register.people.get(name)?.toString();
        if (section === "domains") return facts.has(`domains ${name} there`) ? name : undefined;
        if (entry.id !== undefined) return String(entry.id);
        return names.id(section, name) ?? (entry.was === undefined ? undefined : names.id(section, String(entry.was)));
      };
      const id = found();
      const there = id !== undefined && facts.has(`${section} ${id} there`);
      return { section, name, thing: there ? `${section} ${id}` : undefined, entry };
    }),
  );
}

/** Returns the fields that an entry mentions. */
export const fieldsOf = ({ entry }: Expected): Set<string> =>
  new Set(Object.keys(entry).map((each) => factNames[each] ?? each));

export interface DifferingFact {
  readonly section: string;
  readonly name: string;
  readonly fact: Fact;
}

/** Returns what differs from the file. */
export function differingFacts({ content, prune }: Desired, facts: Facts, register: Register): DifferingFact[] {
  const expected = expectedOf(content, facts, register);
  const ids = namesOf(facts);
  const found: DifferingFact[] = [];
  // Invited people come into lists with the invitation.
  const isActive = (user: number | undefined) => facts.get(`people ${user} away`) === false;
  const groupId = (name: string): number => register.roles.get(name) ?? Number(ids.id("groups", name));
  const userId = (email: string): number => register.people.get(email)!;
  /** Undefined if it names a deactivated person: servers refuse and hide them. */
  const who = (value: unknown): unknown => {
    if (typeof value === "string") return groupId(value);
    const users = (value as { users: string[] }).users.map(userId);
    return users.every(isActive) ? JSON.stringify([users.sort((a, b) => a - b), []]) : undefined;
  };
  const check = (one: Pick<Expected, "section" | "name">, fact: Fact, wanted: unknown) => {
    if (wanted !== undefined && facts.get(fact) !== wanted) found.push({ section: one.section, name: one.name, fact });
  };
  const list = (one: Expected, field: string, value: unknown) => {
    const id = (name: string) => (field === "subgroups" ? groupId(name) : userId(name));
    const counts = (element: number) => field === "subgroups" || isActive(element);
    const exact = Array.isArray(value);
    const { add = [], remove = [] } = (exact ? { add: value } : value) as { add?: string[]; remove?: string[] };
    const [wanted, unwanted] = [add.map(id), remove.map(id)];
    for (const each of wanted) if (counts(each)) check(one, `${one.thing} ${field} ${each}`, true);
    const isUnwanted = (element: number) => (exact ? !wanted.includes(element) : unwanted.includes(element));
    for (const element of ids.elements(`${one.thing} ${field}`))
      if (isUnwanted(element) && counts(element))
        found.push({ section: one.section, name: one.name, fact: `${one.thing} ${field} ${element}` });
  };
  for (const one of expected) {
    const { section, name, thing, entry } = one;
    if (thing === undefined) {
      if (entry.invite && ids.id("invitations", name) !== undefined) continue;
      // Nothing to archive.
      if (entry.archived !== true) found.push({ section, name, fact: `${section} ${name} there` });
      continue;
    }
    for (const [field, value] of Object.entries(entry)) {
      const fact = `${thing} ${factNames[field] ?? field}`;
      if (["was", "id", "email", "domain", "type", "options", "pygments_language"].includes(field)) continue;
      if (section === "playgrounds" && field === "name") continue;
      if (["members", "subgroups", "subscribers"].includes(field)) list(one, field, value);
      else if (field === "role") check(one, fact, roles[value as string]);
      else if (field === "active") check(one, fact, !value);
      else if (field === "folder") check(one, fact, value === null ? null : Number(ids.id("folders", value as string)));
      else if (field.startsWith("can_")) check(one, fact, who(value));
      else check(one, fact, value);
    }
  }
  for (const [field, value] of Object.entries(content.settings ?? {}))
    check(
      { section: "settings" as FileSection, name: "settings" },
      `settings - ${field}`,
      field.startsWith("can_") ? who(value) : value,
    );
  const mentioned = new Set(expected.map(({ thing }) => thing));
  for (const section of prune ? (content.complete ?? []) : [])
    for (const [fact] of facts) {
      const [of, id, field] = fact.split(" ", 3);
      if (of === section && field === "there" && !mentioned.has(`${section} ${id}`))
        found.push({ section, name: id!, fact });
    }
  return found;
}
