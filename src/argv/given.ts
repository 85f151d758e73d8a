/** Words of a command line. Only typed characters have a special meaning: values from a column of a file are data. */
import type { Argument, Command } from "commander";
import { Option } from "commander";

/** A value that may name a file or stdin, if it was typed. */
export class Given {
  readonly text: string;
  /** A part comes from a column. */
  readonly hasData: boolean;
  /** The number of typed characters at its beginning. */
  readonly #typed: number;

  constructor(text: string, data?: { typed: number }) {
    this.text = text;
    this.hasData = data !== undefined;
    this.#typed = data?.typed ?? text.length;
  }

  /** Returns whether it begins with these typed characters. */
  begins(letters: string): boolean {
    return letters.length <= this.#typed && this.text.startsWith(letters);
  }

  /** Returns whether it is a typed `-`. */
  get isStdin(): boolean {
    return !this.hasData && this.text === "-";
  }

  /** Returns the text before and after the first such character. Undefined if there is none. */
  cut(sign: string): [before: string, after: Given] | undefined {
    const at = this.text.indexOf(sign);
    if (at < 0) return undefined;
    const from = at + sign.length;
    const data = this.hasData ? { typed: Math.max(0, this.#typed - from) } : undefined;
    return [this.text.slice(0, at), new Given(this.text.slice(from), data)];
  }

  /** Returns whether its beginning comes from a column. */
  get isData(): boolean {
    return this.hasData && this.#typed === 0;
  }
}

/** A word of a command line. A `Given` is never a flag or a command, because the parser sees no text. */
export type Word = string | Given;

export const textOfWord = (word: Word): string => (typeof word === "string" ? word : word.text);

type Parse = (word: Word, before: unknown) => unknown;

/** For options and arguments that can read a file or stdin. */
export const given = (word: Word): Given => (typeof word === "string" ? new Given(word) : word);

/** For options and arguments that can be repeated. */
export const givens = (word: Word, before: Given[] | undefined): Given[] => [...(before ?? []), given(word)];

const takesWords = new WeakSet<Parse>([given, givens as Parse]);

/** An option whose value may be `@file`, or `-` for stdin. */
export const readable = (flags: string, doc: string): Option => new Option(flags, doc).argParser(given as never);

/** For options and arguments that can be repeated, as text. */
export const collected = (text: string, before: unknown): unknown[] => [...(Array.isArray(before) ? before : []), text];

/**
 * Passes plain text to all parsers of a command that do not expect a `Given`. `invalid` makes the error for a text that
 * a parser rejects.
 */
export function takeTexts(
  command: Command,
  invalid: (taker: Option | Argument, text: string, error: unknown) => unknown,
): void {
  const options = command.options.filter(({ required, optional }) => required || optional);
  for (const taker of [...options, ...command.registeredArguments]) {
    const { parseArg } = taker as { parseArg?: (text: Word, before: unknown) => unknown };
    if (parseArg && takesWords.has(parseArg)) continue;
    const parse = parseArg ?? (taker.variadic ? (collected as Parse) : (text: Word) => text);
    const parseText: Parse = (word, before) => {
      const text = textOfWord(word);
      try {
        return parse(text, before);
      } catch (error) {
        throw invalid(taker, text, error);
      }
    };
    takesWords.add(parseText);
    taker.argParser(parseText as never);
  }
}
