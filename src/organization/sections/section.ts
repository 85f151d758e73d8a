/** What a module of `sections/` says of its section: all that reading, exporting, comparing and applying need to know. */
import { leastOf, type Setting } from "../../api/settings.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Param, Params } from "../../wire/params.ts";
import type { Values } from "../difference.ts";
import type { Ids } from "../ids.ts";
import type { Naming, Words } from "../naming.ts";
import { choice, either, filled, integer, type Member, type Members, named, none, type Shape, who } from "../shape.ts";
import { type Snapshot, settingOf } from "../snapshot.ts";
import type { Requests } from "./requests.ts";

/** An entry of a file: its attributes by name. */
export type Entry = Record<string, unknown>;

/** A snapshot, and the form in which its values are given: words of a file, or canonical values to compare. */
export interface SectionReader {
  readonly snapshot: Snapshot;
  readonly naming: Naming;
}

export interface ExportContext extends SectionReader {
  readonly naming: Words;
  /** Members of groups. */
  readonly members: boolean;
  /** Of which channels; `closed` of those alone that nobody can join by themselves. */
  readonly subscribers: "none" | "closed" | "all";
}

/** A method, so that sections of different records can stand in one registry. */
type ReadAttribute<R> = { read(record: R): unknown }["read"];

type RecordTest<R> = { test(record: R): boolean }["test"];

/** By attribute of the file, its value in a record. */
export type Attributes<R> = Readonly<Record<string, ReadAttribute<R>>>;

/** The members of a record that an attribute's canonical value makes. */
export type Write = (field: string, value: unknown, ids: Ids) => Readonly<Record<string, unknown>>;

interface Common {
  readonly doc: string;
  readonly members: Members;
  /** The requests that its differences take. */
  readonly requests: Requests;
}

/** One thing: settings, a key each. */
export interface Settings extends Common {
  readonly holds: "settings";
  /** The value of a setting; undefined where the server does not tell. */
  read(reader: SectionReader, name: string): unknown;
}

/** A list of things, each with a record in the snapshot. */
export interface Things<R extends object = object> extends Common {
  readonly holds: "things";
  /** Of one and of several: `channel design`, `12 channels`. */
  readonly one: string;
  readonly plural: string;
  /** The members that together say which thing an entry is about. */
  readonly key: readonly string[];
  /** At least one of these says which thing it is, where that is not the key alone. */
  readonly identified?: readonly string[];
  /** Equal for two names that are one to the server; they are compared as they are where absent. */
  readonly fold?: (name: string) => string;
  /** Their order means something; it can be changed from this feature level on. */
  readonly ordered?: number;
  /** What an entry must say of something that is not there yet. */
  readonly requiredToCreate?: string;
  /** May stand in `complete`. */
  readonly complete?: true;
  /** No call edits one: it is removed and created again. */
  readonly recreated?: true;
  /** How its things are archived or deactivated, where they can be: the member that says so, and what its values mean. */
  readonly archiving?: {
    readonly member: string;
    readonly archived: boolean;
    readonly archive: "archive" | "deactivate";
    readonly restore: "unarchive" | "reactivate";
    /** The first feature level that restores something. */
    readonly restoreSince?: number | undefined;
  };
  /** The part of the answer to `register` in which the records stand, where that is a list of them and nothing else. */
  readonly registered?: string;

  records(snapshot: Snapshot): readonly R[];
  /** Undefined where they have none. */
  id(record: R): number | undefined;
  /** Whether a record is archived or deactivated. */
  archivedIn?(snapshot: Snapshot): RecordTest<R>;
  /** Attributes that are not the record's member of the same name. */
  attributes?(reader: SectionReader): Attributes<R>;
  /** The same for an export alone. */
  exported?(context: ExportContext, attributes: Attributes<R>): Attributes<R>;
  /** All entries of an export, where they have a form of their own. */
  entries?(context: ExportContext): Entry[];
  /** Where absent, the attributes are members of the record. */
  readonly write?: Write;
  /** The members of a new record that no entry gives. */
  fresh?(snapshot: Snapshot, to: Values): Entry;
  /** The member with the id of a new record. */
  identify?(id: number): Entry;
  /** A snapshot with other records, where no other part of it depends on them. */
  put?(snapshot: Snapshot, records: readonly R[]): Snapshot;
}

export type Section = Settings | Things;

/** Of things whose name can change. */
export const pinned: Members = {
  was: { shape: filled, doc: "The old name, to rename it." },
  id: { shape: integer(1), doc: "The id of the thing, whatever its name; the file must name its organization." },
};

/** The value of an attribute in a record; undefined where the server does not tell. */
export function readAttribute<R extends object>(attributes: Attributes<R>, record: R, name: string): unknown {
  const read = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return read ? read(record) : Reflect.get(record, name);
}

/** A list of records in the answer to `register`. */
export const listed = <R extends object>(member: string) => ({
  registered: member,
  records: ({ organization }: Snapshot): readonly R[] => {
    const records: unknown = Reflect.get(organization, member);
    return Array.isArray(records) ? records : [];
  },
  put: (snapshot: Snapshot, records: readonly R[]): Snapshot => ({
    ...snapshot,
    organization: { ...snapshot.organization, [member]: records },
  }),
});

/** Ids of the people and groups of a permission, as attributes give them. */
export const permissionsIn = <R extends object>(names: readonly string[], { naming }: SectionReader): Attributes<R> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      (record: R) => {
        const setting = settingOf(record, name);
        return setting === undefined ? undefined : naming.who(setting);
      },
    ]),
  );

/** The permissions of something new: servers give them to whoever makes it (`me`), or to the usual groups. */
export function newPermissions<N extends string>(
  { organization, feature_level }: Snapshot,
  rules: Readonly<Record<N, { since: number }>>,
  names: readonly N[],
  usual: Readonly<Record<string, string>>,
): Entry {
  const idOf = new Map(organization.realm_user_groups.map(({ name, id }) => [name, id]));
  const me = { direct_members: [organization.user_id], direct_subgroups: [] };
  const known = names.filter((name) => rules[name].since <= feature_level);
  return Object.fromEntries(
    known.map((name) => [name, usual[name] === "me" ? me : idOf.get(usual[name] ?? "role:nobody")]),
  );
}

/** How a parameter's values are written in the file: ids are names there. */
function shapeOfParam({ of, type }: Param): Shape {
  if (of === "who") return who;
  return of === "channel" || of === "folder" ? either(named(of), none) : type;
}

interface AttributeOptions {
  /** Parameters that are no attributes: what says which thing it is, and what a section says in a way of its own. */
  without: readonly string[];
  /** Parameters that the file calls otherwise. */
  as?: Readonly<Record<string, string>>;
  /** Attributes of which the parameter does not tell all. */
  more?: Readonly<Record<string, Partial<Member>>>;
}

/** The attributes that an operation writes, in its order. */
export const attributesOf = (operation: AnyOperation, { without, as = {}, more = {} }: AttributeOptions): Members =>
  Object.fromEntries(
    Object.entries(operation.params as Params)
      .filter(([name]) => !without.includes(name))
      .map(([param, stated]): [string, Member] => {
        const name = Object.hasOwn(as, param) ? as[param]! : param;
        const since = Math.max(operation.since ?? 0, stated.since ?? 0) || undefined;
        const own = Object.hasOwn(more, name) ? more[name]! : {};
        const { doc = "", valueSince, until } = stated;
        return [
          name,
          {
            doc,
            since,
            ...(until && { until }),
            ...(valueSince && { valueSince }),
            ...own,
            shape: own.shape ?? shapeOfParam(stated),
          },
        ];
      }),
  );

/** What the table of settings says of a value: its words, numbers, the least that it is. */
export function settingMember(setting: Setting): Partial<Member> {
  const { kind, values, choices } = setting;
  // Of a number a newer server may know more than this program; a word is known or wrong.
  if (choices) return { shape: either(choice(...Object.keys(choices)), integer(0)), choices: setting };
  if (values) return { shape: choice(...values) };
  const least = leastOf(setting);
  if (least === undefined) return {};
  return { shape: kind === "limit" ? either(integer(least), choice("unlimited")) : integer(least) };
}
