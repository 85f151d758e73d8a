/** An operation together with arguments that it can carry: they are looked at where the call is made, and nowhere else. */
import { fits } from "./fits.ts";
import type { AnyOperation, ArgsOf } from "./operation.ts";
import type { Param } from "./params.ts";
import { departure } from "./types.ts";

declare const checked: unique symbol;

export interface Call {
  readonly operation: AnyOperation;
  readonly args: Readonly<Record<string, unknown>>;
  /** For the compiler alone: only `call` makes one. */
  readonly [checked]: true;
}

/** How a call was typed, for messages. */
export interface Spelling {
  /** `folder update`. */
  readonly command?: string | undefined;
  /** By parameter, the flag that stands for it. */
  readonly flags?: Readonly<Record<string, string>> | undefined;
}

/** An argument that an operation cannot carry: a defect of the caller's, who must check what people type. */
export class BadArgument extends Error {
  override readonly name = "BadArgument";
}

/** The parameters of an operation, in the order in which they are sent. */
export const parametersOf = (operation: AnyOperation): [name: string, param: Param][] =>
  Object.entries<Param>(operation.params);

/** Throws `BadArgument` for arguments of another type. */
export function call<O extends AnyOperation>(operation: O, args: ArgsOf<O>): Call {
  const given: Record<string, unknown> = args;
  for (const name of Object.keys(given))
    if (given[name] !== undefined && !Object.hasOwn(operation.params, name))
      throw new BadArgument(`${operation.name} has no parameter ${name}`);
  for (const [name, param] of parametersOf(operation)) {
    const value = given[name];
    if (value === undefined && param.optional) continue;
    const wrong = fits(param.type)(value) ? undefined : departure(param.type, value);
    if (wrong) throw new BadArgument(`${operation.name}: ${name} ${wrong}`);
  }
  return { operation, args: given } as unknown as Call;
}

/** The call alone, of something that is one and more. */
export const callOf = ({ operation, args }: Call): Call => ({ operation, args }) as Call;

/** What a call gives, in the order in which it is sent. */
export const givenIn = ({ operation, args }: Call): [name: string, param: Param, value: unknown][] =>
  parametersOf(operation).flatMap(([name, param]) => (args[name] === undefined ? [] : [[name, param, args[name]]]));
