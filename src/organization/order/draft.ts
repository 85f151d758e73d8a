/**
 * What a difference takes, before it is known what goes first: requests that are still in pieces. A request states facts
 * that it brings about and facts that it needs; who brings about a fact goes before who needs it. Nothing else orders them.
 */
import type { AnyOperation } from "../../wire/operation.ts";

type Args = Readonly<Record<string, unknown>>;

/** Facts are words: `group crew is made`. */
export interface Facts {
  readonly provides?: readonly string[];
  /** What was not brought about keeps it from being sent. */
  readonly needs?: readonly string[];
  /** It waits for these too, and goes whatever became of them. */
  readonly follows?: readonly string[];
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
  /**
   * What it is called among the requests of one difference. It is no name of what it says: when part of that is done, the
   * rest may be divided otherwise, and be called so.
   */
  readonly part: string;
  readonly operation: AnyOperation;
  /** What every request of it says. */
  readonly args: Args;
  readonly pieces: readonly Piece[];
  /** Attributes that the request brings about by itself. */
  readonly fields?: readonly string[];
  /** What it does, for people: `created`. Else its fields are told. */
  readonly does?: string;
  /** The member of the answer with the id of what it makes, and the id by which others speak of that until then. */
  readonly makes?: { readonly member: string; readonly id: number };
  /** The name of the channel that it makes by subscribing people to it. */
  readonly newChannel?: string;
  /** The name of the group that it makes, of which the server tells no id. */
  /** Where it is so already, which could not be seen before, it is done. */
  readonly ifChanged?: true;
  /** How often something of it has been left to a later request. */
  readonly divided?: number;
  /** It is about the caller's own account. */
  readonly own?: true;
}

/** What a request says in all. */
export const argsOf = ({ args, pieces }: Draft): Args =>
  pieces.length ? Object.assign({}, args, ...pieces.map((piece) => piece.args)) : args;

export const fieldsOf = ({ fields = [], pieces }: Draft): string[] => [
  ...fields,
  ...pieces.flatMap((piece) => piece.fields),
];

type Kind = keyof Facts;

/** All facts of a kind. */
export const factsOf = (draft: Draft, kind: Kind): string[] => [
  ...(draft[kind] ?? []),
  ...draft.pieces.flatMap((piece) => piece[kind] ?? []),
];
