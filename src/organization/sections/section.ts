/** The interface of sections. One module describes a section for reading, exporting, comparing and applying. */
import { leastOf, type Setting } from "../../api/settings.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Param, Params } from "../../wire/params.ts";
import type { Values } from "../difference.ts";
import type { Ids } from "../ids.ts";
import type { Naming, Words } from "../naming.ts";
import {
  choice,
  either,
  integer,
  type Member,
  type Members,
  nonEmpty,
  none,
  reference,
  type Shape,
  who,
} from "../shape.ts";
import { type Snapshot, settingOf } from "../snapshot.ts";
import type { Requests } from "./requests.ts";

/** An entry of a file: its attributes by name. */
export type Entry = Record<string, unknown>;

/** A snapshot, and how references are formatted: as words of a file, or as canonical values. */
export interface SectionReader {
  readonly snapshot: Snapshot;
  readonly naming: Naming;
}

export interface ExportContext extends SectionReader {
  readonly naming: Words;
  /** Include members of groups. */
  readonly members: boolean;
  /** Which channels list their subscribers. `closed`: those that nobody can join alone. */
  readonly subscribers: "none" | "closed" | "all";
}

/** Declared as a method, so that one registry can hold sections of different records. */
type ReadAttribute<R> = { read(record: R): unknown }["read"];

type RecordTest<R> = { test(record: R): boolean }["test"];

/** By attribute, reads the value from a record. */
export type Attributes<R> = Readonly<Record<string, ReadAttribute<R>>>;

/** Returns the members of a record for an attribute's canonical value. */
export type Write = (field: string, value: unknown, ids: Ids) => Readonly<Record<string, unknown>>;

interface Common {
  readonly doc: string;
  readonly members: Members;
  /** Makes the requests for differences. */
  readonly requests: Requests;
}

/** A section with settings, one key each. */
export interface Settings extends Common {
  readonly holds: "settings";
  /** Returns the value of a setting. Undefined if the server does not send it. */
  read(reader: SectionReader, name: string): unknown;
}

/** A section with a list of things, each with a record in the snapshot. */
export interface Things<R extends object = object> extends Common {
  readonly holds: "things";
  /** The kind in singular and plural: `channel design`, `12 channels`. */
  readonly one: string;
  readonly plural: string;
  /** The members that together identify a thing. */
  readonly key: readonly string[];
  /** At least one of these is required, if that is not the key. */
  readonly identified?: readonly string[];
  /** Returns the same for two names that are equal to the server. By default names are compared unchanged. */
  readonly fold?: (name: string) => string;
  /** The order matters, and can be changed from this feature level on. */
  readonly ordered?: number;
  /** A member that is required for a new thing. */
  readonly requiredToCreate?: string;
  /** Can stand in `complete`. */
  readonly complete?: true;
  /** Servers cannot edit it: it is removed and created again. */
  readonly recreated?: true;
  /** How things are archived or deactivated: the member that says so, its value, and the actions. */
  readonly archiving?: {
    readonly member: string;
    readonly archived: boolean;
    readonly archive: "archive" | "deactivate";
    readonly restore: "unarchive" | "reactivate";
    /** The first feature level that can restore. */
    readonly restoreSince?: number | undefined;
  };
  /** The member of the answer to `register` with the records, if it is a plain list of them. */
  readonly registered?: string;

  records(snapshot: Snapshot): readonly R[];
  /** Undefined if the records have no id. */
  id(record: R): number | undefined;
  /** Returns a test whether a record is archived or deactivated. */
  archivedIn?(snapshot: Snapshot): RecordTest<R>;
  /** Attributes that differ from the record's member of the same name. */
  attributes?(reader: SectionReader): Attributes<R>;
  /** The attributes in an export, if they differ. */
  exported?(context: ExportContext, attributes: Attributes<R>): Attributes<R>;
  /** Returns all entries of an export, if they have a special form. */
  entries?(context: ExportContext): Entry[];
  /** Converts an attribute to members of a record. By default both have the same name. */
  readonly write?: Write;
  /** Returns default members for a new record. */
  fresh?(snapshot: Snapshot, to: Values): Entry;
  /** Returns the member with the id of a new record. */
  identify?(id: number): Entry;
  /** Returns a snapshot with these records. Absent if other parts of the snapshot depend on them. */
  put?(snapshot: Snapshot, records: readonly R[]): Snapshot;
}

export type Section = Settings | Things;

/** Members of things whose name can change. */
export const pinned: Members = {
  was: { shape: nonEmpty, doc: "The old name, to rename it." },
  id: { shape: integer(1), doc: "The id of the thing, whatever its name; the file must name its organization." },
};

/** Returns an attribute of a record. Undefined if the server does not send it. */
export function readAttribute<R extends object>(attributes: Attributes<R>, record: R, name: string): unknown {
  const read = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return read ? read(record) : Reflect.get(record, name);
}

/** Records in a list of the answer to `register`. */
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

/** Returns attributes for permissions: people and groups in place of ids. */
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

/** Returns the permissions of a new thing: `me` is its creator, others are system groups. */
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

/** Returns the type of a parameter in the file. Ids are names there. */
function shapeOfParam({ of, type }: Param): Shape {
  if (of === "who") return who;
  return of === "channel" || of === "folder" ? either(reference(of), none) : type;
}

interface AttributeOptions {
  /** Parameters that are not attributes: those that identify the thing, and those that the section defines itself. */
  without: readonly string[];
  /** Parameters with another name in the file. */
  as?: Readonly<Record<string, string>>;
  /** Additions to what the parameter says of an attribute. */
  more?: Readonly<Record<string, Partial<Member>>>;
}

/** Returns the attributes that an operation writes, in its order. */
export const attributesOf = (operation: AnyOperation, { without, as = {}, more = {} }: AttributeOptions): Members =>
  Object.fromEntries(
    Object.entries(operation.params as Params)
      .filter(([name]) => !without.includes(name))
      .map(([param, stated]): [string, Member] => {
        const name = (Object.hasOwn(as, param) && as[param]) || param;
        const since = Math.max(operation.since ?? 0, stated.since ?? 0) || undefined;
        const own = (Object.hasOwn(more, name) && more[name]) || {};
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

/** Returns the words, numbers and limits of a setting. */
export function settingMember(setting: Setting): Partial<Member> {
  const { kind, values, choices } = setting;
  // A newer server may know more numbers, but all words are known.
  if (choices) return { shape: either(choice(...Object.keys(choices)), integer(0)), choices: setting };
  if (values) return { shape: choice(...values) };
  const least = leastOf(setting);
  if (least === undefined) return {};
  return { shape: kind === "limit" ? either(integer(least), choice("unlimited")) : integer(least) };
}
