/** Parameters of commands: their arguments and flags, with their names, types and readers. */
import { Argument, Option } from "commander";
import { type Offer, repeatable, repeatableList, withChoices, withOffer } from "../argv/commander-options.ts";
import { refuseBlank, textInput, textInputs } from "../argv/text-input.ts";
import { namingFlag } from "../errors.ts";
import type { Context } from "../run/context.ts";
import { emptyOperand } from "./usage-errors.ts";

/** What the reader of a parameter may use. */
export interface ReadContext {
  context: Context;
  /** The name in messages: `--folder`, `<channel>`. */
  flag: string;
}

/**
 * A kind of parameter. `T`: its value. `R`: the parser's value. Parameters are read in two steps, each for all of a
 * command: errors that this machine can find are reported before names are looked up.
 */
export interface CommandParameter<T = unknown, R = unknown> {
  /** The name of the value in help, without brackets. A parameter without one is a switch. */
  readonly metavar?: string;
  readonly doc: string;
  /** The letter of the flag: `-f`. */
  readonly short?: string;
  readonly choices?: readonly string[];
  /** What servers store for the choices, and what lists have in CSV and JSON. */
  readonly stored?: Readonly<Record<string, number | string>>;
  /** What applies if the parameter is absent, as text. */
  readonly default?: string;
  /** What completion offers, if there are no `choices`. */
  readonly offers?: Offer;
  /** The operations of its look-up. */
  readonly lookUps?: readonly string[];
  /** Can be repeated. The value is a list. */
  readonly many?: true;
  /** The text can be a file or stdin, if the user typed it. */
  readonly file?: true;
  /** Its reader needs to know whether the text was typed. */
  readonly keepsOrigin?: true;
  /** The meaning of `--no-…`, if it exists. It is read as `false`. */
  readonly negated?: string;
  /** Only `--no-…` exists, and `doc` describes it. */
  readonly onlyNegated?: true;
  /** A required flag. */
  readonly required?: true;
  /** An optional argument. */
  readonly optional?: true;
  /** Required, but if only one argument is typed, the parser gives it to the optional one before. */
  readonly lastRequired?: true;
  /** As an argument it may be empty. A text is the hint if it is empty, and may not be. */
  readonly ifEmpty?: "allowed" | { readonly hint: string };
  readonly hidden?: true;
  /** The heading in help. */
  readonly group?: string;
  /** Throws commander's error for arguments if the text is invalid. */
  readonly parse?: (typed: string) => R;
  /** Reads files, stdin and other things of this machine. Throws `Usage`. */
  readonly read?: (raw: never, at: ReadContext) => unknown;
  /** Looks up names. Throws `Usage` if a name is unknown or ambiguous. */
  readonly find?: (read: never, at: ReadContext) => unknown;
  /** For the compiler: parameters have no such values. */
  readonly type?: [T, R];
}

export type CommandParameters = Readonly<Record<string, CommandParameter>>;

type HasMark<W, K extends string> = W extends { readonly [P in K]: true } ? true : false;
type ValueOf<W> = W extends CommandParameter<infer T, unknown> ? T : never;
type RawValueOf<W> = W extends CommandParameter<unknown, infer R> ? R : never;

/** The values of a verb that is data: operands and flags by name. */
export type Values<P extends CommandParameters, F extends CommandParameters> = {
  [K in keyof P]: HasMark<P[K], "optional"> extends true ? ValueOf<P[K]> | undefined : ValueOf<P[K]>;
} & { [K in keyof F]: HasMark<F[K], "required"> extends true ? ValueOf<F[K]> : ValueOf<F[K]> | undefined };

/** The values of flags. */
export type FlagValues<F extends CommandParameters> = Values<Record<never, never>, F>;

type IsAlwaysSet<W> = true extends HasMark<W, "required"> | HasMark<W, "onlyNegated"> ? true : false;

/** The values of a verb with its own code: flags by name, as parsed. */
export type RawFlags<F extends CommandParameters> = {
  [K in keyof F as IsAlwaysSet<F[K]> extends true ? never : K]?: RawValueOf<F[K]>;
} & { [K in keyof F as IsAlwaysSet<F[K]> extends true ? K : never]: RawValueOf<F[K]> };

export const requiredFlag = <T, R>(
  parameter: CommandParameter<T, R>,
): CommandParameter<T, R> & { readonly required: true } => ({
  ...parameter,
  required: true,
});
export const optionalOperand = <T, R>(
  parameter: CommandParameter<T, R>,
): CommandParameter<T, R> & { readonly optional: true } => ({
  ...parameter,
  optional: true,
});

/** Says in help what applies if the parameter is absent. */
export const withDefault = <W extends CommandParameter>(text: string, parameter: W): W => ({
  ...parameter,
  default: text,
});

/** An argument that may be empty, such as a word of another command. */
export const emptyAllowed = <W extends CommandParameter>(parameter: W): W & { readonly ifEmpty: "allowed" } => ({
  ...parameter,
  ifEmpty: "allowed",
});

/** Converts `newName` to `new-name`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;

/** Converts `new_name` and `new-name` to `newName`. */
export const camel = <S extends string>(name: S): Camel<S> =>
  name.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase()) as Camel<S>;

export const snake = (name: string): string => kebab(name).replaceAll("-", "_");

/** Names what a flag changes: `--no-full-name` is `full name`. */
export const changedOf = ({ param, flag }: { param: string; flag: string }) => ({
  parameter: param,
  name: flag.replace(/^--(no-)?((add|delete|rename)-)?/, "").replaceAll("-", " "),
});

/** Returns the name of an operand in messages. */
export const operandName = ({ metavar = "" }: CommandParameter): string => `<${metavar.replace(/,?\.\.\.$/, "")}>`;

function affirmative(flags: string, { doc, many, file, keepsOrigin = file, parse }: CommandParameter): Option {
  if (many) return file ? repeatableList(flags, doc) : repeatable(flags, doc);
  const option = new Option(flags, doc);
  const taking = keepsOrigin ? textInput : parse;
  return taking ? option.argParser<unknown>(taking) : option;
}

/** Returns commander's options for a flag. `--no-…` comes last. */
export function commanderOptions(name: string, parameter: CommandParameter): Option[] {
  const { metavar, short, choices, stored, negated, onlyNegated, required: must, hidden, group, offers } = parameter;
  const [long, not] = [`${short ? `-${short}, ` : ""}--${kebab(name)}`, `--no-${kebab(name)}`];
  if (onlyNegated) return [new Option(not, parameter.doc)];
  const option = affirmative(metavar === undefined ? long : `${long} <${metavar}>`, parameter);
  if (choices) withChoices(option, choices, stored);
  if (parameter.default !== undefined) option.default(undefined, parameter.default);
  withOffer(option, offers);
  if (must) option.makeOptionMandatory();
  if (hidden) option.hideHelp();
  if (group) option.helpGroup(group);
  return negated === undefined ? [option] : [option, new Option(not, negated)];
}

export function argumentOf(parameter: CommandParameter): Argument {
  const { metavar, doc, choices, many, file, keepsOrigin = file, optional, parse, offers, ifEmpty } = parameter;
  const name = `${metavar}${many ? "..." : ""}`;
  const argument = new Argument(optional ? `[${name}]` : `<${name}>`, doc);
  const taking = keepsOrigin ? (many ? textInputs : textInput) : parse;
  if (taking) argument.argParser<unknown>(taking);
  if (choices) withChoices(argument, choices);
  if (parameter.default !== undefined) argument.default(undefined, parameter.default);
  if (ifEmpty !== "allowed") refuseBlank(argument, () => emptyOperand(operandName(parameter), ifEmpty?.hint));
  return withOffer(argument, offers);
}

/** Reads all parameters. Absent flags stay absent, and `--no-…` is `false`. */
export async function readValues<P extends CommandParameters, F extends CommandParameters>(
  context: Context,
  { operands, flags }: { operands: P; flags: F },
  raw: { operands: readonly unknown[]; flags: Readonly<Record<string, unknown>> },
  beforeLookUps?: () => Promise<void> | undefined,
): Promise<Values<P, F>> {
  const values: Record<string, unknown> = {};
  const present: { name: string; parameter: CommandParameter; flag: string }[] = [];
  const take = (
    name: string,
    parameter: CommandParameter,
    value: unknown,
    flag: (name: string, parameter: CommandParameter) => string,
  ) => {
    if (value === undefined) return;
    values[name] = value;
    if (value !== false) present.push({ name, parameter, flag: flag(name, parameter) });
  };
  let n = 0;
  for (const name in operands) take(name, operands[name]!, raw.operands[n++], operandOf);
  for (const name in flags) take(name, flags[name]!, raw.flags[name], flagOf);
  for (const step of ["read", "find"] as const) {
    if (step === "find") await beforeLookUps?.();
    for (const { name, parameter, flag } of present) {
      const value = values[name];
      if (value === undefined || value === false || !parameter[step]) continue;
      values[name] = await namingFlag(flag, () => parameter[step]?.(value as never, { context, flag }));
    }
  }
  return values as Values<P, F>;
}

const operandOf = (_: string, parameter: CommandParameter): string => operandName(parameter);
const flagOf = (name: string): string => `--${kebab(name)}`;
