/** A call: an operation with arguments that it can send. They are checked where the call is made. */
import { fits } from "./fits.ts";
import type { AnyOperation, ArgsOf, UncheckedCall } from "./operation.ts";
import type { IdKind, Param } from "./params.ts";
import { typeError } from "./types.ts";

declare const checked: unique symbol;

export interface Call extends UncheckedCall {
  /** For the compiler: only `call` makes one. */
  readonly [checked]: true;
}

/** How a call was typed, for messages. */
export interface Spelling {
  /** The command: `folder update`. */
  readonly command?: string | undefined;
  /** The flags, by parameter. */
  readonly flags?: Readonly<Record<string, string>> | undefined;
}

/** An invalid argument. It is a bug of the caller, which must check what people type. */
export class BadArgument extends Error {
  override readonly name = "BadArgument";
}

/** Returns the parameters of an operation, in the order in which they are sent. */
export const parametersOf = (operation: AnyOperation): [name: string, param: Param][] =>
  Object.entries<Param>(operation.params);

/** Returns a stated parameter, or one that newer servers may have. */
export const paramOf = (
  { params, others }: Pick<AnyOperation, "params" | "others">,
  name: string,
  value?: unknown,
): Param | undefined => (Object.hasOwn(params, name) ? params[name] : others?.(name, value));

/** What the words for the value of a parameter depend on. */
export interface Field {
  readonly name: string;
  readonly of?: IdKind | undefined;
  /** The text is one of a fixed choice. */
  readonly isWord?: boolean | undefined;
}

export function fieldOf(operation: AnyOperation | undefined, name: string, value: unknown): Field {
  const param = operation && paramOf(operation, name, value);
  return { name, of: param?.of, isWord: param && !fits(param.type)("any text") };
}

/** Throws `BadArgument` for arguments of another type. */
export function call<O extends AnyOperation>(operation: O, args: ArgsOf<O>): Call {
  const all: Record<string, unknown> = args;
  for (const name of Object.keys(all))
    if (all[name] !== undefined && !paramOf(operation, name, all[name]))
      throw new BadArgument(`${operation.name} has no parameter ${name}`);
  for (const [name, param] of parametersOf(operation)) {
    const value = all[name];
    if (value === undefined && param.optional) continue;
    const error = fits(param.type)(value) ? undefined : typeError(param.type, value);
    if (error) throw new BadArgument(`${operation.name}: ${name} ${error}`);
  }
  return { operation, args: all } as unknown as Call;
}

/** Returns the call without other members. */
export const callOf = ({ operation, args }: Call): Call => ({ operation, args }) as Call;

/** Returns the arguments of a call, in the order in which they are sent. */
export const argumentsOf = ({ operation, args }: UncheckedCall): [name: string, param: Param, value: unknown][] => [
  ...parametersOf(operation).flatMap(([name, param]): [string, Param, unknown][] =>
    args[name] === undefined ? [] : [[name, param, args[name]]],
  ),
  ...Object.entries(args).flatMap(([name, value]): [string, Param, unknown][] => {
    const param =
      value === undefined || Object.hasOwn(operation.params, name) ? undefined : paramOf(operation, name, value);
    return param ? [[name, param, value]] : [];
  }),
];
