/** Names of people, channels and groups: current ones, and earlier ones by undoing renames. */
import type { Account, LogRow } from "./rows.ts";

export type Named = "user" | "channel" | "group";

/** Event types that rename something. `"1"` is the old name, `"2"` the new one. */
export const renames: ReadonlyMap<
  number,
  { kind: Named; of: "modified_user" | "modified_stream" | "modified_user_group"; member: "name" | "email" }
> = new Map([
  [124, { kind: "user", of: "modified_user", member: "name" }],
  [125, { kind: "user", of: "modified_user", member: "email" }],
  [603, { kind: "channel", of: "modified_stream", member: "name" }],
  [720, { kind: "group", of: "modified_user_group", member: "name" }],
]);

export interface Person {
  id: number;
  email: string;
  name: string;
  /** Its current name, if it differs. */
  name_now?: string;
}

export interface Thing {
  kind: string;
  id: number | null;
  email?: string;
  name: string | null;
  name_now?: string;
}

interface PersonNow {
  name: string;
  email: string;
  is_bot: boolean;
}

/** Texts by number, packed: an organization may have a hundred thousand people, and each a name and an earlier one. */
class Texts {
  readonly #at = new Map<number, number>();
  #bytes = Buffer.alloc(64 * 1024);
  #size = 0;

  set(id: number, text: string): void {
    const length = Buffer.byteLength(text);
    if (this.#size + length + 4 > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2 + length);
    this.#at.set(id, this.#size);
    this.#bytes.writeUInt32LE(length, this.#size);
    this.#bytes.write(text, this.#size + 4);
    this.#size += length + 4;
  }

  get(id: number): string | undefined {
    const at = this.#at.get(id);
    if (at === undefined) return undefined;
    return this.#bytes.toString("utf8", at + 4, at + 4 + this.#bytes.readUInt32LE(at));
  }
}

class People {
  readonly #texts = new Texts();

  set(id: number, { name, email, is_bot }: PersonNow): void {
    this.#texts.set(id, JSON.stringify([name, email, is_bot]));
  }

  get(id: number): PersonNow | undefined {
    const text = this.#texts.get(id);
    if (text === undefined) return undefined;
    const [name, email, is_bot] = JSON.parse(text);
    return { name, email, is_bot };
  }
}

// An entry is made a million times: spreading objects would take ten times as long as all else.
function withNow(thing: Thing, now: string): Thing {
  if (now !== thing.name) thing.name_now = now;
  return thing;
}

export class Names {
  readonly #people = new People();
  readonly #channels = new Map<number, string>();
  readonly #groups = new Map<number, string>();
  /** Names and addresses of things that were renamed since. */
  readonly #earlier = {
    name: { user: new Texts(), channel: new Texts(), group: new Texts() },
    email: { user: new Texts(), channel: new Texts(), group: new Texts() },
  };
  /** Groups that servers make for roles. */
  readonly #roles = new Set<number>();
  /** Members of groups without a name, which permissions of several people and groups make. */
  readonly #unnamed = new Map<number, { users: number[]; groups: number[] }>();
  organization: { id: number; name: string } | undefined;

  addPerson({ id, name, email, is_bot }: Account): void {
    this.#people.set(id, { name, email, is_bot });
  }

  addChannel(id: number, name: string): void {
    this.#channels.set(id, name);
  }

  addGroup(id: number, name: string, isRole: boolean): void {
    this.#groups.set(id, name);
    if (isRole) this.#roles.add(id);
  }

  addMember(group: number, member: { user: number } | { group: number }): void {
    const found = this.#unnamed.get(group) ?? { users: [], groups: [] };
    if ("user" in member) found.users.push(member.user);
    else found.groups.push(member.group);
    this.#unnamed.set(group, found);
  }

  /** Returns whether the group is a system group. */
  isRole(group: number | null): boolean {
    return group !== null && this.#roles.has(group);
  }

  isBot(user: number): boolean {
    return this.#people.get(user)?.is_bot ?? false;
  }

  /** Goes back over one row: what it renamed has its old name again. */
  undo(row: LogRow): void {
    this.#rename(row, row.extra_data["1"]);
  }

  /** Goes forward over it. */
  redo(row: LogRow): void {
    this.#rename(row, row.extra_data["2"]);
  }

  #rename(row: LogRow, name: unknown): void {
    const rename = renames.get(row.event_type);
    const id = rename && row[rename.of];
    if (rename && typeof id === "number" && typeof name === "string")
      this.#earlier[rename.member][rename.kind].set(id, name);
  }

  /** Returns the name at the time up to which rows were undone. */
  #then(kind: Named, id: number, now: string, member: "name" | "email" = "name"): string {
    return this.#earlier[member][kind].get(id) ?? now;
  }

  /** Returns the account at that time. Undefined if the export does not have it. */
  user(id: number): Person | undefined {
    const found = this.#people.get(id);
    if (!found) return undefined;
    const name = this.#then("user", id, found.name);
    const person: Person = { id, email: this.#then("user", id, found.email, "email"), name };
    if (name !== found.name) person.name_now = found.name;
    return person;
  }

  /** Returns a thing with its name. The name is null if the export does not have it. */
  named(kind: Named, id: number): Thing {
    if (kind === "user") {
      const person = this.#people.get(id);
      if (!person) return { kind, id, name: null };
      const email = this.#then(kind, id, person.email, "email");
      const name = this.#then(kind, id, person.name);
      return withNow({ kind: person.is_bot ? "bot" : "user", id, email, name }, person.name);
    }
    const now = (kind === "channel" ? this.#channels : this.#groups).get(id);
    return now === undefined ? { kind, id, name: null } : withNow({ kind, id, name: this.#then(kind, id, now) }, now);
  }

  /** Returns whether this is its current name, address or id. */
  isCalled(kind: Named, id: number, text: string): boolean {
    if (String(id) === text) return true;
    const folded = text.toLowerCase();
    const person = kind === "user" ? this.#people.get(id) : undefined;
    const names = person ? [person.name, person.email] : [(kind === "channel" ? this.#channels : this.#groups).get(id)];
    return names.some((name) => name?.toLowerCase() === folded);
  }

  /** A permission as in an organization file: the name of a group, or people and groups. */
  permission(value: unknown): unknown {
    if (typeof value === "number") {
      const members = this.#groups.has(value) ? undefined : this.#unnamed.get(value);
      return members ? this.#together(members.users, members.groups) : this.#group(value);
    }
    if (typeof value !== "object" || value === null) return value;
    const { direct_members, direct_subgroups } = value as Record<string, unknown>;
    return this.#together(numbersIn(direct_members), numbersIn(direct_subgroups));
  }

  #together(users: readonly number[], groups: readonly number[]): unknown {
    if (users.length === 0 && groups.length === 1) return this.#group(groups[0]!);
    const people = users.map((id) => this.user(id)?.email ?? `id:${id}`).sort();
    const named = groups.map((id) => this.#group(id)).sort();
    return {
      ...((people.length > 0 || named.length === 0) && { users: people }),
      ...(named.length > 0 && { groups: named }),
    };
  }

  #group(id: number): string {
    const now = this.#groups.get(id);
    if (now === undefined) return `id:${id}`;
    const name = this.#then("group", id, now);
    return name === "role:nobody" ? "nobody" : name;
  }
}

const numbersIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "number") : [];
