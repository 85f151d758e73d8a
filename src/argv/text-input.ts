/** Words of a command line. Only typed characters have a special meaning: values from a column of a file are data. */
import type { Argument, Command, Option } from "commander";
import { isBlank } from "../common/folding.ts";
import type { Origin } from "../notation/id.ts";

/** What is not typed in a text. */
interface Data {
  /** The number of typed characters at its beginning. */
  typed: number;
  /** Its digits are ids: it comes from a column of ids, or from a list that zulipctl wrote. */
  ids?: boolean;
  /** The flag, the file and the line, for messages: `--add @people.txt, line 3`. */
  place?: string;
  /** The sign that divides a list in a cell, by default a comma. Line breaks always do. */
  separator?: string | undefined;
}

/** Part of a text, and where it begins. */
type InputPlace = readonly [at: number, part: string];

function splitAll(text: string, separator: string): InputPlace[] {
  let at = 0;
  return text.split(separator).map((part) => {
    const place = [at, part] as const;
    at += part.length + separator.length;
    return place;
  });
}

/** Returns the lines of a part of a cell, without blank ones. A blank part stays. */
function linesOf([at, part]: InputPlace): InputPlace[] {
  if (!/[\r\n]/.test(part)) return [[at, part]];
  const lines = splitAll(part.replaceAll("\r", "\n"), "\n").filter(([, line]) => !isBlank(line));
  return lines.length ? lines.map(([from, line]) => [at + from, line]) : [[at, part]];
}

/** A value that may name a file or stdin, if it was typed. */
export class TextInput {
  readonly text: string;
  readonly #data: Data | undefined;
  /** The number of typed characters at its beginning. */
  readonly #typed: number;

  constructor(text: string, data?: Data) {
    this.text = text;
    this.#data = data;
    this.#typed = data?.typed ?? text.length;
  }

  /** A part comes from a column or a file. */
  get hasData(): boolean {
    return this.#data !== undefined;
  }

  get origin(): Origin {
    return !this.#data ? "typed" : this.#data.ids ? "ids" : "data";
  }

  get place(): string | undefined {
    return this.#data?.place;
  }

  /** Returns a part of it: the text without so many characters at its beginning, or another text in their place. */
  part(from: number, text = this.text.slice(from)): TextInput {
    return new TextInput(text, this.#data && { ...this.#data, typed: Math.max(0, this.#typed - from) });
  }

  /**
   * Returns the parts of a list. Typed characters are divided at commas, a cell at its separator and at line breaks.
   * `text`: the same text with other blanks.
   */
  parts(text = this.text): TextInput[] {
    const { separator = "," } = this.#data ?? {};
    // A comma that was typed before a column divides, whatever divides the cell.
    const end = separator === "," || !this.#typed ? 0 : text.lastIndexOf(",", this.#typed - 1) + 1;
    const typed = end ? splitAll(text.slice(0, end - 1), ",") : [];
    const rest = splitAll(text.slice(end), separator).map(([at, part]): InputPlace => [at + end, part]);
    const all = [...typed, ...rest];
    return (this.hasData ? all.flatMap(linesOf) : all).map(([at, part]) => this.part(at, part));
  }

  /** Returns whether it begins with these typed characters. */
  startsWithTyped(letters: string): boolean {
    return letters.length <= this.#typed && this.text.startsWith(letters);
  }

  /** Returns whether it is a typed `-`. */
  get isStdin(): boolean {
    return !this.hasData && this.text === "-";
  }

  /** Returns the text before and after the first such character. Undefined if there is none. */
  splitAt(sign: string): [before: string, after: TextInput] | undefined {
    const at = this.text.indexOf(sign);
    if (at < 0) return undefined;
    return [this.text.slice(0, at), this.part(at + sign.length)];
  }

  /** Returns whether its beginning comes from a column. */
  get isData(): boolean {
    return this.hasData && this.#typed === 0;
  }
}

/** A word of a command line. A `TextInput` is never a flag or a command, because the parser sees no text. */
export type RawWord = string | TextInput;

export const textOfWord = (word: RawWord): string => (typeof word === "string" ? word : word.text);

type Parse = (word: RawWord, before: unknown) => unknown;

/** For options and arguments that can read a file or stdin. */
export const textInput = (word: RawWord): TextInput => (typeof word === "string" ? new TextInput(word) : word);

/** For options and arguments that can be repeated. */
export const textInputs = (word: RawWord, before: unknown): TextInput[] => [
  ...(Array.isArray(before) ? before : []),
  textInput(word),
];

const textInputParsers = new WeakSet<Parse>([textInput, textInputs]);

/** For options and arguments that can be repeated, as text. */
export const collectTexts = (text: RawWord, before: unknown): unknown[] => [
  ...(Array.isArray(before) ? before : []),
  text,
];

const blankErrors = new WeakMap<Argument | Option, () => Error>();

/** An argument that may not be blank. `error`: makes the error. */
export const refuseBlank = (argument: Argument, error: () => Error): void => void blankErrors.set(argument, error);

/**
 * Passes plain text to all parsers of a command that do not expect a `TextInput`, and refuses blank arguments. `invalid`
 * makes the error for a text that a parser rejects.
 */
export function passPlainText(
  command: Command,
  invalid: (parameter: Option | Argument, text: string, error: unknown) => unknown,
): void {
  const options = command.options.filter(({ required, optional }) => required || optional);
  for (const taker of [...options, ...command.registeredArguments]) {
    const { parseArg } = taker as { parseArg?: (text: RawWord, before: unknown) => unknown };
    const blankError = blankErrors.get(taker);
    const expectsInput = parseArg !== undefined && textInputParsers.has(parseArg);
    if (expectsInput && !blankError) continue;
    const parse = parseArg ?? (taker.variadic ? collectTexts : (text: RawWord) => text);
    const parseText: Parse = (word, before) => {
      const text = textOfWord(word);
      if (blankError && isBlank(text)) throw blankError();
      try {
        return parse(expectsInput ? word : text, before);
      } catch (error) {
        throw invalid(taker, text, error);
      }
    };
    textInputParsers.add(parseText);
    taker.argParser<unknown>(parseText);
  }
}
