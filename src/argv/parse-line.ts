/** Reads a command line by the parser's rules, before the parser does, or if the parser refuses it. */
import type { Command, Option } from "commander";
import { runsItself } from "./commander-options.ts";

/** A typed flag. */
export interface ParsedFlag {
  option: Option;
  /** Undefined for flags without values, and at the end of the line. */
  value: string | undefined;
  /** The index of the word with the value, or with the flag if there is none. */
  valueIndex: number;
  /** The index of the word with the flag. */
  flagIndex: number;
}

export interface ParsedLine {
  /** The command that the words name, as far as they do. */
  command: Command;
  flags: ParsedFlag[];
  /** A word in the place of a command that is no command. */
  unknownCommand?: string;
  /** `--help` or `--version`. */
  shows?: "help" | "version";
  /** The word `help` asks for it. */
  isHelpWord?: true;
}

/** Returns whether a command needs one of the commands below it. */
export const isNoun = (command: Command): boolean => command.commands.length > 0 && !runsItself(command);

const tables = new WeakMap<Command, Map<string, Option>>();

/** Returns the flags of a command by spelling. */
function tableOf(command: Command): Map<string, Option> {
  const known = tables.get(command);
  if (known) return known;
  const table = new Map<string, Option>();
  for (const option of command.options)
    for (const spelling of [option.short, option.long]) if (spelling) table.set(spelling, option);
  tables.set(command, table);
  return table;
}

/** Returns a flag whose value is another flag: a variable between them may be unset. */
export const flagWithoutValue = ({ command, flags }: ParsedLine): ParsedFlag | undefined =>
  flags.find(({ value = "", valueIndex, flagIndex }) => valueIndex !== flagIndex && tableOf(command).has(value));

const negative = /^-(\d+|\d*\.\d+)(e[+-]?\d+)?$/;

/** Returns whether the parser treats a word as flags. */
const isFlag = (word: string, { commands }: Command): boolean =>
  word.length > 1 && word.startsWith("-") && (commands.length > 0 || !negative.test(word));

const takesValue = ({ required, optional }: Option): boolean => required || optional;

/** Yields the flags in a word: one, or several short ones, with the value. Undefined for an unknown flag. */
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

/** Returns the words that the parser treats as flags, also unknown ones, with their indexes. */
export function flagWords(
  command: Command,
  words: readonly string[],
  flags: readonly ParsedFlag[],
): [at: number, word: string][] {
  const values = new Set(flags.flatMap(({ valueIndex, flagIndex }) => (valueIndex === flagIndex ? [] : valueIndex)));
  const end = words.findIndex((word, at) => word === "--" && !values.has(at));
  return [...words.entries()].filter(([at, word]) => (end < 0 || at < end) && !values.has(at) && isFlag(word, command));
}

/** Returns the indexes of the other words: the names of the command, and its arguments. */
export function positionals(
  { command, flags }: ParsedLine,
  words: readonly string[],
): { names: readonly number[]; operands: readonly number[] } {
  const flagged = new Set(flags.flatMap(({ valueIndex, flagIndex }) => [valueIndex, flagIndex]));
  const bare = [...words.keys()].filter((at) => !flagged.has(at) && words[at] !== "--");
  let depth = 0;
  for (let each = command; each.parent; each = each.parent) depth++;
  return { names: bare.slice(0, depth), operands: bare.slice(depth) };
}

/** Returns the command line without arguments and without these flags. `without`: attribute names of flags. */
export function withoutOperands(root: Command, words: readonly string[], without: readonly string[]): string[] {
  const reading = parseLine(root, words);
  const kept = reading.flags.filter(({ option }) => !without.includes(option.attributeName()));
  const gone = reading.flags
    .filter((flag) => !kept.includes(flag))
    .flatMap(({ valueIndex, flagIndex }) => [valueIndex, flagIndex]);
  const left = new Set([
    ...kept.flatMap(({ valueIndex, flagIndex }) => [valueIndex, flagIndex]),
    ...positionals(reading, words).names,
  ]);
  for (const at of gone) left.delete(at);
  return words.filter((_, at) => left.has(at));
}

/** Returns the global flags of a command line, as words for another one. */
export const globalWords = (root: Command, words: readonly string[]): string[] =>
  parseLine(root, words)
    .flags.filter(({ option }) => root.options.includes(option))
    .map(({ option, value }) => (value === undefined ? option.long! : `${option.long}=${value}`));

/** Never throws: unknown words are skipped. */
export function parseLine(root: Command, words: readonly string[]): ParsedLine {
  const reading: ParsedLine = { command: root, flags: [] };
  // The word after an unknown flag may be its value, which may be a secret. It must not be reported.
  let afterUnknown = false;
  let closed = false;
  // Words after an argument are not commands.
  let hasArgument = false;
  for (let at = 0; at < words.length; at++) {
    const { command } = reading;
    const word = words[at] ?? "";
    if (closed || !isFlag(word, command)) {
      if (hasArgument || !command.commands.length || reading.unknownCommand !== undefined) continue;
      const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
      if (next) [reading.command, afterUnknown] = [next, false];
      else if (!isNoun(command)) hasArgument = true;
      else if (word === "help") [reading.shows, reading.isHelpWord] = [reading.shows ?? "help", true];
      else if (!afterUnknown) reading.unknownCommand = word;
      continue;
    }
    if (word === "--") {
      closed = true;
      continue;
    }
    const flagIndex = at;
    for (const flag of flagsIn(word, tableOf(command))) {
      if (!flag) {
        afterUnknown = true;
        continue;
      }
      const { option } = flag;
      const value = flag.value ?? (option.required ? words[++at] : undefined);
      reading.flags.push({ option, value, valueIndex: at, flagIndex });
      const name = option.attributeName();
      if (name === "help" || name === "version") reading.shows ??= name;
    }
  }
  return reading;
}
