/** Routes: an operation of `src/api`, what the server asks for before it, and the function that does it. */
import type { AnyOperation, ArgsOf } from "../wire/operation.ts";
import type { Param } from "../wire/params.ts";
import { ApiError, mustBe, refused } from "./answers.ts";
import { type Decoder, decoderOf } from "./decode.ts";
import type { SentFile } from "./multipart.ts";
import { isAdministrator, isBot, isGuest, isOwner, type State, type User } from "./state.ts";

/** Members that are there only from a level on. */
export const since = (level: number, first: number, members: object): object => (level < first ? {} : members);

/** The context of a handler. */
export interface Visit {
  state: State;
  /** The server's feature level. */
  level: number;
  /** Milliseconds since the epoch. */
  now: number;
  site: string;
  /** From 0 up to 1. */
  random: () => number;
  /** What came with the parameters. */
  files: readonly SentFile[];
  /** Counts an attempt to log in under that name, or throws the 429; what it gives is called when the attempt succeeds. */
  attempt(username: string): () => void;
}
export interface Call extends Visit {
  caller: User;
}

type Names<O extends AnyOperation> = Extract<keyof O["params"], string>;
type Decoders<O extends AnyOperation> = { [N in Names<O>]?: Decoder };
/** The operation's arguments, of which some are what a route's own decoders give. */
type Decoded<A, D> = {
  [N in keyof A]: N extends keyof D ? (D[N] extends Decoder<infer T> ? T | Extract<A[N], undefined> : A[N]) : A[N];
};

type Also = Record<string, Decoder>;
/** Beside them, what servers read in their own way: each of these may be absent. */
type Read<A, B> = Omit<A, keyof B> & { [N in keyof B]?: B[N] extends Decoder<infer T> ? T : never };

export interface Rules<
  O extends AnyOperation = AnyOperation,
  D extends Decoders<O> = Decoders<O>,
  A extends Also = Also,
> {
  /** Whom the endpoint as a whole is for; everybody with an account where absent. */
  who?: "owner" | "administrator" | "human" | "member";
  /** The level from which bots count among the members. */
  botsSince?: number;
  /** Throws where something else than the role keeps the caller out, before parameters are judged. */
  unless?: (caller: User, state: State) => void;
  /** The order in which parameters are judged, where that is not the operation's own; at some levels it is another. */
  order?: readonly Names<O>[] | ((level: number) => readonly Names<O>[]);
  /** How parameters are read whose rules a schema does not tell. */
  decode?: D;
  /** Parameters that our client never sends, or sends in one of the ways that servers take: none of them is required. */
  also?: A;
  /** Incoming webhooks are let in too. */
  webhooks?: true;
  /** Calls count in a bucket of this name instead of the common one. */
  bucket?: string;
  /** The refusal where a required parameter is missing, where it is another than usual. */
  missing?: (name: string) => ApiError;
  /** Declares no parameters, so it never says that it ignored some. */
  silent?: true;
}

export interface Route {
  operation: AnyOperation;
  // biome-ignore lint/suspicious/noExplicitAny: each route has the decoders of its own operation.
  rules: Rules<any, any, any>;
  /** Returns the members of the answer beside `result` and `msg`, or nothing if there are none. */
  // biome-ignore lint/suspicious/noExplicitAny: each handler takes the arguments of its own operation.
  handler: (call: any, args: any) => any;
}

/** An operation for callers with credentials. */
export const on = <
  O extends AnyOperation,
  D extends Decoders<O> = Record<never, never>,
  A extends Also = Record<never, never>,
>(
  operation: O,
  rules: Rules<O, D, A>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement returns void.
  handler: (call: Call, args: Read<Decoded<ArgsOf<O>, D>, NoInfer<A>>) => object | void,
): Route => ({ operation, rules, handler });

/** An operation that asks for no credentials and looks at none. */
export const open = <O extends AnyOperation>(
  operation: O,
  rules: Rules<O>,
  handler: (visit: Visit, args: ArgsOf<O>) => object,
): Route => ({ operation, rules, handler });

/** Throws where the caller's role keeps them out of the endpoint. */
export function admit(
  { who, botsSince = Number.POSITIVE_INFINITY, unless }: Route["rules"],
  caller: User,
  { state, level }: Visit,
): void {
  if (who === "owner" && !isOwner(caller)) throw mustBe("owner");
  if (who === "administrator" && !isAdministrator(caller)) throw mustBe("administrator");
  if (who === "member" && isGuest(caller)) throw refused("Not allowed for guest users");
  if ((who === "member" || who === "human") && isBot(caller) && level < botsSince) {
    throw refused("This endpoint does not accept bot requests.");
  }
  unless?.(caller, state);
}

interface Known {
  name: string;
  optional: boolean;
  decode: Decoder;
}

function known({ operation, rules }: Route, level: number): Known[] {
  const order = typeof rules.order === "function" ? rules.order(level) : rules.order;
  const params: Record<string, Param> = operation.params;
  const also: Also = rules.also ?? {};
  const names = [...new Set([...(order ?? []), ...Object.keys(params), ...Object.keys(also)])];
  // Somewhere between 371 and 442 the parameters of all calls were sorted.
  if (level > 371) names.sort();
  return names.flatMap((name): Known[] => {
    const read = also[name];
    if (read) return [{ name, optional: true, decode: read }];
    const param = params[name];
    if (!param || operation.path.includes(`{${name}}`) || param.travel === "aside" || param.travel === "file")
      return [];
    if (level < (param.since ?? 0) || level >= (param.until?.level ?? Number.POSITIVE_INFINITY)) return [];
    const own: Decoder | undefined = rules.decode?.[name];
    const decode: Decoder = own ?? ((...of) => decoderOf(param, level)(...of));
    return [{ name, optional: param.optional, decode }];
  });
}

/** Reads the parameters in the server's order; throws at the first that is missing or malformed. */
export function decodeArguments(route: Route, values: ReadonlyMap<string, string>, level: number) {
  const parameters = known(route, level);
  const args: Record<string, unknown> = {};
  for (const { name, optional, decode } of parameters) {
    const text = values.get(name);
    if (text !== undefined) args[name] = decode(text, name, level);
    else if (!optional) {
      throw (
        route.rules.missing?.(name) ??
        new ApiError(400, "REQUEST_VARIABLE_MISSING", `Missing '${name}' argument`, { var_name: name })
      );
    }
  }
  return { args, names: new Set(parameters.map(({ name }) => name)) };
}
