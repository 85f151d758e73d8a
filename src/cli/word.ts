/** Words: the arguments and flags of commands, with their names, types and readers. */
import { Argument, Option } from "commander";
import { type Offer, repeatable, repeatableList, withChoices, withOffer } from "../argv/options.ts";
import { refuseBlank, textInput, textInputs } from "../argv/text-input.ts";
import { namingFlag } from "../errors.ts";
import type { Context } from "../run/context.ts";
import { emptyOperand } from "./usage-errors.ts";

/** The place of a word, and what reading may use. */
export interface ReadContext {
  context: Context;
  /** The name in messages: `--folder`, `<channel>`. */
  flag: string;
}

/**
 * A kind of word. `T`: its value. `R`: the parser's value. Words are read in two steps, each for all words of a
 * command: errors that this machine can find are reported before names are looked up.
 */
export interface Word<T = unknown, R = unknown> {
  /** The name of the value in help, without brackets. A word without one is a switch. */
  readonly metavar?: string;
  readonly doc: string;
  /** The letter of the flag: `-f`. */
  readonly short?: string;
  readonly choices?: readonly string[];
  /** What servers store for the choices, and what lists have in CSV and JSON. */
  readonly stored?: Readonly<Record<string, number | string>>;
  /** What applies if the word is absent, as text. */
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
  /** For the compiler: words have no such values. */
  readonly type?: [T, R];
}

export type Words = Readonly<Record<string, Word>>;

type HasMark<W, K extends string> = W extends { readonly [P in K]: true } ? true : false;
type ValueOf<W> = W extends Word<infer T, unknown> ? T : never;
type RawValueOf<W> = W extends Word<unknown, infer R> ? R : never;

/** The values of a verb that is data: operands and flags by name. */
export type Values<P extends Words, F extends Words> = {
  [K in keyof P]: HasMark<P[K], "optional"> extends true ? ValueOf<P[K]> | undefined : ValueOf<P[K]>;
} & { [K in keyof F]: HasMark<F[K], "required"> extends true ? ValueOf<F[K]> : ValueOf<F[K]> | undefined };

/** The values of flags. */
export type FlagValues<F extends Words> = Values<Record<never, never>, F>;

type IsAlwaysSet<W> = true extends HasMark<W, "required"> | HasMark<W, "onlyNegated"> ? true : false;

/** The values of a verb with its own code: flags by name, as parsed. */
export type RawFlags<F extends Words> = {
  [K in keyof F as IsAlwaysSet<F[K]> extends true ? never : K]?: RawValueOf<F[K]>;
} & { [K in keyof F as IsAlwaysSet<F[K]> extends true ? K : never]: RawValueOf<F[K]> };

export const requiredFlag = <T, R>(word: Word<T, R>): Word<T, R> & { readonly required: true } => ({
  ...word,
  required: true,
});
export const optionalOperand = <T, R>(word: Word<T, R>): Word<T, R> & { readonly optional: true } => ({
  ...word,
  optional: true,
});

/** Says in help what applies if the word is absent. */
export const withDefault = <W extends Word>(text: string, word: W): W => ({ ...word, default: text });

/** An argument that may be empty, such as a word of another command. */
export const emptyAllowed = <W extends Word>(word: W): W & { readonly ifEmpty: "allowed" } => ({
  ...word,
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
export const operandName = ({ metavar = "" }: Word): string => `<${metavar.replace(/,?\.\.\.$/, "")}>`;

function affirmative(flags: string, { doc, many, file, keepsOrigin = file, parse }: Word): Option {
  if (many) return file ? repeatableList(flags, doc) : repeatable(flags, doc);
  const option = new Option(flags, doc);
  const taking = keepsOrigin ? textInput : parse;
  return taking ? option.argParser<unknown>(taking) : option;
}

/** Returns commander's options for a flag. `--no-…` comes last. */
export function optionsOf(name: string, word: Word): Option[] {
  const { metavar, short, choices, stored, negated, onlyNegated, required: must, hidden, group, offers } = word;
  const [long, not] = [`${short ? `-${short}, ` : ""}--${kebab(name)}`, `--no-${kebab(name)}`];
  if (onlyNegated) return [new Option(not, word.doc)];
  const option = affirmative(metavar === undefined ? long : `${long} <${metavar}>`, word);
  if (choices) withChoices(option, choices, stored);
  if (word.default !== undefined) option.default(undefined, word.default);
  withOffer(option, offers);
  if (must) option.makeOptionMandatory();
  if (hidden) option.hideHelp();
  if (group) option.helpGroup(group);
  return negated === undefined ? [option] : [option, new Option(not, negated)];
}

export function argumentOf(word: Word): Argument {
  const { metavar, doc, choices, many, file, keepsOrigin = file, optional, parse, offers, ifEmpty } = word;
  const name = `${metavar}${many ? "..." : ""}`;
  const argument = new Argument(optional ? `[${name}]` : `<${name}>`, doc);
  const taking = keepsOrigin ? (many ? textInputs : textInput) : parse;
  if (taking) argument.argParser<unknown>(taking);
  if (choices) withChoices(argument, choices);
  if (word.default !== undefined) argument.default(undefined, word.default);
  if (ifEmpty !== "allowed") refuseBlank(argument, () => emptyOperand(operandName(word), ifEmpty?.hint));
  return withOffer(argument, offers);
}

/** Reads all words. Absent flags stay absent, and `--no-…` is `false`. */
export async function valuesOf<P extends Words, F extends Words>(
  context: Context,
  { operands, flags }: { operands: P; flags: F },
  raw: { operands: readonly unknown[]; flags: Readonly<Record<string, unknown>> },
  beforeLookUps?: () => Promise<void> | undefined,
): Promise<Values<P, F>> {
  const values: Record<string, unknown> = {};
  const present: { name: string; word: Word; flag: string }[] = [];
  const take = (name: string, word: Word, value: unknown, flag: (name: string, word: Word) => string) => {
    if (value === undefined) return;
    values[name] = value;
    if (value !== false) present.push({ name, word, flag: flag(name, word) });
  };
  let n = 0;
  for (const name in operands) take(name, operands[name]!, raw.operands[n++], operandOf);
  for (const name in flags) take(name, flags[name]!, raw.flags[name], flagOf);
  for (const step of ["read", "find"] as const) {
    if (step === "find") await beforeLookUps?.();
    for (const { name, word, flag } of present) {
      const value = values[name];
      if (value === undefined || value === false || !word[step]) continue;
      values[name] = await namingFlag(flag, () => word[step]?.(value as never, { context, flag }));
    }
  }
  return values as Values<P, F>;
}

const operandOf = (_: string, word: Word): string => operandName(word);
const flagOf = (name: string): string => `--${kebab(name)}`;
