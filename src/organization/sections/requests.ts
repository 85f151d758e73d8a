/**
 * What modules of sections say of the requests that a difference takes, before their order is known. A request has a phase,
 * and facts: whoever brings about a fact goes before whoever needs it, whatever their phases are.
 */
import { provisionalIn } from "../../engine/provisional-ids.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Param } from "../../wire/params.ts";
import { movesIn } from "../canonical.ts";
import {
  type Creation,
  type FieldChange,
  groupsIn,
  type Known,
  type Removal,
  type Update,
  type Values,
} from "../difference.ts";
import type { Ids } from "../ids.ts";
import { type OwnRights, phases } from "../order/phases.ts";
import type { Snapshot } from "../snapshot.ts";
import type { SectionName } from "../words.ts";

type Args = Readonly<Record<string, unknown>>;

/** Facts are words: `group 7 is in use`. */
export interface Facts {
  readonly provides?: readonly string[];
  /** What was not brought about keeps it from being sent. */
  readonly needs?: readonly string[];
}

/** What one request may say or leave to a later one. */
export interface Piece extends Facts {
  /** Attributes of the file that it brings about. */
  readonly fields: readonly string[];
  readonly args: Args;
  /** The request that says it on its own, where that is not the draft's operation. */
  readonly alone?: { readonly operation: AnyOperation; readonly args: Args };
  /** What gives a thing a temporary name, where names go round in a circle. */
  readonly temporary?: Args;
}

export interface Draft extends Facts {
  /** What it is called among the requests of one difference. */
  readonly part: string;
  readonly phase: number;
  readonly operation: AnyOperation;
  readonly args: Args;
  readonly pieces?: readonly Piece[];
  /** Attributes that the request brings about by itself. */
  readonly fields?: readonly string[];
  /** What it does, for people: `created`. Else its fields are named. */
  readonly does?: string;
  /** The member of the answer with the id of what it makes, and the id by which others speak of that until then. */
  readonly makes?: { readonly member: string; readonly id: number };
  /** The name of the channel that it makes by subscribing people to it. */
  readonly newChannel?: string;
  /** Where it is so already, which could not be seen before, it is done. */
  readonly ifChanged?: true;
}

export interface RequestContext {
  readonly snapshot: Snapshot;
  readonly ids: Ids;
  /** Of the caller. */
  readonly me: number;
  readonly rights: OwnRights;
  /** People who are reactivated: they appear in groups and permissions again, which nobody could see before. */
  readonly returning: ReadonlySet<number>;
  /** People in one request at most. */
  readonly portion: number;
}

/** The requests that make, change, remove and order things of a section. */
export interface Requests {
  create?(context: RequestContext, creation: Creation): Draft[];
  update(context: RequestContext, update: Update): Draft[];
  remove?(context: RequestContext, removal: Removal): Draft[];
  reorder?(ids: readonly number[]): Pick<Draft, "operation" | "args">;
}

export const creating = { part: "create", phase: phases.collections + 0.1 };
export const updating = { part: "update", phase: phases.collections };
export const removing = { part: "remove", phase: phases.removals, does: "removed" };

/** What a request says in all. */
export const argsOf = ({ args, pieces = [] }: Draft): Args =>
  Object.assign({}, args, ...pieces.map((piece) => piece.args));

export const fieldsOf = ({ fields = [], pieces = [] }: Draft): string[] => [
  ...new Set([...fields, ...pieces.flatMap((piece) => piece.fields)]),
];

const numbers = (value: unknown): number[] => [value].flat().filter((each) => typeof each === "number");

/** People and groups of a permission. */
function inPermission(value: unknown): string[] {
  if (typeof value === "number") return [`group ${value}`];
  const { new: after, direct_members, direct_subgroups } = Object(value);
  if (after !== undefined) return inPermission(after);
  return [
    ...numbers(direct_members).map((id) => `user ${id}`),
    ...numbers(direct_subgroups).map((id) => `group ${id}`),
  ];
}

const leaving = new Set(["delete", "delete_subgroups", "stream_id"]);
const things = new Set(["user", "group", "channel", "folder"]);

/** What a request names besides the thing that it is about is made and in use before. */
export function namedIn({ name, params, path }: AnyOperation, args: Args): string[] {
  const named = Object.entries(args).flatMap(([param, value]) => {
    const of = (params as Readonly<Record<string, Param>>)[param]?.of;
    if (of === undefined || path.includes(`{${param}}`) || leaving.has(param) || name === "channel.unsubscribe")
      return [];
    if (of === "who") return inPermission(value);
    return things.has(of) ? numbers(value).map((id) => `${of} ${id}`) : [];
  });
  return [...provisionalIn(args).map((id) => `${id} is made`), ...named.map((each) => `${each} is in use`)];
}

/** Of a name as the server compares it. */
export const nameIsFree = (section: SectionName, name: string): string => `${section} "${name}" is free`;

/** Makes a thing with everything that the file says of it. `name`: as the server compares it. */
export const making = (
  { ids }: RequestContext,
  { section, name, to }: Creation,
  stated: Pick<Draft, "operation" | "args"> & {
    readonly does?: string;
    readonly member?: string;
    readonly key?: string;
  },
): Draft & Required<Pick<Draft, "makes">> => {
  const { operation, args, does = "created", member = "id", key = name } = stated;
  const id = ids.of(section, { new: name });
  return {
    ...creating,
    operation,
    args,
    fields: Object.keys(to),
    does,
    makes: { member, id },
    needs: [nameIsFree(section, key)],
    provides: [`${id} is made`],
  };
};

/** Gives an attribute another value. */
export const setting = (field: string, to: unknown, parameter = field): Piece => ({
  fields: [field],
  args: { [parameter]: to },
});

/** A name that nothing has and nothing wants; it is a pattern too that matches nothing that people write. */
export const temporaryName = (id: number | undefined): string => `zulipctl renames ${id}`;

/** Gives a thing another name. `fold` gives the same for two names that are one to the server. */
export function renaming(
  section: SectionName,
  id: number | undefined,
  { field, from, to }: FieldChange,
  fold: (name: string) => string = String,
  parameter = field,
): Piece {
  const [old, name] = [fold(String(from)), fold(String(to))];
  const free = { needs: [nameIsFree(section, name)], provides: [nameIsFree(section, old)] };
  const temporary = { [parameter]: temporaryName(id) };
  return { ...setting(field, to, parameter), ...(old !== name && { ...free, temporary }) };
}

/** A permission to be changed. What it is now is sent along, so that nobody else's change is lost. */
export function permissionArgument({ ids, returning }: RequestContext, { to }: FieldChange, old: unknown): unknown {
  const has = typeof old === "number" || Object.values(Object(old)).some((list) => numbers(list).length > 0);
  return { new: ids.who(to as never), ...(has && !returning.size && { old }) };
}

/** The same as an attribute of a record. */
export const permissionPiece = (context: RequestContext, change: FieldChange, record: object = {}): Piece => ({
  ...setting(change.field, permissionArgument(context, change, Reflect.get(record, change.field))),
  provides: releasedGroups(change),
});

/** Attributes of channels and groups that are permissions. */
export const isPermission = (field: string): boolean => /^can_\w+_group$/.test(field);

/** By attribute, what is to be. */
export const valuesOf = (fields: readonly FieldChange[]): Values =>
  Object.fromEntries(fields.map(({ field, to }) => [field, to]));

/** Without members that are undefined. */
export const defined = (all: Values): Record<string, unknown> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

/** A group can be deactivated once nothing names it any more. */
export function releasedGroups({ from, to }: FieldChange): string[] {
  const [, gone] = movesIn<Known>(groupsIn(from), groupsIn(to));
  return gone.map((id) => `group ${id} is released`);
}

/** The groups that the permissions of a record name, once it is archived or deactivated. */
export const releasedBy = (record: object | undefined): string[] =>
  Object.entries(record ?? {})
    .filter(([field]) => isPermission(field))
    .flatMap(([, value]) => numbers(typeof value === "number" ? value : Object(value).direct_subgroups))
    .map((id) => `group ${id} is released`);

/** What takes a server longer than a minute gets no answer. */
export const largestPortion = 500;

/** What stands in one request each. */
export const portions = <T>({ portion }: RequestContext, all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / portion) }, (_, n) => all.slice(n * portion, (n + 1) * portion));

/** What the requests of one kind are called: `members`, `members 2`. */
export const numbered = (part: string, nth: number): string => (nth === 0 ? part : `${part} ${nth + 1}`);
