/** Arguments and flags as values: what a word is called, how it is read, what it stands for. */
import { Argument, Option } from "commander";
import { given, givens } from "../argv/given.ts";
import { type Offer, offering, repeatable, repeatableList } from "../argv/options.ts";
import { readingWord } from "../errors.ts";
import type { Context } from "../run/context.ts";

/** Where a word stands and what it may be read with. */
export interface Reading {
  context: Context;
  /** As messages call it: `--folder`, `<channel>`. */
  flag: string;
}

/**
 * A kind of word: `T` is what it stands for, `R` what the parser gives. It is read in two steps, each done for all words
 * of a command before the next: what this machine can tell is complained of before any name is looked up.
 */
export interface Word<T = unknown, R = unknown> {
  /** What help calls the value, without brackets; a word without one is a switch. */
  readonly metavar?: string;
  readonly doc: string;
  /** The letter that stands for the flag: `-f`. */
  readonly short?: string;
  readonly choices?: readonly string[];
  /** What completion offers for the value, where that is not one of `choices`. */
  readonly offers?: Offer;
  /** May be given several times; what is read is the list of all. */
  readonly many?: true;
  /** May stand for a file or for stdin, where somebody typed it so. */
  readonly file?: true;
  /** What `--no-…` means, where there is such a flag; it is read as `false`. */
  readonly negated?: string;
  /** There is a `--no-…` alone, and `doc` is what it means. */
  readonly onlyNegated?: true;
  /** Must be given, though it is a flag. */
  readonly needed?: true;
  /** May be left out, though it is an argument. */
  readonly optional?: true;
  readonly hidden?: true;
  /** The heading in help that it stands under. */
  readonly group?: string;
  /** Throws commander's `InvalidArgumentError` for what the text alone shows to be wrong. */
  readonly parse?: (typed: string) => R;
  /** With files, stdin and other things of this machine. Throws `Usage`. */
  readonly read?: (raw: never, at: Reading) => unknown;
  /** With look-ups. Throws `Usage` for a name that nothing or several things have. */
  readonly find?: (read: never, at: Reading) => unknown;
  /** For the compiler alone: no word has a value of these. */
  readonly type?: [T, R];
}

export type Words = Readonly<Record<string, Word>>;

type Is<W, K extends string> = W extends { readonly [P in K]: true } ? true : false;
type Stands<W> = W extends Word<infer T, unknown> ? T : never;
type Raw<W> = W extends Word<unknown, infer R> ? R : never;

/** What a verb stated as data gets: operands and flags by name. */
export type Values<P extends Words, F extends Words> = {
  [K in keyof P]: Is<P[K], "optional"> extends true ? Stands<P[K]> | undefined : Stands<P[K]>;
} & { [K in keyof F]: Is<F[K], "needed"> extends true ? Stands<F[K]> : Stands<F[K]> | undefined };

type Always<W> = true extends Is<W, "needed"> | Is<W, "onlyNegated"> ? true : false;

/** What a verb with code of its own gets: flags by name, as the parser gives them. */
export type RawFlags<F extends Words> = {
  [K in keyof F as Always<F[K]> extends true ? never : K]?: Raw<F[K]>;
} & { [K in keyof F as Always<F[K]> extends true ? K : never]: Raw<F[K]> };

export const needed = <T, R>(word: Word<T, R>): Word<T, R> & { readonly needed: true } => ({ ...word, needed: true });
export const maybe = <T, R>(word: Word<T, R>): Word<T, R> & { readonly optional: true } => ({
  ...word,
  optional: true,
});

/** `newName` → `new-name`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The operand as messages call it. */
export const operandName = ({ metavar = "" }: Word): string => `<${metavar.replace(/,?\.\.\.$/, "")}>`;

function affirmative(flags: string, { doc, many, file, parse }: Word): Option {
  if (many) return file ? repeatableList(flags, doc) : repeatable(flags, doc);
  const option = new Option(flags, doc);
  const taking = file ? given : parse;
  return taking ? option.argParser(taking as never) : option;
}

/** commander's options for a flag, the affirmative before its `--no-…`. */
export function optionsOf(name: string, word: Word): Option[] {
  const { metavar, doc, short, choices, negated, onlyNegated, needed: must, hidden, group, offers } = word;
  const [long, not] = [`${short ? `-${short}, ` : ""}--${kebab(name)}`, `--no-${kebab(name)}`];
  if (onlyNegated) return [new Option(not, doc)];
  const option = affirmative(metavar === undefined ? long : `${long} <${metavar}>`, word);
  if (choices) option.choices(choices);
  offering(option, offers);
  if (must) option.makeOptionMandatory();
  if (hidden) option.hideHelp();
  if (group) option.helpGroup(group);
  return negated === undefined ? [option] : [option, new Option(not, negated)];
}

export function argumentOf(word: Word): Argument {
  const { metavar, doc, choices, many, file, optional, parse, offers } = word;
  const name = `${metavar}${many ? "..." : ""}`;
  const argument = new Argument(optional ? `[${name}]` : `<${name}>`, doc);
  const taking = file ? (many ? givens : given) : parse;
  if (taking) argument.argParser(taking as never);
  if (choices) argument.choices(choices);
  return offering(argument, offers);
}

/** What was typed, turned into what it stands for. What was not given is absent, `--no-…` stays `false`. */
export async function valuesOf<P extends Words, F extends Words>(
  context: Context,
  { operands, flags }: { operands: P; flags: F },
  raw: { operands: readonly unknown[]; flags: Readonly<Record<string, unknown>> },
  beforeLookUps?: () => Promise<void> | undefined,
): Promise<Values<P, F>> {
  const values: Record<string, unknown> = {};
  const given: { name: string; word: Word; flag: string }[] = [];
  const take = (name: string, word: Word, value: unknown, flag: (name: string, word: Word) => string) => {
    if (value === undefined) return;
    values[name] = value;
    if (value !== false) given.push({ name, word, flag: flag(name, word) });
  };
  let n = 0;
  for (const name in operands) take(name, operands[name]!, raw.operands[n++], operandOf);
  for (const name in flags) take(name, flags[name]!, raw.flags[name], flagOf);
  for (const step of ["read", "find"] as const) {
    if (step === "find") await beforeLookUps?.();
    for (const { name, word, flag } of given) {
      const value = values[name];
      if (value === undefined || value === false || !word[step]) continue;
      values[name] = await readingWord(flag, () => word[step]?.(value as never, { context, flag }));
    }
  }
  return values as Values<P, F>;
}

const operandOf = (_: string, word: Word): string => operandName(word);
const flagOf = (name: string): string => `--${kebab(name)}`;
