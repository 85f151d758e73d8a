/** Names of people, channels, groups and folders: current ones, and earlier ones by undoing renames. */
import { hasMembers, membersOf, valueNamed } from "../common/object-members.ts";
import { permissionInWords } from "../model/change-words.ts";
import { kindNamed } from "../model/kinds/index.ts";
import { whoIn } from "../model/permission.ts";
import { ChannelValues } from "./channel-values.ts";
import type { AuditAccount, LogRow } from "./rows.ts";

export const namedKinds = ["user", "channel", "group", "folder"] as const;

export type NamedKind = (typeof namedKinds)[number];

interface Renaming {
  readonly kind: NamedKind;
  readonly column: string;
  readonly member: "name" | "email";
}

/** Event types that rename something. `"1"` is the old name, `"2"` the new one. */
export const renames: ReadonlyMap<number, Renaming> = new Map(
  namedKinds.flatMap((kind) => {
    const { title, log } = kindNamed(kind);
    if (!log || !("id" in log)) return [];
    return log.rows.flatMap(([type, , , { property } = {}]): [number, Renaming][] => {
      const member = property === title ? "name" : property === "email" ? "email" : undefined;
      return member ? [[type, { kind, column: log.id, member }]] : [];
    });
  }),
);

export interface AuditPerson {
  id: number;
  email: string;
  name: string;
  /** Its current name, if it differs. */
  name_now?: string;
}

export interface AuditThing extends Partial<Pick<AuditPerson, "email" | "name_now">> {
  kind: string;
  id: number | null;
  name: string | null;
}

interface NameRecord {
  readonly name_now: string;
  /** At the time up to which rows were undone. */
  name: string;
  email?: string;
  readonly is_bot?: boolean;
}

// A log has a million entries: spreading objects takes longer than all else.
function withCurrentName<T extends AuditPerson | AuditThing>(thing: T, { name, name_now }: NameRecord): T {
  if (name_now !== name) thing.name_now = name_now;
  return thing;
}

export class Names {
  readonly #known: Readonly<Record<NamedKind, Map<number, NameRecord>>> = {
    user: new Map(),
    channel: new Map(),
    group: new Map(),
    folder: new Map(),
  };
  /** Groups that servers make for roles. */
  readonly #roles = new Set<number>();
  /** Members of groups. Groups without a name are those of permissions. */
  readonly #members = new Map<number, { direct_members: number[]; direct_subgroups: number[] }>();
  readonly channelValues = new ChannelValues();
  organization: { id: number; name: string } | undefined;

  addPerson({ id, full_name: name, delivery_email: email, is_bot }: AuditAccount): void {
    this.#known.user.set(id, { name_now: name, name, email, is_bot });
  }

  add(kind: Exclude<NamedKind, "user">, { id, name }: { id: number; name: string }): void {
    this.#known[kind].set(id, { name_now: name, name });
  }

  addRole(group: number): void {
    this.#roles.add(group);
  }

  addMember(group: number, kind: "direct_members" | "direct_subgroups", id: number): void {
    const members = this.#members.get(group) ?? { direct_members: [], direct_subgroups: [] };
    members[kind].push(id);
    this.#members.set(group, members);
  }

  has(kind: NamedKind, id: number): boolean {
    return this.#known[kind].has(id);
  }

  /** Returns whether the group is a system group. */
  isRole(group: number | null): boolean {
    return group !== null && this.#roles.has(group);
  }

  /**
   * Goes over one row, back (`"1"`) or forward (`"2"`): what it renamed gets its name before or after the row, and a
   * channel its values.
   */
  replay(row: LogRow, side: "1" | "2"): void {
    const rename = renames.get(row.event_type);
    const known = rename && this.#known[rename.kind].get(Number(membersOf(row)[rename.column] ?? -1));
    const name = row.extra_data[side];
    if (known && typeof name === "string") known[rename.member] = name;
    this.channelValues.replay(row, side);
  }

  /** Returns the account at that time. Null if the export does not have it. */
  person(id: number): AuditPerson | null {
    const known = this.#known.user.get(id);
    return known ? withCurrentName({ id, email: known.email ?? "", name: known.name }, known) : null;
  }

  /** Returns a thing with its name at that time. The name is null if the export does not have it. */
  thing(kind: NamedKind, id: number): AuditThing {
    const known = this.#known[kind].get(id);
    if (!known) return { kind, id, name: null };
    const { email, name, is_bot } = known;
    if (email === undefined) return withCurrentName({ kind, id, name }, known);
    return withCurrentName({ kind: is_bot ? "bot" : kind, id, email, name }, known);
  }

  /** Returns the names and addresses of everything of these kinds. */
  all(kinds: readonly NamedKind[]): string[] {
    return kinds.flatMap((kind) =>
      [...this.#known[kind].values()].flatMap(({ name, name_now, email = name }) => [name_now, name, email]),
    );
  }

  /** Returns whether this is the name, address or id of a thing. */
  hasName({ kind, id, name }: AuditThing, text: string): boolean {
    const { name_now, email } = valueNamed(this.#known, kind === "bot" ? "user" : kind)?.get(id ?? -1) ?? {};
    return [String(id), name, name_now, email].some((each) => each?.toLowerCase() === text.toLowerCase());
  }

  /** Formats a permission as in an organization file. */
  permission(value: unknown): unknown {
    const { user, group } = this.#known;
    const names = { user: (id: number) => user.get(id)?.email, group: (id: number) => group.get(id)?.name };
    if (typeof value === "number")
      return permissionInWords(group.has(value) ? value : (this.#members.get(value) ?? value), names);
    if (!hasMembers(value)) return value;
    return permissionInWords(whoIn(value), names);
  }
}
