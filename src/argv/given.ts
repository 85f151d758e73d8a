/** Words of a command line, and which of their letters were typed: what a column of a file gives is data. */
import type { Argument, Command } from "commander";
import { Option } from "commander";

/** A value that may stand for a file or for stdin, where somebody typed it so. */
export class Given {
  readonly text: string;
  /** A column gives a part of it. */
  readonly hasData: boolean;
  /** The number of typed characters at its beginning. */
  readonly #typed: number;

  constructor(text: string, data?: { typed: number }) {
    this.text = text;
    this.hasData = data !== undefined;
    this.#typed = data?.typed ?? text.length;
  }

  /** It begins with these characters, and they were typed. */
  begins(letters: string): boolean {
    return letters.length <= this.#typed && this.text.startsWith(letters);
  }

  /** A `-` that was typed. */
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

  /** A column gives how it begins. */
  get isData(): boolean {
    return this.hasData && this.#typed === 0;
  }
}

/** A word of a command line. One that a column has a part in is never a flag or a command: the parser sees no text. */
export type Word = string | Given;

export const textOfWord = (word: Word): string => (typeof word === "string" ? word : word.text);

type Parse = (word: Word, before: unknown) => unknown;

/** For options and arguments that can read a file or stdin. */
export const given = (word: Word): Given => (typeof word === "string" ? new Given(word) : word);

/** For options and arguments that can be repeated. */
export const givens = (word: Word, before: Given[] | undefined): Given[] => [...(before ?? []), given(word)];

const takesWords = new WeakSet<Parse>([given, givens as Parse]);

/** An option whose value may stand for a file or stdin: `@file`, `-`. */
export const readable = (flags: string, doc: string): Option => new Option(flags, doc).argParser(given as never);

const collected = (text: string, before: unknown): unknown[] => [...(Array.isArray(before) ? before : []), text];

/**
 * Every value of a command but a `Given` is the plain text. `invalid` makes the error for a text that the option or
 * argument does not take.
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
