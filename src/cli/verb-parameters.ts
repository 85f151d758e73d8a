/** Reads the parameters of verbs, and names those that were typed by the parameters of the operation. */
import { NoChangeRequested } from "../errors.ts";
import type { Context } from "../run/context.ts";
import type { TypedFlag } from "../wire/encode.ts";
import type { AnyOperation, ArgsOf } from "../wire/operation.ts";
import { checkFlagRules, type FlagRules, type RawOptions } from "./flag-rules.ts";
import { type CommandParameters, kebab, operandName, readValues, snake, type Values } from "./parameter.ts";
import type { VerbDescription } from "./verb-description.ts";

export const noParameters: CommandParameters = {};

/** The parameters of the command whose names differ from those of the operation. */
export type Binds<O extends AnyOperation, P extends CommandParameters, F extends CommandParameters> = {
  readonly [K in keyof P | keyof F]?: keyof ArgsOf<O> & string;
};

/** Parameters of the operation by parameter of the command. */
export type BindTable = Readonly<Record<string, string | undefined>>;

/** Returns the names of what was typed in messages, by parameter of the operation. */
export const flagNames = (
  operation: AnyOperation,
  { operands = {}, flags = {} }: { operands?: CommandParameters; flags?: CommandParameters },
  binds: BindTable,
  typed: Readonly<Record<string, unknown>>,
): Record<string, string> =>
  Object.fromEntries([
    ...Object.entries(operands)
      .map(([name, parameter]) => [binds[name] ?? snake(name), operandName(parameter)])
      .filter(([param]) => Object.hasOwn(operation.params, param!)),
    ...typedParameters(operation, flags, binds, typed).map(({ param, flag }) => [param, flag]),
  ]);

/** Returns the typed flags, with their parameters. */
export const typedParameters = (
  operation: AnyOperation,
  flags: CommandParameters,
  binds: BindTable,
  typed: Readonly<Record<string, unknown>>,
): TypedFlag[] =>
  Object.keys(flags)
    .filter((name) => typed[name] !== undefined)
    .map((name) => ({
      param: binds[name] ?? snake(name),
      flag: `--${typed[name] === false ? "no-" : ""}${kebab(name)}`,
      // Only a look-up knows the value of others.
      ...(flags[name]?.choices && { value: typed[name] }),
    }))
    .filter(({ param }) => Object.hasOwn(operation.params, param));

/** Reads the parameters and passes their values on. `supported` throws for flags that the server does not support. */
export const readingParameters =
  <P extends CommandParameters, F extends CommandParameters, R>(
    verb: VerbDescription<P, F> & FlagRules<F>,
    work: (context: Context, values: Values<P, F>, typed: RawOptions) => Promise<R>,
    supported?: (context: Context, typed: RawOptions) => Promise<void>,
  ) =>
  async (context: Context, typed: RawOptions, ...raw: unknown[]): Promise<R> => {
    const { operands = noParameters as P, flags = noParameters as F } = verb;
    checkFlagRules(flags, verb, typed);
    verb.check?.(typed);
    const parsed = { operands: raw, flags: typed };
    const values = await readValues(context, { operands, flags }, parsed, () => supported?.(context, typed));
    return work(context, values, typed);
  };

/** Throws for flags that the server does not support, and if a required flag is missing. `name`: the verb's name. */
export const supportCheck =
  (
    operation: AnyOperation,
    { flags = noParameters, binds = {}, someFlag }: { flags?: CommandParameters; binds?: BindTable; someFlag?: true },
    name: string,
  ) =>
  (context: Context, typed: RawOptions): Promise<void> => {
    const parameters = typedParameters(operation, flags, binds, typed);
    if (someFlag && !parameters.length)
      throw new NoChangeRequested(`${name} requires at least one flag that says what to change`, {
        hint: `Run "zulipctl ${name} --help" for usage.`,
      });
    return context.checkSupported(operation, parameters);
  };
