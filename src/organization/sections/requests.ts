/**
 * The requests that sections make for differences, before they are sorted. Each has a phase, and conditions that it
 * provides or needs. A provider goes before all requests that need its condition, even in a later phase.
 */
import { statedOperation } from "../../api/registry.ts";
import { type Fields, numbersIn, valueNamed } from "../../common/object-members.ts";
import { provisionalIn } from "../../engine/provisional-ids.ts";
import { type KindName, kindNamed } from "../../model/kinds/index.ts";
import { isPermissionName, whoIn } from "../../model/permission.ts";
import { type AnyOperation, pathParameter, type UncheckedCall } from "../../wire/operation.ts";
import type { Param } from "../../wire/params.ts";
import type { FileEntry } from "../content.ts";
import {
  type AttributeValues,
  type Creation,
  type FieldChange,
  groupsIn,
  type Removal,
  type ThingId,
  type Update,
} from "../difference.ts";
import { type Ids, listChanges } from "../id-values.ts";
import { type OwnRights, phases } from "../order/phases.ts";
import type { SectionName } from "../section-names.ts";
import type { Snapshot } from "../snapshot.ts";

/** Conditions are texts such as `group 7 is in use`. */
export interface Conditions {
  readonly provides?: readonly string[];
  /** The request is not sent unless these are provided. */
  readonly needs?: readonly string[];
}

/** A part of a request that a later request can send instead. */
export interface RequestPiece extends Conditions {
  /** Attributes that it changes. */
  readonly fields: readonly string[];
  readonly args: Fields;
  /** The request that sends it separately, if that is another operation. */
  readonly separately?: UncheckedCall;
  /** Arguments with a temporary name, for names that are exchanged. */
  readonly temporary?: Fields;
}

export interface RequestDraft extends Conditions {
  readonly phase: number;
  readonly operation: AnyOperation;
  readonly args: Fields;
  readonly pieces?: readonly RequestPiece[];
  /** The result in words, such as `created`. By default the fields of the pieces. */
  readonly result?: string;
  /** The member of the answer with the new id, and the provisional id until then. */
  readonly makes?: { readonly member: string; readonly id: number };
  /** The member of the answer with an id that nothing in the plan needs. */
  readonly member?: string;
  /** The name of the channel that it creates by subscribing people. */
  readonly newChannel?: string;
  /** A "no change" answer counts as done. The snapshot could not show the current state. */
  readonly ifChanged?: true;
}

export interface RequestContext {
  readonly snapshot: Snapshot;
  readonly ids: Ids;
  /** The id of the caller. */
  readonly me: number;
  readonly rights: OwnRights;
  /** Reactivated people. They reappear in groups and permissions where the snapshot did not show them. */
  readonly reactivated: ReadonlySet<number>;
  /** The largest number of people in one request. */
  readonly portion: number;
}

/** Makes the requests that create, change, remove and order things of a section. */
export interface SectionRequests {
  create?(context: RequestContext, creation: Creation): RequestDraft[];
  update(context: RequestContext, update: Update): RequestDraft[];
  remove?(context: RequestContext, removal: Removal): RequestDraft[];
  reorder?(ids: readonly number[]): Pick<RequestDraft, "operation" | "args">;
}

export const addBase = { phase: phases.additions, result: "added" };
export const removeBase = { phase: phases.removals, result: "removed" };

/** Returns the requests that follow from the statement of a kind: they remove its things, and set their order. */
export function statedRequests(kind: KindName): Pick<SectionRequests, "remove" | "reorder"> {
  const { remove, reorder } = kindNamed(kind);
  const removal = remove && statedOperation(remove);
  const ordering = reorder === undefined ? undefined : statedOperation({ operation: reorder });
  const order = Object.keys(ordering?.params ?? {})[0] ?? "";
  return {
    ...(removal && {
      remove: (_, { id, name }) => [
        { ...removeBase, operation: removal, args: { [pathParameter(removal)]: id ?? name } },
      ],
    }),
    ...(ordering && { reorder: (ids) => ({ operation: ordering, args: { [order]: ids } }) }),
  };
}

/** Returns all arguments of a request. */
export const argsOf = ({ args, pieces = [] }: RequestDraft): Fields =>
  Object.assign({}, args, ...pieces.map((piece) => piece.args));

export const resultOf = ({ result, pieces = [] }: RequestDraft): string =>
  result ?? [...new Set(pieces.flatMap((piece) => piece.fields))].join(", ");

/** Returns the people and groups of a permission, as conditions name them. */
function thingsInPermission(value: unknown): string[] {
  const { direct_members, direct_subgroups } = whoIn(value);
  return [...direct_members.map((id) => `user ${id}`), ...direct_subgroups.map((id) => `group ${id}`)];
}

const removalParams = new Set(["delete", "delete_subgroups", "stream_id"]);
const things = new Set(["user", "group", "channel", "folder"]);

/** Returns conditions for everything that the arguments name, except the thing itself. */
export function conditionsOf({ name, params, path }: AnyOperation, args: Fields): string[] {
  const conditions = Object.entries(args).flatMap(([param, value]) => {
    const of = valueNamed<Param>(params, param)?.of;
    if (of === undefined || path.includes(`{${param}}`) || removalParams.has(param) || name === "channel.unsubscribe")
      return [];
    if (of === "who") return thingsInPermission(value);
    return things.has(of) ? numbersIn(value).map((id) => `${of} ${id}`) : [];
  });
  return [...provisionalIn(args).map(idIsMade), ...conditions.map((each) => `${each} is in use`)];
}

/** The condition that something is neither archived nor deactivated. */
export const thingIsInUse = (of: string, id: unknown): string => `${of} ${id} is in use`;

/** The condition that nothing names a group that is deactivated then. */
export const groupIsReleased = (id: unknown): string => `group ${id} is released`;

/** The condition that what has a provisional id is created. */
export const idIsMade = (id: number): string => `${id} is made`;

/** The condition that a name is unused. `name` is normalized as servers do. */
export const nameIsFree = (section: string, name: string): string => `${section} "${name}" is free`;

/** Makes the request that creates a thing with all its attributes. `key`: the name as servers compare it. */
export const createDraft = (
  { ids }: RequestContext,
  { section, name }: Creation,
  draft: Pick<RequestDraft, "operation" | "args"> & {
    readonly result?: string;
    readonly member?: string;
    readonly key?: string;
  },
): RequestDraft & Required<Pick<RequestDraft, "makes">> => {
  const { operation, args, result = "created", member = "id", key = name } = draft;
  const id = ids.of(section, { new: name });
  return {
    ...addBase,
    operation,
    args,
    result,
    makes: { member, id },
    needs: [nameIsFree(section, key)],
    provides: [idIsMade(id)],
  };
};

/** Makes a piece that sets an attribute. */
export const settingPiece = (field: string, to: unknown, parameter = field): RequestPiece => ({
  fields: [field],
  args: { [parameter]: to },
});

/** A temporary name that nobody uses. As a pattern it matches no usual text. */
export const temporaryName = (id: number | undefined): string => `zulipctl renames ${id}`;

/** The pattern of a linkifier stays a part of its temporary one: its template uses the groups. */
export const temporaryPattern = (id: number | undefined, pattern: unknown): string => `${temporaryName(id)} ${pattern}`;

/** Returns whether a value is the temporary name or pattern of a thing. */
export const isTemporaryName = (value: unknown, id: number | undefined): boolean =>
  `${value} `.startsWith(`${temporaryName(id)} `);

/** Makes a piece that renames a thing. `fold` returns the same for two names that are equal to the server. */
export function renamePiece(
  section: SectionName,
  id: number | undefined,
  { field, from, to }: FieldChange,
  fold: (name: string) => string = String,
  parameter = field,
): RequestPiece {
  const [old, name] = [fold(String(from)), fold(String(to))];
  const nameConditions = { needs: [nameIsFree(section, name)], provides: [nameIsFree(section, old)] };
  const temporary = { [parameter]: temporaryName(id) };
  return { ...settingPiece(field, to, parameter), ...(old !== name && { ...nameConditions, temporary }) };
}

/** Returns the argument for a changed permission. The old value goes along, so that a conflicting change is refused. */
export function permissionArgument({ ids, reactivated }: RequestContext, { to }: FieldChange, old: unknown): unknown {
  const isSet = Object.values(whoIn(old)).some((list) => list.length > 0);
  return { new: ids.who(to), ...(isSet && !reactivated.size && { old }) };
}

/** Makes a piece for a permission of a record. */
export const permissionPiece = (
  context: RequestContext,
  change: FieldChange,
  record: FileEntry = {},
): RequestPiece => ({
  ...settingPiece(change.field, permissionArgument(context, change, record[change.field])),
  provides: releasedGroups(change),
});

/** Returns the new values by attribute. */
export const valuesByField = (fields: readonly FieldChange[]): AttributeValues =>
  Object.fromEntries(fields.map(({ field, to }) => [field, to]));

/** Makes a piece for all changes, if attributes are arguments. */
export const settingsPiece = (fields: readonly FieldChange[]): RequestPiece => ({
  fields: fields.map(({ field }) => field),
  args: valuesByField(fields),
});

/** Removes members that are undefined. */
export const withoutUndefined = (all: AttributeValues): Record<string, unknown> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

/** Returns the groups that a change stops using. A group can be deactivated when nothing uses it. */
export function releasedGroups({ from, to }: FieldChange): string[] {
  const [, removed] = listChanges<ThingId>(groupsIn(from), groupsIn(to));
  return removed.map(groupIsReleased);
}

/** Returns the groups that the permissions of a record use: archiving it releases them. */
export const releasedBy = (record: FileEntry | undefined): string[] =>
  Object.entries(record ?? {})
    .filter(([field]) => isPermissionName(field))
    .flatMap(([, value]) => whoIn(value).direct_subgroups)
    .map(groupIsReleased);
