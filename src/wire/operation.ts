/** An API call stated once: from it come the request, the dry run, the level check, the check of the answer and the sandbox's route. */
import type { Membership } from "./membership.ts";
import type { Args, Params } from "./params.ts";
import { object, type Type } from "./types.ts";

/** How changes to one target become one request. */
export interface Merging<A, R> {
  /** Changes with equal keys may become one; one without a key stays alone. */
  key(args: A): string | undefined;
  /** How many rows' worth one change holds: members, drafts. */
  size(args: A): number;
  largest: number;
  combine(all: readonly A[]): A;
  /**
   * The part of a merged answer that belongs to one of the changes, which is `size` rows' worth from the `from`th on; the
   * whole answer where absent.
   */
  share?(answer: Partial<R>, part: { from: number; size: number; args: A }): Record<string, unknown>;
}

/** Whom servers let make a call, where that is not everybody with an account. It explains a refusal; the server judges. */
export interface Who {
  /** The least role, as servers count: owners may do what administrators may. A member is no guest. */
  readonly role?: "owner" | "administrator" | "member";
  /** What of it owners alone may do: completes "only owners may …". */
  readonly owners?: string;
  /** A permission that only the server's command line grants, the server's words where it is missing, and what works without it. */
  readonly permission?: { readonly name: string; readonly refusal: string; readonly instead?: string };
}

type Fields = Record<string, unknown>;

/** How the values that a change replaces are read. */
export interface Before<A> {
  /** One read serves all things of the kind, so that a run of many changes needs no other. */
  read: AnyOperation;
  /**
   * What to ask for this change. `alone`: no other change will be looked at, so that an answer about this one thing will
   * do.
   */
  asks?(args: A, on: { level: number; alone: boolean }): Fields;
  /** The list in the answer that has the things, what tells them apart there, and which is meant; absent where the answer itself is the thing. */
  among?: { list: string; id: string; which(args: A): unknown };
  /**
   * What there is, under the names of the change's parameters and as these would set it; what is not told is absent. Of
   * `args` those are there that say of what.
   */
  values(found: Fields, args: Partial<A>): Fields;
  /** What a server keeps of parameters, where that is another value than it is sent. */
  kept?(args: A): Fields;
}

/** A read that tells whether a change is applied: for one without an answer, and for one that was refused. */
export interface Evidence<A> {
  read: AnyOperation;
  asks(args: A): Fields;
  /** `found` is the answer of the read; undefined where the server refuses it. */
  applied(found: Fields | undefined, args: A): boolean;
  /** Applied twice, it would be there twice. */
  once?: true;
}

/** One request about several things, of which a refusal may name some. */
export interface Several<A> {
  of(args: A): readonly string[];
  /** What a refusal says of some. Undefined where it speaks of all of them alike. */
  refused(said: {
    code?: string | undefined;
    fields: Readonly<Record<string, unknown>>;
  }): { why(thing: string): string | undefined; othersDone: boolean } | undefined;
}

/** What is sent, and what comes back. */
export interface OperationCall<P extends Params, R> {
  /** As contracts and journals name it: `channel.update`. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** What it does to the server. A login alters nothing, and is never repeated once it was refused. */
  readonly effect: "read" | "change" | "login";
  /** What comes back: the API's JSON, or the bytes of a file that lies beside the API. */
  readonly answer: "json" | "bytes";
  /** Below `/api/v1`, or the site where the answer is a file; `{name}` is filled by the parameter of that name. */
  readonly path: string;
  /** The first feature level that knows it. */
  readonly since?: number;
  readonly params: P;
  /** The body as it is, in place of what the parameters would make. */
  readonly body?: string;
  /** Needs no credentials and sends none. */
  readonly anonymous?: boolean;
  readonly result: Type<R>;
}

/** How it is described to people. */
export interface OperationWords<A, R> {
  readonly who?: Who;
  /** From this level on the server says that it will go away. */
  readonly deprecated?: number;
  readonly several?: Several<A>;
  /** The further members of a refusal in words, added to the server's message; `called` names a thing by its id. */
  readonly refusalInWords?: (
    fields: Readonly<Record<string, unknown>>,
    called: (kind: "channel" | "group", id: number) => string,
  ) => string | undefined;
  /** Members of an answer in words, for the sentence when it is done. */
  readonly inWords?: (answer: Readonly<Partial<R>>) => Readonly<Record<string, string>>;
}

/** What the engine and the client must know to send it safely. */
export interface OperationHandling<A, R> {
  /**
   * One request may apply some parameters and refuse others: their names, in the order in which the server applies them.
   * `unknown` of an endpoint of which nobody knows that it does not.
   */
  readonly piecemeal?: readonly string[] | "unknown";
  /** Its answer may hold anything: secrets of the request are taken out of it as they are out of a change's. */
  readonly unstated?: true;
  /** Milliseconds that a server may take for it, where that is more than usual. */
  readonly longest?: number;
  /** Members of the answer that are secrets: they are in no journal and no record of a result. */
  readonly secretAnswer?: readonly string[];
  /** The server holds its answer until something happens: that it takes long is nothing to show. */
  readonly longPoll?: true;
  readonly merging?: Merging<A, R>;
  /** The memberships that the call changes, all of them or none: reading them tells whether it was applied. */
  readonly memberships?: (args: A) => Membership[];
  readonly evidence?: Evidence<A>;
  /** The server did a part of it, and is to be called again with the same arguments. */
  readonly unfinished?: (answer: R) => boolean;
  readonly before?: Before<A>;
  /** What the change is made to: `channel 7`. Undefined where it makes a new one. */
  readonly target?: (args: A) => string | undefined;
  /** The parameter that gives the target another name. */
  readonly renames?: string;
  /** The same arguments after the target got this name, where they name the target. */
  readonly renamed?: (args: A, name: string) => A;
  /** The call that undoes what a read has made on the server beside its answer. */
  readonly undoing?: (
    answer: Readonly<Record<string, unknown>>,
  ) => { operation: AnyOperation; args: Fields } | undefined;
  /** For an answer without the ids of what was made: the list to read afterwards, and the ids in it. */
  readonly madeIn?: {
    list: AnyOperation;
    ids(list: Fields, args: A, answer: Fields): readonly string[];
  };
}

export interface Operation<P extends Params = Params, R = unknown>
  extends OperationCall<P, R>,
    OperationWords<Args<P>, R>,
    OperationHandling<Args<P>, R> {
  readonly renames?: keyof P & string;
}

// biome-ignore lint/suspicious/noExplicitAny: stands for operations of every shape.
export type AnyOperation = Operation<any, any>;
export type ArgsOf<O> = O extends { readonly params: infer P extends Params } ? Args<P> : never;
export type AnswerOf<O> = O extends { readonly result: Type<infer R> } ? R : never;

type Entries = Parameters<typeof object>[0];
/** An answer that has these members. */
type Having<E extends Entries> = ReturnType<typeof object<E>> extends Type<infer R> ? R : never;

type Stated<P extends Params, E extends Entries> = Omit<
  Operation<P, Having<E>>,
  "params" | "result" | "effect" | "answer"
> & {
  params?: P;
  result?: E;
  effect?: Operation["effect"];
};

/** What a change is made to, by the one id in its path: `channel 7`, `draft 3`. */
function targetByPath({ path, params = {} }: Pick<Stated<Params, Entries>, "path" | "params">) {
  const [name, another] = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  if (name === undefined || another !== undefined) return undefined;
  const kind = params[name]?.of ?? name.replace(/_(id|name)$/, "");
  return (args: Fields) => `${kind} ${args[name]}`;
}

/**
 * `result` lists the members the answer must have; others pass through. Where no effect is stated, GET reads and the
 * rest change. Where no target is stated, the path says it.
 */
export const operation = <P extends Params = Record<never, never>, const E extends Entries = Record<never, never>>(
  stated: Stated<P, E>,
): Operation<P, Having<E>> => {
  const effect = stated.effect ?? (stated.method === "GET" ? "read" : "change");
  return {
    answer: "json",
    ...(effect === "change" && { target: targetByPath(stated) }),
    ...stated,
    effect,
    params: stated.params ?? {},
    result: object(stated.result ?? {}),
  } as never;
};

/** A file that can be fetched. */
export const file = <P extends Params>(
  stated: Omit<Stated<P, Record<never, never>>, "method">,
): Operation<P, Record<string, never>> => ({ ...operation({ ...stated, method: "GET" }), answer: "bytes" }) as never;

export const reads = ({ effect }: AnyOperation): boolean => effect === "read";

/** A call that alters the server. */
export const alters = ({ effect }: AnyOperation): boolean => effect === "change";

/** A call whose answer is no record but words about the request, which may quote it. */
export const mayQuote = ({ effect, unstated }: AnyOperation): boolean => effect === "change" || unstated === true;

/** A call whose parameters travel in the URL. */
export const inQuery = ({ method }: AnyOperation): boolean => method === "GET";
