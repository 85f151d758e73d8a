/** Routes: an operation of `src/api`, the server's rules for callers and parameters, and the handler. */
import type { AnyOperation, ArgsOf } from "../wire/operation.ts";
import type { Param } from "../wire/params.ts";
import { ApiError, badRequest, roleRequired } from "./answers.ts";
import { type Decoder, decoderOf } from "./decode.ts";
import type { UploadedFile } from "./multipart.ts";
import { isAdministrator, isBot, isGuest, isOwner, type SandboxState, type StoredUser } from "./state.ts";

/** Members that exist only from a level on. */
export const since = (level: number, first: number, members: object): object => (level < first ? {} : members);

/** Where level 468 differs from the description of Zulip 12.3, the description counts from this level on. That is a guess. */
export const described = 469;

/** The context of a handler. */
export interface HandlerContext {
  state: SandboxState;
  /** The server's feature level. */
  level: number;
  /** Milliseconds since the epoch. */
  now: number;
  site: string;
  /** From 0 up to 1. */
  random: () => number;
  /** Files of a multipart body. */
  files: readonly UploadedFile[];
  /** Counts an attempt to log in with that name, or throws the 429. Call the result if the attempt succeeds. */
  countLogin(username: string): () => void;
}
export interface HandlerCall extends HandlerContext {
  caller: StoredUser;
}

type ParameterName<O extends AnyOperation> = Extract<keyof O["params"], string>;
type Decoders<O extends AnyOperation> = { [N in ParameterName<O>]?: Decoder };
/** The operation's arguments, with the types of the route's own decoders. */
type Decoded<A, D> = {
  [N in keyof A]: N extends keyof D ? (D[N] extends Decoder<infer T> ? T | Extract<A[N], undefined> : A[N]) : A[N];
};

type ExtraDecoders = Record<string, Decoder>;
/** The arguments with the optional ones of `extra`. */
type ArgsWithExtra<A, B> = Omit<A, keyof B> & { [N in keyof B]?: B[N] extends Decoder<infer T> ? T : never };

interface HandlerRules<
  O extends AnyOperation = AnyOperation,
  D extends Decoders<O> = Decoders<O>,
  A extends ExtraDecoders = ExtraDecoders,
> {
  /** Who may call the endpoint. Default: the role that the operation states, or everybody with an account. */
  who?: "anybody" | "human";
  /** The level from which bots count as members. */
  botsSince?: number;
  /** Throws if something other than the role forbids the call. It runs before parameters are checked. */
  precheck?: (call: HandlerCall) => void;
  /** The order in which parameters are checked. Default: the order of the operation. */
  order?: readonly ParameterName<O>[];
  /** Decoders of parameters whose schema is not enough. */
  decode?: D;
  /** Optional parameters, or other forms of them, that our client never sends. */
  extra?: A;
  /** Incoming webhooks may call it too. */
  webhooks?: true;
  /** The name of a separate bucket for the rate limit. */
  bucket?: string;
  /** Makes the refusal of a missing parameter. Default: `REQUEST_VARIABLE_MISSING`. */
  missingError?: (name: string) => ApiError;
  /** The server declares no parameters here, so it never reports ignored ones. */
  silent?: true;
}

export interface Route<N extends string = string> {
  operation: AnyOperation & { readonly name: N };
  // biome-ignore lint/suspicious/noExplicitAny: each route has the decoders of its own operation.
  rules: HandlerRules<any, any, any>;
  /** Returns the members of the answer beside `result` and `msg`, or nothing if there are none. */
  // biome-ignore lint/suspicious/noExplicitAny: each handler takes the arguments of its own operation.
  handler: (call: any, args: any) => any;
}

/** An operation for callers with credentials. */
export const on = <
  O extends AnyOperation,
  D extends Decoders<O> = Record<never, never>,
  A extends ExtraDecoders = Record<never, never>,
>(
  operation: O,
  rules: HandlerRules<O, D, A>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement returns void.
  handler: (call: HandlerCall, args: ArgsWithExtra<Decoded<ArgsOf<O>, D>, NoInfer<A>>) => object | void,
): Route<O["name"]> => ({ operation, rules, handler });

/** An operation that reads no credentials. */
export const onAnonymous = <O extends AnyOperation>(
  operation: O,
  rules: HandlerRules<O>,
  handler: (context: HandlerContext, args: ArgsOf<O>) => object,
): Route<O["name"]> => ({ operation, rules, handler });

/** Throws if the caller may not call the endpoint. */
export function checkCaller({ operation, rules }: Route, call: HandlerCall): void {
  const { botsSince = Number.POSITIVE_INFINITY, precheck, ...own }: HandlerRules = rules;
  const who = own.who ?? operation.who?.role;
  const { caller, level } = call;
  if (who === "owner" && !isOwner(caller)) throw roleRequired("owner");
  if (who === "administrator" && !isAdministrator(caller)) throw roleRequired("administrator");
  if (who === "member" && isGuest(caller)) throw badRequest("Not allowed for guest users");
  if ((who === "member" || who === "human") && isBot(caller) && level < botsSince) {
    throw badRequest("This endpoint does not accept bot requests.");
  }
  precheck?.(call);
}

interface SentParameter {
  name: string;
  /** On a server of this level. */
  sent: string;
  optional: boolean;
  decode: Decoder;
}

function parametersOf({ operation, rules }: Route, level: number): SentParameter[] {
  const { order = [] } = rules;
  const params: Record<string, Param> = operation.params;
  const extra: ExtraDecoders = rules.extra ?? {};
  const names = [...new Set([...order, ...Object.keys(params), ...Object.keys(extra)])];
  const all = names.flatMap((name): SentParameter[] => {
    const param = params[name];
    if (param && (level < (param.since ?? 0) || level >= (param.until?.level ?? Number.POSITIVE_INFINITY))) return [];
    const sent = param?.older?.find(({ below }) => level < below)?.name ?? name;
    const extraDecoder = extra[name];
    if (extraDecoder) return [{ name, sent, optional: true, decode: extraDecoder }];
    if (!param || operation.path.includes(`{${name}}`) || param.encoding === "unsent" || param.encoding === "file")
      return [];
    const routeDecoder: Decoder | undefined = rules.decode?.[name];
    const decode: Decoder = routeDecoder ?? ((...of) => decoderOf(param, level)(...of));
    return [{ name, sent, optional: param.optional, decode }];
  });
  // Somewhere between 371 and 442, servers began to sort parameters.
  return level > 371 ? all.toSorted((a, b) => (a.sent < b.sent ? -1 : 1)) : all;
}

/** Reads the parameters in the server's order. Throws at the first that is missing or invalid. */
export function decodeArguments(route: Route, values: ReadonlyMap<string, string>, level: number) {
  const parameters = parametersOf(route, level);
  const args: Record<string, unknown> = {};
  for (const { name, sent, optional, decode } of parameters) {
    const text = values.get(sent);
    if (text !== undefined) args[name] = decode(text, sent, level);
    else if (!optional) {
      throw (
        route.rules.missingError?.(sent) ??
        new ApiError(400, "REQUEST_VARIABLE_MISSING", `Missing '${sent}' argument`, { var_name: sent })
      );
    }
  }
  return { args, names: new Set(parameters.map(({ sent }) => sent)) };
}
