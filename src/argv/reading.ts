/**
 * What each word of a command line is, by the parser's own rules: for what must be known before the parser judges the
 * line, or although it refuses it.
 */
import type { Command, Option } from "commander";

/** A flag as it is given. */
export interface GivenFlag {
  option: Option;
  /** Undefined for flags that take none, and where the line ends before it. */
  value: string | undefined;
  /** The word that the value stands in, or else the flag, counted from 0. */
  at: number;
  /** The word that the flag stands in. */
  word: number;
}

export interface Reading {
  /** The command that the words name, as far as they name one. */
  command: Command;
  flags: GivenFlag[];
  /** A word where the name of a command has to stand and stands not. */
  stray?: string;
  /** `--help` or `--version`. */
  asks?: "help" | "version";
}

/** A command that is nothing without one of those below it. */
export const isNoun = ({ commands, registeredArguments }: Command): boolean =>
  commands.length > 0 && registeredArguments.length === 0;

const tables = new WeakMap<Command, Map<string, Option>>();

/** The flags of a command by their spellings. */
function tableOf(command: Command): Map<string, Option> {
  const known = tables.get(command);
  if (known) return known;
  const table = new Map<string, Option>();
  for (const option of command.options)
    for (const spelling of [option.short, option.long]) if (spelling) table.set(spelling, option);
  tables.set(command, table);
  return table;
}

const negative = /^-(\d+|\d*\.\d+)(e[+-]?\d+)?$/;

/** True for a word that the parser takes for flags. */
const isFlag = (word: string, { commands }: Command): boolean =>
  word.length > 1 && word.startsWith("-") && (commands.length > 0 || !negative.test(word));

const takesValue = ({ required, optional }: Option): boolean => required || optional;

/** The flags that a word holds, one or a group of short ones, and the value in it; undefined for one that there is not. */
function* flagsIn(word: string, table: Map<string, Option>): Generator<{ option: Option; value?: string } | undefined> {
  for (let rest = word; ; ) {
    const whole = table.get(rest);
    if (whole) return yield { option: whole };
    const long = rest.startsWith("--");
    const end = long ? rest.indexOf("=") : 2;
    const option = end > 0 && end < rest.length ? table.get(rest.slice(0, end)) : undefined;
    if (!option || (long && !takesValue(option))) return yield undefined;
    if (takesValue(option)) return yield { option, value: rest.slice(long ? end + 1 : end) };
    yield { option };
    rest = `-${rest.slice(2)}`;
  }
}

/** The words that the parser takes for flags, also those that there are not, each after its place. */
export function flagWords(
  command: Command,
  words: readonly string[],
  flags: readonly GivenFlag[],
): [at: number, word: string][] {
  const values = new Set(flags.flatMap(({ at, word }) => (at === word ? [] : at)));
  const end = words.findIndex((word, at) => word === "--" && !values.has(at));
  return [...words.entries()].filter(([at, word]) => (end < 0 || at < end) && !values.has(at) && isFlag(word, command));
}

/** The places of words that are neither flags nor their values: the names of the command, and what it works on. */
export function bareWords(
  { command, flags }: Reading,
  words: readonly string[],
): { names: readonly number[]; operands: readonly number[] } {
  const flagged = new Set(flags.flatMap(({ at, word }) => [at, word]));
  const bare = [...words.keys()].filter((at) => !flagged.has(at) && words[at] !== "--");
  let depth = 0;
  for (let each = command; each.parent; each = each.parent) depth++;
  return { names: bare.slice(0, depth), operands: bare.slice(depth) };
}

/** The command line again, but for what the command works on and for these flags, by the names of their attributes. */
export function withoutOperands(root: Command, words: readonly string[], without: readonly string[]): string[] {
  const reading = read(root, words);
  const kept = reading.flags.filter(({ option }) => !without.includes(option.attributeName()));
  const gone = reading.flags.filter((flag) => !kept.includes(flag)).flatMap(({ at, word }) => [at, word]);
  const left = new Set([...kept.flatMap(({ at, word }) => [at, word]), ...bareWords(reading, words).names]);
  for (const at of gone) left.delete(at);
  return words.filter((_, at) => left.has(at));
}

/** The flags of a command line that every command has, as words of another one. */
export const globalWords = (root: Command, words: readonly string[]): string[] =>
  read(root, words)
    .flags.filter(({ option }) => root.options.includes(option))
    .map(({ option, value }) => (value === undefined ? option.long! : `${option.long}=${value}`));

/** Never throws: what cannot be made out is passed over. */
export function read(root: Command, words: readonly string[]): Reading {
  const reading: Reading = { command: root, flags: [] };
  // Behind a flag that there is not stands perhaps its value, which may be a secret: no word there is taken for a stray.
  let doubtful = false;
  let closed = false;
  // Words after an argument are no commands.
  let argued = false;
  for (let at = 0; at < words.length; at++) {
    const { command } = reading;
    const word = words[at] ?? "";
    if (closed || !isFlag(word, command)) {
      if (argued || !command.commands.length || reading.stray !== undefined) continue;
      const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
      if (next) [reading.command, doubtful] = [next, false];
      else if (!isNoun(command)) argued = true;
      else if (word === "help") reading.asks ??= "help";
      else if (!doubtful) reading.stray = word;
      continue;
    }
    if (word === "--") {
      closed = true;
      continue;
    }
    const place = at;
    for (const flag of flagsIn(word, tableOf(command))) {
      if (!flag) {
        doubtful = true;
        continue;
      }
      const { option } = flag;
      const value = flag.value ?? (option.required ? words[++at] : undefined);
      reading.flags.push({ option, value, at, word: place });
      const name = option.attributeName();
      if (name === "help" || name === "version") reading.asks ??= name;
    }
  }
  return reading;
}
