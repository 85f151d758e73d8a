/** Which words of a verb stand for which parameters of an operation. */
import type { Typed } from "../wire/encode.ts";
import type { AnyOperation, ArgsOf } from "../wire/operation.ts";
import { kebab, operandName, type Words } from "./word.ts";

/** Words that are not named as their parameter is. */
export type Binds<O extends AnyOperation, P extends Words, F extends Words> = {
  readonly [K in keyof P | keyof F]?: keyof ArgsOf<O> & string;
};

export const snake = (name: string): string => kebab(name).replaceAll("-", "_");

/** Parameters by word. */
export type BindTable = Readonly<Record<string, string | undefined>>;

/** By parameter, the words that were given for it, as messages name them. */
export const spelling = (
  operation: AnyOperation,
  { operands = {}, flags = {} }: { operands?: Words; flags?: Words },
  binds: BindTable,
  typed: Readonly<Record<string, unknown>>,
): Record<string, string> =>
  Object.fromEntries([
    ...Object.entries(operands)
      .map(([name, word]) => [binds[name] ?? snake(name), operandName(word)])
      .filter(([param]) => Object.hasOwn(operation.params, param!)),
    ...bound(operation, flags, binds, typed).map(({ param, flag }) => [param, flag]),
  ]);

/** The flags that were given, with the parameters that they stand for. */
export const bound = (
  operation: AnyOperation,
  flags: Words,
  binds: BindTable,
  typed: Readonly<Record<string, unknown>>,
): Typed[] =>
  Object.keys(flags)
    .filter((name) => typed[name] !== undefined)
    .map((name) => ({
      param: binds[name] ?? snake(name),
      flag: `--${typed[name] === false ? "no-" : ""}${kebab(name)}`,
      // Of other words only a look-up tells the value.
      ...(flags[name]?.choices && { value: typed[name] }),
    }))
    .filter(({ param }) => Object.hasOwn(operation.params, param));
