/** Values as a command line gives them, and which of their letters were typed: what a column of a file gives is data. */
import { type Argument, type Command, Option } from "commander";

// Half of a surrogate pair: no text that was read as UTF-8 holds one alone, so nobody can have typed it.
const mark = "\udc00";

/** Goes before what a column gives, wherever it stands in a word. */
export const dataMark = mark;

/** The word as it reads. */
export const plain = (word: string): string => (word.includes(mark) ? word.replaceAll(mark, "") : word);

/** True where a column gives a part of it. */
export const holdsData = (word: string): boolean => word.includes(mark);

/** A value that may stand for a file or for stdin, where somebody typed it so. */
export class Given {
  readonly text: string;
  readonly #word: string;

  constructor(word: string) {
    this.#word = word;
    this.text = plain(word);
  }

  /** It begins with these letters, and they were typed. */
  begins(letters: string): boolean {
    return this.#word.startsWith(letters);
  }

  /** A `-` that was typed. */
  get isStdin(): boolean {
    return this.#word === "-";
  }

  /** What stands before the first such sign and what stands behind it; undefined where there is none. */
  cut(sign: string): [before: string, after: Given] | undefined {
    const at = this.#word.indexOf(sign);
    if (at < 0) return undefined;
    return [plain(this.#word.slice(0, at)), new Given(this.#word.slice(at + sign.length))];
  }

  /** A column gives how it begins. */
  get isData(): boolean {
    return this.#word.startsWith(mark);
  }
}

type Parse = (word: string, before: unknown) => unknown;

const seeing = new WeakSet<Parse>();

/** For options and arguments whose value may stand for a file or stdin. */
export const given = (word: string): Given => new Given(word);

/** The same for those that may be given several times. */
export const givens = (word: string, before: Given[] | undefined): Given[] => [...(before ?? []), new Given(word)];

seeing.add(given).add(givens as Parse);

/** An option whose value may stand for a file or stdin: `@file`, `-`. */
export const readable = (flags: string, doc: string): Option => new Option(flags, doc).argParser(given);

const collected = (word: string, before: unknown): unknown[] => [...(Array.isArray(before) ? before : []), word];

function unmarked(taker: Option | Argument): void {
  const { parseArg } = taker as { parseArg?: Parse };
  if (parseArg && seeing.has(parseArg)) return;
  const parse: Parse = parseArg ?? (taker.variadic ? collected : (word) => word);
  const unmarking: Parse = (word, before) => parse(plain(word), before);
  seeing.add(unmarking);
  taker.argParser(unmarking as never);
}

/** Every value of a command but a `Given` is the plain text. */
export function unmark(command: Command): void {
  for (const option of command.options) if (option.required || option.optional) unmarked(option);
  for (const argument of command.registeredArguments) unmarked(argument);
}
