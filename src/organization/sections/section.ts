/** The interface of sections. One module describes a section for reading, exporting, comparing and applying. */

import { levelOf } from "../../api/registry.ts";
import { permissionsOfServer } from "../../api/settings.ts";
import { type KindName, kindNamed } from "../../model/kinds/index.ts";
import { unchangeable } from "../../model/organization.ts";
import type { Permission } from "../../model/permission.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Param } from "../../wire/params.ts";
import {
  type AttributeShape,
  eitherShape,
  groupsShape,
  integerShape,
  type Member,
  type Members,
  memberNamed,
  nonEmptyShape,
  nullShape,
  peopleShape,
  referenceShape,
  whoShape,
} from "../attribute-shapes.ts";
import type { AttributeValues, FieldChange, ThingId } from "../difference.ts";
import { type Ids, nobodyIn, permissionValue, sorted } from "../id-values.ts";
import { groupSettingOf, type Snapshot } from "../snapshot.ts";
import type { SectionRequests } from "./requests.ts";
import type { SectionRules } from "./section-rules.ts";

/** An entry of a file: its attributes by name. */
export type WritableEntry = Record<string, unknown>;

/** Part of the naming of a snapshot, which knows the sections itself. */
interface ValueWriter {
  /** Returns a value as a file writes it. `field`: the profile field of a `profile` value. */
  inFile(member: Pick<Member, "shape" | "choices">, value: unknown, field?: ThingId): unknown;
}

export interface ExportContext {
  readonly snapshot: Snapshot;
  readonly naming: ValueWriter;
  /** Include members of groups. */
  readonly members: boolean;
  /** Which channels list their subscribers. `closed`: those that nobody can join alone. */
  readonly subscribers: "none" | "closed" | "all";
}

/** Declared as a method, so that one registry can hold sections of different records. */
type ReadAttribute<R> = { read(record: R): unknown }["read"];

type RecordTest<R> = { test(record: R): boolean }["test"];

/** By attribute, reads the value with ids from a record. */
type Attributes<R> = Readonly<Record<string, ReadAttribute<R>>>;

interface WriteContext {
  /** The profile field. */
  readonly of: FieldChange["of"];
  /** The record before the change. */
  readonly record: WritableEntry;
}

interface SectionBase {
  readonly doc: string;
  readonly members: Members;
  /** Names of permissions that newer servers may have, and what the server calls their kind. */
  readonly others?: RegExp;
  readonly othersOf?: "realm" | "stream" | "group";
  /** Makes the requests for differences. */
  readonly requests: SectionRequests;
}

/** A section with settings, one key each. */
export interface SettingsSection extends SectionBase {
  /** Returns the value with ids of a setting. Undefined if the server does not send it. */
  read(snapshot: Snapshot, name: string): unknown;
}

/** A section with a list of things, each with a record in the snapshot. */
export interface ThingsSection<R extends WritableEntry = WritableEntry> extends SectionBase {
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
  /** What the file does not list always stays: it cannot stand in `complete`. */
  readonly unlistedStay?: true;
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
  /** The member of a record with its id. Absent if the records have no id. */
  readonly id?: string;
  records(snapshot: Snapshot): readonly R[];
  /** Returns a test whether a record is archived or deactivated, if the member of `archiving` does not say it. */
  archivedIn?(snapshot: Snapshot): RecordTest<R>;
  readonly rules?: SectionRules;
  /** Attributes that need more than the record's member and its shape. */
  attributes?(snapshot: Snapshot): Attributes<R>;
  /** Returns whether an export leaves out an attribute. */
  omits?(context: ExportContext, field: string, record: R): boolean;
  /** Returns all entries of an export, if they have a special form. */
  entries?(context: ExportContext): WritableEntry[];
  /** Converts a value with ids to members of a record, if that needs more than the shape. */
  write?(field: string, value: unknown, ids: Ids, more: WriteContext): WritableEntry | undefined;
  /** Returns default members for a new record. */
  initialValues?(snapshot: Snapshot, to: AttributeValues): WritableEntry;
  /** Returns a snapshot with these records. Absent if other parts of the snapshot depend on them. */
  withRecords?(snapshot: Snapshot, records: readonly R[]): Snapshot;
}

export type Section = SettingsSection | ThingsSection;

/** Members of things whose name can change. */
export const identityMembers: Members = {
  was: { shape: nonEmptyShape, doc: "The old name, to rename it." },
  id: { shape: integerShape(1), doc: "The id of the thing, whatever its name; the file must name its organization." },
};

/** Returns the permissions that the server has and this program does not know. */
export function othersIn({ members, others, othersOf }: Section, { organization }: Snapshot): string[] {
  if (!others || !othersOf) return [];
  const names = new Set(Object.keys(permissionsOfServer(organization, othersOf)));
  return [...names].filter((name) => !Object.hasOwn(members, name) && name !== unchangeable && others.test(name));
}

const memberOf = ({ members }: Pick<ThingsSection, "members">, field: string): string =>
  members[field]?.record ?? field;

/** Returns a function that reads values with ids of attributes. Undefined for what the server does not send. */
export function readerOf<R extends WritableEntry>(section: ThingsSection<R>, snapshot: Snapshot) {
  const { archiving } = section;
  const own = section.attributes?.(snapshot) ?? {};
  const nobody = nobodyIn(snapshot);
  return (record: R, field: string): unknown => {
    if (field === archiving?.member) return undefined;
    const read = Object.hasOwn(own, field) ? own[field] : undefined;
    if (read) return read(record);
    const shape = memberNamed(section, field)?.shape;
    const member = memberOf(section, field);
    if (shape === whoShape) {
      const setting = groupSettingOf(record, member);
      return setting === undefined ? undefined : permissionValue(setting, nobody);
    }
    const value: unknown = record[member];
    return (shape === peopleShape || shape === groupsShape) && Array.isArray(value) ? sorted(value) : value;
  };
}

/** Returns the members of a record for an attribute's value with ids. */
export function recordMembers(
  section: ThingsSection,
  { field, of, to: value }: FieldChange,
  ids: Ids,
  record: WritableEntry,
): WritableEntry {
  const own = section.write?.(field, value, ids, { of, record });
  if (own) return own;
  const shape = memberNamed(section, field)?.shape;
  const to = shape === whoShape ? ids.who(value) : shape === groupsShape ? ids.all("groups", value) : value;
  return { [memberOf(section, field)]: to };
}

/** Returns the id of a record. Undefined if the records of the section have none. */
export const idOf = ({ id }: Pick<ThingsSection, "id">, record: WritableEntry): number | undefined => {
  const value = id && record[id];
  return typeof value === "number" ? value : undefined;
};

/** Returns a test whether a record is archived or deactivated. */
export function archivedTest<R extends WritableEntry>(section: ThingsSection<R>, snapshot: Snapshot): RecordTest<R> {
  const { archiving } = section;
  if (section.archivedIn) return section.archivedIn(snapshot);
  return (record) => archiving !== undefined && record[memberOf(section, archiving.member)] === archiving.archived;
}

/** Counts the things that are neither archived nor deactivated. */
export function countActive(section: ThingsSection, snapshot: Snapshot): number {
  const isArchived = archivedTest(section, snapshot);
  return section.records(snapshot).filter((record) => !isArchived(record)).length;
}

/** What a section takes from the statement of its kind. */
type KindSection<R extends WritableEntry> = Pick<
  ThingsSection<R>,
  "one" | "plural" | "key" | "fold" | "archiving" | "id" | "ordered" | "records"
> &
  Required<Pick<ThingsSection<R>, "withRecords">>;

/** Returns what a section takes from the statement of its kind. */
export function ofKind<R extends WritableEntry>(name: KindName): KindSection<R> {
  const { one, plural, key, fold, id, registered, state, restore, reorder, matches = () => true } = kindNamed(name);
  const lists = registered?.lists ?? [];
  const recordsIn = ({ organization }: Snapshot, list: string): readonly R[] => {
    const records: unknown = organization[list];
    return Array.isArray(records) ? records : [];
  };
  return {
    one,
    plural,
    key,
    ...(fold && { fold }),
    ...(id && { id }),
    ...(reorder && { ordered: levelOf({ operation: reorder }) }),
    ...(state && {
      archiving: {
        member: state.inFile,
        archived: state.value,
        archive: state.archive,
        restore: state.restore,
        restoreSince: restore && levelOf(restore),
      },
    }),
    records: (snapshot) => lists.flatMap((list) => recordsIn(snapshot, list)).filter(matches),
    withRecords: (snapshot, records) => {
      const listOf = new Map(
        lists.flatMap((list) => recordsIn(snapshot, list).map((record) => [idOf({ id }, record), list])),
      );
      const after = lists.map((list) => [
        list,
        [
          ...recordsIn(snapshot, list).filter((record) => !matches(record)),
          ...records.filter((record) => (listOf.get(idOf({ id }, record)) ?? lists.at(-1)) === list),
        ],
      ]);
      return { ...snapshot, organization: { ...snapshot.organization, ...Object.fromEntries(after) } };
    },
  };
}

/** Returns the permissions of a new thing. */
export function newPermissions(
  { organization, feature_level }: Snapshot,
  rules: Readonly<Record<string, Permission>>,
): WritableEntry {
  const idOf = new Map(organization.realm_user_groups.map(({ name, id }) => [name, id]));
  const me = { direct_members: [organization.user_id], direct_subgroups: [] };
  const supported = Object.entries(rules).filter(([, { since }]) => since <= feature_level);
  return Object.fromEntries(
    supported.map(([name, { initial }]) => [name, initial === "creator" ? me : idOf.get(initial)]),
  );
}

/** Returns the type of a parameter in the file. Ids are names there. */
function shapeOfParam({ of, type }: Param): AttributeShape {
  if (of === "who") return whoShape;
  return of === "channel" || of === "folder" ? eitherShape(referenceShape(of), nullShape) : type;
}

interface AttributeOptions {
  /** Parameters that are not attributes: those that identify the thing, and those that the section defines itself. */
  omit: readonly string[];
  /** Parameters with another name in the file. */
  names?: Readonly<Record<string, string>>;
  /** Additions to what the parameter says of an attribute. */
  more?: Readonly<Record<string, Partial<Member>>>;
}

/** Returns the attributes that an operation writes, in its order. */
export const attributesOf = (operation: AnyOperation, { omit, names = {}, more = {} }: AttributeOptions): Members =>
  Object.fromEntries(
    Object.entries<Param>(operation.params)
      .filter(([name]) => !omit.includes(name))
      .map(([param, declared]): [string, Member] => {
        const name = (Object.hasOwn(names, param) && names[param]) || param;
        const since = Math.max(operation.since ?? 0, declared.since ?? 0) || undefined;
        const own = (Object.hasOwn(more, name) && more[name]) || {};
        const { doc = "", valueSince, until } = declared;
        return [
          name,
          {
            doc,
            since,
            ...(name !== param && { record: param }),
            ...(until && { until }),
            ...(valueSince && { valueSince }),
            ...own,
            shape: own.shape ?? shapeOfParam(declared),
          },
        ];
      }),
  );
