/** An operation describes an API call. Requests, dry runs, checks and the sandbox's routes are made from it. */
import type { Fields } from "../common/object-members.ts";
import type { Impacts } from "./impact.ts";
import type { MemberListBy, MembershipBy } from "./member-list.ts";
import type { Args, Params } from "./params.ts";
import type { Requirement } from "./requirement.ts";
import { object, type Type } from "./types.ts";

/** A list of members, whose read is an operation. */
export type MemberList = MemberListBy<AnyOperation>;
export type Membership = MembershipBy<AnyOperation>;

/** How changes of one target are merged into one request. */
interface Merging<A, R> {
  /** Changes with equal keys can be merged. A change without a key stays alone. */
  key(args: A): string | undefined;
  /** Returns the size of a change, in rows: members, drafts. */
  size(args: A): number;
  largest: number;
  combine(all: readonly [A, ...A[]]): A;
  /**
   * Returns the part of a merged answer for a change of `size` rows that begins at row `from`. Absent if each gets the
   * whole answer.
   */
  share?(answer: Partial<R>, part: { from: number; size: number; args: A }): Record<string, unknown>;
}

/** How to read the values that a change replaces. */
export interface PreviousRead<A> {
  /** One read returns all things of the kind, which saves reads in a run. */
  read: AnyOperation;
  /** Returns the arguments of the read. `single`: only this change will be compared, so reading one thing is enough. */
  argsOf?(args: A, on: { level: number; single: boolean }): Fields;
  /** The list in the answer, the member that identifies a thing, and its value. Absent if the answer is the thing. */
  inList?: { list: string; id: string; idOf(args: A): unknown };
  /**
   * Returns the current values by parameter, as the parameters would set them. Unknown values are absent. `args`
   * contains at least what identifies the thing.
   */
  values(found: Fields, args: Partial<A>): Fields;
  /** Returns the values that a server stores, if they differ from the sent ones. */
  stored?(args: A): Fields;
}

/** A read that shows whether a change is applied, without an answer or after a refusal. */
export interface Evidence<A> {
  read: AnyOperation;
  argsOf(args: A): Fields;
  /** Evaluates the answer `found`. Undefined if the server refused the read. */
  isApplied(found: Fields | undefined, args: A): boolean;
  /** Applied twice, it would exist twice. */
  duplicates?: true;
  /** What was there before looks the same: it explains a refusal, and tells nothing without an answer. */
  onlyRefusals?: true;
}

/** How to find the thing that a call would create, if it exists already. */
export interface Existing<A> {
  /** What it is called: `channel`. */
  readonly kind: string;
  /** Why only the name counts: `pictures cannot be compared`. */
  readonly incomparable?: string;
  /** The verb that changes such a thing: `channel update`. */
  readonly verb?: string;
  readonly read: AnyOperation;
  readonly argsOf?: (args: A) => Fields;
  /** Returns the things in use that can be in the way. */
  things(answer: Fields): readonly Fields[];
  /** Returns what no two of them share. */
  identity(thing: Fields): string;
  identityOf(args: A): string;
  /** The member with its id. */
  readonly id: string;
  /** Returns the call that sets these values. `all`: also arguments that nobody typed. */
  update?(thing: Fields, asked: Partial<A>, all: A): UncheckedCall;
  /** Returns the values that no call can change, by parameter of the creation. */
  fixed?(thing: Fields): Fields;
  /** Returns a value for people, if `update` sends more than what was asked. */
  describe?(parameter: string, thing: Fields): string | undefined;
  /** By parameter, lists of members: those who are there already stay. */
  readonly members?: Readonly<Record<string, (id: number, added: readonly number[]) => Membership>>;
  /** Whether members of this thing are added only on request. */
  guardsMembers?(thing: Fields): boolean;
}

/** A call that the server may do only in part. The same call continues. */
export interface Continuation<A, R = Fields> {
  isUnfinished(answer: R): boolean;
  /** The read whose answer shows what is left. */
  read: AnyOperation;
  argsOf(args: A): Fields;
  /** Becomes smaller while the server makes progress. 0: nothing is left. */
  remaining(found: Fields): number;
}

/** A request about several things. A refusal can name some of them. */
interface Several<A> {
  of(args: A): readonly string[];
  /** Returns the arguments of a request about one of them. */
  only(args: A, thing: string): A;
  /** Reads which things a refusal is about. Undefined if it is about all. */
  readRefusal(refusal: {
    code?: string | undefined;
    fields: Readonly<Record<string, unknown>>;
  }): { reasonOf(thing: string): string | undefined; othersDone: boolean } | undefined;
}

/** A parameter that the server sets if it is not sent. */
export interface ImpliedValue {
  readonly name: string;
  readonly value: boolean;
  /** Whether the server accepts another value in its place. */
  readonly avoidable: boolean;
}

/** One API call: the request and its answer, the words for people, and what engine and client need to send it safely. */
interface Operation<P extends Params = Params, R = unknown, N extends string = string> {
  /** The name in contracts and journals: `channel.update`. */
  readonly name: N;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** A login changes nothing and is never repeated after a refusal. */
  readonly effect: "read" | "change" | "login";
  /** The API's JSON, or the bytes of a file outside the API. */
  readonly answer: "json" | "bytes";
  /** The path below `/api/v1`, or below the site for a file. `{name}` stands for a parameter. */
  readonly path: string;
  /** The first feature level that supports it. */
  readonly since?: number;
  readonly params: P;
  /** Returns a parameter that newer servers may have. It is sent like the stated ones. */
  readonly others?: (name: string, value: unknown) => Params[string] | undefined;
  /** The body, if it is not made from parameters. */
  readonly body?: string;
  /** Sends no credentials. */
  readonly anonymous?: boolean;
  readonly result: Type<R>;

  /** What the call does to people and content. Reads do nothing. */
  readonly effects?: Impacts<Args<P>>;
  readonly who?: Requirement;
  /** From this level on the server deprecates it. */
  readonly deprecated?: number;
  readonly several?: Several<Args<P>>;
  /** Describes other members of a refusal. `nameOf` returns the name of an id. */
  readonly describeRefusal?: (
    fields: Readonly<Record<string, unknown>>,
    nameOf: (kind: "channel" | "group", id: number) => string,
  ) => string | undefined;
  /** Describes members of an answer, for the sentence when it is done. */
  readonly describeAnswer?: (answer: Readonly<Partial<R>>) => Readonly<Record<string, string>>;

  /**
   * The parameters in the order in which the server applies them, if it can apply some and refuse others. `unknown` if
   * nobody knows.
   */
  readonly applyOrder?: readonly string[] | "unknown";
  /** Returns what the server sets beside the parameters that are sent. */
  readonly implies?: (args: Partial<Args<P>>) => readonly ImpliedValue[];
  /** The answer may contain anything, so secrets of the request are removed from it. */
  readonly generic?: true;
  /** How long a server may take, in milliseconds, if longer than usual. */
  readonly maxDuration?: number;
  /**
   * Secret members of the answer: keys, and links that need no login. Journals, logs and errors omit them. Only a
   * command that is there to show them prints them.
   */
  readonly secretAnswer?: readonly string[];
  /** The server answers only when something happens, so waiting is not shown. */
  readonly longPoll?: true;
  readonly merging?: Merging<Args<P>, R>;
  /** The memberships that the call changes in one transaction. Reading them shows whether it was applied. */
  readonly memberships?: (args: Args<P>) => Membership[];
  readonly evidence?: Evidence<Args<P>>;
  /** For creations: how to find a thing that exists already. */
  readonly existing?: Existing<Args<P>>;
  readonly continuation?: Continuation<Args<P>, R>;
  readonly before?: PreviousRead<Args<P>>;
  /** What the log keeps of the thing beside `before`: what a removal takes away. */
  readonly previous?: PreviousRead<Args<P>>;
  /** Returns the arguments with only the members that the answer says were changed. Undefined if it does not say. */
  readonly effective?: (args: Args<P>, answer: Readonly<Fields>) => Fields | undefined;
  /** The state that it brings about, as `before` reads it, if its name says it and not its parameters. */
  readonly sets?: Readonly<Fields>;
  /** The thing that changes: `channel 7`. Undefined for a new thing. */
  readonly target?: (args: Args<P>) => string | undefined;
  /** The parameter that renames the target. */
  readonly renames?: keyof P & string;
  /** Returns the arguments with the target's new name, if they contain its name. */
  readonly withName?: (args: Args<P>, name: string) => Args<P>;
  /** What it reads of a channel, which older servers refuse if the channel is archived. */
  readonly ofArchived?: string;
  /** The call that removes what a read has created on the server. */
  readonly cleanup?: (answer: Readonly<Fields>) => UncheckedCall | undefined;
  /** For an answer without new ids: the list to read afterwards, and the ids in it. */
  readonly newIds?: {
    list: AnyOperation;
    ids(list: Fields, args: Args<P>, answer: Fields): readonly string[];
  };
}

/** An operation and arguments for it that nobody has checked. */
export interface UncheckedCall {
  readonly operation: AnyOperation;
  readonly args: Readonly<Fields>;
}

// biome-ignore lint/suspicious/noExplicitAny: stands for operations of every shape.
export type AnyOperation = Operation<any, any>;
export type ArgsOf<O> = O extends { readonly params: infer P extends Params } ? Args<P> : never;
export type AnswerOf<O> = O extends { readonly result: Type<infer R> } ? R : never;

type Entries = Parameters<typeof object>[0];
/** An answer with these members. */
type AnswerWith<E extends Entries> = ReturnType<typeof object<E>> extends Type<infer R> ? R : never;

type Definition<P extends Params, E extends Entries> = Omit<
  Operation<P, AnswerWith<E>>,
  "name" | "method" | "path" | "params" | "result" | "effect" | "effects" | "answer"
> & {
  params?: P;
  result?: E;
};

/** A change states what it does. What reads, or logs in, cannot. */
type Statement<P extends Params> =
  | { effect?: "change"; effects: Impacts<Args<P>> }
  | { effect: "read" | "login"; effects?: never };

/** Returns the parameter that identifies a thing: its id or name, which the path has. */
export const pathParameter = ({ path }: AnyOperation): string => /\{(\w+)\}/.exec(path)?.[1] ?? "";

/** Returns the target from the id in the path: `channel 7`, `draft 3`. */
function targetByPath(path: string, params: Params = {}) {
  const [name, another] = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  if (name === undefined || another !== undefined) return undefined;
  const kind = params[name]?.of ?? name.replace(/_(id|name)$/, "");
  return (args: Fields) => `${kind} ${args[name]}`;
}

type Changing = Exclude<Operation["method"], "GET">;

/**
 * Makes an operation. `request` is the method and the path, as in `GET /users`. `result` has the required members of the
 * answer. GET reads. By default other methods change, and the path names the target.
 */
export function operation<
  N extends string,
  P extends Params = Record<never, never>,
  const E extends Entries = Record<never, never>,
>(name: N, request: `${Changing} ${string}`, stated: Definition<P, E> & Statement<P>): Operation<P, AnswerWith<E>, N>;
export function operation<
  N extends string,
  P extends Params = Record<never, never>,
  const E extends Entries = Record<never, never>,
>(name: N, request: `GET ${string}`, stated?: Definition<P, E>): Operation<P, AnswerWith<E>, N>;
export function operation<
  N extends string,
  P extends Params = Record<never, never>,
  const E extends Entries = Record<never, never>,
>(
  name: N,
  request: `${Operation["method"]} ${string}`,
  stated: Definition<P, E> & Partial<Statement<P>> = {},
): Operation<P, AnswerWith<E>, N> {
  const [, method, path] = /^(\S+) (.*)$/s.exec(request)!;
  const effect = stated.effect ?? (method === "GET" ? "read" : "change");
  return {
    name,
    method,
    path,
    answer: "json",
    ...(effect === "change" && { target: targetByPath(path!, stated.params) }),
    ...stated,
    effect,
    params: stated.params ?? {},
    result: object(stated.result ?? {}),
  } as never;
}

/** Makes an operation that returns a file. */
export const fileOperation = <N extends string, P extends Params>(
  name: N,
  path: string,
  stated: Definition<P, Record<never, never>>,
): Operation<P, Record<string, never>, N> => ({ ...operation(name, `GET ${path}`, stated), answer: "bytes" }) as never;

export const isRead = ({ effect }: AnyOperation): boolean => effect === "read";

/** Returns whether a call changes the server. */
export const isChange = ({ effect }: AnyOperation): boolean => effect === "change";

/** Returns whether the answer is text about the request, which may quote it. */
export const canQuoteRequest = ({ effect, generic }: AnyOperation): boolean => effect === "change" || generic === true;

/** Returns whether the parameters are in the URL. */
export const usesQuery = ({ method }: AnyOperation): boolean => method === "GET";
