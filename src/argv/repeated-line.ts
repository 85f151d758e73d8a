/**
 * A command line that differs from the one before only in what columns of a file give: the rows of a batch. What the
 * parser has made out of the first holds for all of them, so that of the others the values alone are read.
 */
import type { Argument, Option } from "commander";
import { dataMark, holdsData } from "./given.ts";
import { bareWords, type Reading } from "./reading.ts";
import type { RowCommand } from "./rows.ts";
import { repeats } from "./strict.ts";

/** A word of the first line: how it begins, and whether a column gives the rest. */
interface Pattern {
  typed: string;
  data: boolean;
}

/** Where the value of a flag stands, and where in that word it begins. */
interface Value {
  option: Option;
  at: number;
  from: number;
}

const patternOf = (word: string): Pattern => {
  const at = word.indexOf(dataMark);
  return at < 0 ? { typed: word, data: false } : { typed: word.slice(0, at), data: true };
};

const fits = (word: string, { typed, data }: Pattern): boolean =>
  data ? word.startsWith(dataMark, typed.length) && word.startsWith(typed) : word === typed;

/** Throws what the parser would make a message of. */
const readValue = ({ parseArg }: Option | Argument, word: string, before: unknown): unknown =>
  parseArg ? parseArg(word, before) : word;

/** The values that a column has a part in; undefined where more than values depends on what it gives. */
function valuesIn({ command, flags }: Reading, patterns: readonly Pattern[], words: readonly string[]) {
  const values: Value[] = [];
  const once = new Set<string>();
  for (const { option, value, at, word } of flags) {
    const name = option.attributeName();
    if (!command.options.includes(option) || (once.has(name) && !repeats(option))) return undefined;
    once.add(name);
    const from = at === word && value !== undefined ? words[at]!.length - value.length : 0;
    const flag = patterns[word]!;
    if (flag.data && flag.typed.length < Math.max(from, 1)) return undefined;
    if (value !== undefined) values.push({ option, at, from });
  }
  const varying = new Set(values.flatMap(({ option, at }) => (patterns[at]!.data ? option.attributeName() : [])));
  return values.filter(({ option }) => varying.has(option.attributeName()));
}

export class RepeatedLine {
  readonly #command: RowCommand;
  readonly #patterns: readonly Pattern[];
  readonly #options: Readonly<Record<string, unknown>>;
  readonly #values: readonly Value[];
  /** The places of what the command works on. */
  readonly #operands: readonly number[];

  private constructor(
    command: RowCommand,
    patterns: readonly Pattern[],
    values: readonly Value[],
    operands: readonly number[],
  ) {
    this.#command = command;
    this.#patterns = patterns;
    const varying = new Set(values.map(({ option }) => option.attributeName()));
    this.#options = Object.fromEntries(Object.entries(command.opts()).filter(([name]) => !varying.has(name)));
    this.#values = values;
    this.#operands = operands;
  }

  /** `words` are what the parser has just read, and `reading` what stands in them. Undefined where only it can read such a line. */
  static of(words: readonly string[], reading: Reading): RepeatedLine | undefined {
    if (!words.some(holdsData)) return undefined;
    const command = reading.command as RowCommand;
    const patterns = words.map(patternOf);
    const values = valuesIn(reading, patterns, words);
    if (!values || !command.acts || command.commands.length) return undefined;
    const { operands } = bareWords(reading, words);
    const known = operands.length === command.args.length && operands.every((at, n) => words[at] === command.args[n]);
    return known ? new RepeatedLine(command, patterns, values, operands) : undefined;
  }

  /** What the command does with such a line; undefined for a line that is another, or that the parser will complain of. */
  again(words: readonly string[]): (() => Promise<unknown>) | undefined {
    if (words.length !== this.#patterns.length) return undefined;
    for (let at = 0; at < words.length; at++) if (!fits(words[at]!, this.#patterns[at]!)) return undefined;
    const command = this.#command;
    const options: Record<string, unknown> = { ...this.#options };
    try {
      for (const { option, at, from } of this.#values) {
        const name = option.attributeName();
        options[name] = readValue(option, words[at]!.slice(from), options[name] ?? option.defaultValue);
      }
      const operands = this.#operandsOf(words);
      return async () => command.acts!(...operands, options, command);
    } catch {
      return undefined;
    }
  }

  #operandsOf(words: readonly string[]): unknown[] {
    const given = this.#operands.map((at) => words[at]!);
    return this.#command.registeredArguments.map((argument, n) => {
      const { defaultValue, variadic } = argument;
      if (n >= given.length) return variadic ? (defaultValue ?? []) : defaultValue;
      if (!variadic) return readValue(argument, given[n]!, defaultValue);
      return given.slice(n).reduce<unknown>((before, word) => readValue(argument, word, before), defaultValue);
    });
  }
}
