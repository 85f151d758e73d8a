/** The bytes of a file as text in which places can be told. */
import type { Place } from "../place.ts";

export interface Source {
  /** Leads to the file; what messages call it. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const newline = 0x0a;
const carriageReturn = 0x0d;

export class SourceText {
  readonly name: string;
  readonly text: string;
  /** Of every so many characters, in which line they stand and where that begins; made once somebody asks. */
  #marks: readonly { readonly line: number; readonly start: number }[] | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  /** Columns count as editors do, in units of UTF-16. */
  place(offset: number): Place {
    this.#marks ??= marksOf(this.text);
    const nearest = Math.floor(offset / apart);
    const { line, start } = linesTo(this.text, nearest * apart, offset, this.#marks[nearest]!);
    return { file: this.name, line, column: offset - start + 1 };
  }
}

/** Characters between two marks. */
const apart = 1 << 14;

/** The line of an offset, from what is known of an earlier one. */
function linesTo(text: string, from: number, offset: number, { line, start }: { line: number; start: number }) {
  for (let at = from; at < offset; at++) {
    const code = text.charCodeAt(at);
    if (code !== newline && (code !== carriageReturn || text.charCodeAt(at + 1) === newline)) continue;
    line++;
    start = at + 1;
  }
  return { line, start };
}

function marksOf(text: string) {
  const marks = [{ line: 1, start: 0 }];
  for (let at = apart; at <= text.length; at += apart) marks.push(linesTo(text, at - apart, at, marks.at(-1)!));
  return marks;
}

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

const begins = (bytes: Uint8Array, ...first: number[]): boolean => first.every((byte, n) => bytes[n] === byte);

/** As much from the start as is UTF-8; a character that the end cuts off does not count. */
function readable(bytes: Uint8Array): string {
  const decoded = (from: number, to: number): string | undefined => {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(from, to), {
        stream: true,
      });
    } catch {
      return undefined;
    }
  };
  let [text, from] = ["", 0];
  for (;;) {
    let to = Math.min(bytes.length, from + apart);
    // Not within a character.
    while (to < bytes.length && to > from + apart - 4 && (bytes[to]! & 0xc0) === 0x80) to--;
    const part = decoded(from, to);
    if (part === undefined || to === bytes.length) break;
    text += part;
    from = to;
  }
  let [low, high] = [from, Math.min(bytes.length, from + apart)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (decoded(from, middle) !== undefined) low = middle;
    else high = middle - 1;
  }
  return text + decoded(from, low)!;
}

/** `wrong` says why it is no text, which begins at the place of `offset`. */
export function textOf({ name, bytes }: Source): { source: SourceText; wrong?: string; offset: number } {
  const unread = (text: string, wrong: string, offset: number) => ({
    source: new SourceText(name, text),
    wrong,
    offset,
  });
  if (begins(bytes, 0xff, 0xfe) || begins(bytes, 0xfe, 0xff))
    return unread("", "the file is UTF-16: save it as UTF-8", 0);
  let text: string;
  try {
    text = decode(bytes);
  } catch {
    const before = readable(bytes);
    return unread(before, "the file is not UTF-8", before.length);
  }
  const nul = text.indexOf("\0");
  if (nul >= 0) return unread(text, "NUL character: the file is not text", nul);
  return { source: new SourceText(name, text), offset: 0 };
}
