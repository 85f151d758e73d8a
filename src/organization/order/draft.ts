/**
 * The requests that a difference takes, before their order is known. A request has a phase, and facts: whoever brings about
 * a fact goes before whoever needs it, whatever their phases are.
 */
import { provisionalIn } from "../../engine/provisional-ids.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Param } from "../../wire/params.ts";

type Args = Readonly<Record<string, unknown>>;

/** Phases go one after the other. Fractions order the requests of one of them. */
export const phases = {
  gives: 0,
  reactivate: 1,
  collections: 2,
  groups: 3,
  channels: 4,
  people: 5,
  settings: 6,
  removals: 7,
  orders: 8,
  takes: 9,
  /** Nothing names a person any more who is deactivated. */
  leave: 10,
  self: 11,
} as const;

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
}

export interface Draft extends Facts {
  /** Which of the differences. */
  readonly of: number;
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

/** What a request says in all. */
export const argsOf = ({ args, pieces = [] }: Draft): Args =>
  Object.assign({}, args, ...pieces.map((piece) => piece.args));

export const fieldsOf = ({ fields = [], pieces = [] }: Draft): string[] => [
  ...new Set([...fields, ...pieces.flatMap((piece) => piece.fields)]),
];

export const providedBy = ({ provides = [], pieces = [] }: Draft): string[] => [
  ...provides,
  ...pieces.flatMap((piece) => piece.provides ?? []),
];

/** What a piece, or what a draft says without its pieces, needs. */
export const neededBy = (operation: AnyOperation, { args, needs = [] }: Pick<Piece, "args" | "needs">): string[] => [
  ...needs,
  ...neededToName(operation, args),
];

const numbers = (value: unknown): number[] => [value].flat().filter((each) => typeof each === "number");

/** People and groups of a permission. */
function inPermission(value: unknown): string[] {
  if (typeof value === "number") return [`group ${value}`];
  const {
    new: after,
    direct_members = [],
    direct_subgroups = [],
  } = Object(value) as {
    new?: unknown;
    direct_members?: number[];
    direct_subgroups?: number[];
  };
  if (after !== undefined) return inPermission(after);
  return [...direct_members.map((id) => `user ${id}`), ...direct_subgroups.map((id) => `group ${id}`)];
}

const removing = new Set(["delete", "delete_subgroups", "stream_id"]);
const things = new Set(["user", "group", "channel", "folder"]);

/** What a request names besides the thing that it is about is made and in use before. */
export function neededToName({ name, params, path }: AnyOperation, args: Args): string[] {
  const named = Object.entries(args).flatMap(([param, value]) => {
    const of = (params as Readonly<Record<string, Param>>)[param]?.of;
    if (of === undefined || path.includes(`{${param}}`) || removing.has(param) || name === "channel.unsubscribe")
      return [];
    if (of === "who") return inPermission(value);
    return things.has(of) ? numbers(value).map((id) => `${of} ${id}`) : [];
  });
  return [...provisionalIn(args).map((id) => `${id} is made`), ...named.map((each) => `${each} is in use`)];
}
