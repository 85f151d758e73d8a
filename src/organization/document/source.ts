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
  /** Where lines begin, once somebody asks. */
  #lines: readonly number[] | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  /** Columns count as editors do, in units of UTF-16. */
  place(offset: number): Place {
    this.#lines ??= linesOf(this.text);
    let [low, high] = [0, this.#lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#lines[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: this.name, line: low + 1, column: offset - this.#lines[low]! + 1 };
  }
}

function linesOf(text: string): number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === newline || (code === carriageReturn && text.charCodeAt(at + 1) !== newline)) starts.push(at + 1);
  }
  return starts;
}

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

const begins = (bytes: Uint8Array, ...first: number[]): boolean => first.every((byte, n) => bytes[n] === byte);

/** As much from the start as is UTF-8; a character that the end cuts off does not count. */
function readable(bytes: Uint8Array): string {
  const part = (length: number) =>
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
  const fits = (length: number): boolean => {
    try {
      part(length);
      return true;
    } catch {
      return false;
    }
  };
  let [low, high] = [0, bytes.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return part(low);
}

/** `wrong` says why it is no text, which begins at the place of `offset`. */
export function textOf({ name, bytes }: Source): { source: SourceText; wrong?: string; offset: number } {
  const unread = (text: string, wrong: string, offset: number) => ({
    source: new SourceText(name, text),
    wrong,
    offset,
  });
  if (begins(bytes, 0xff, 0xfe) || begins(bytes, 0xfe, 0xff))
    return unread("", "this is UTF-16; save the file as UTF-8", 0);
  let text: string;
  try {
    text = decode(bytes);
  } catch {
    const before = readable(bytes);
    return unread(before, "this is not UTF-8", before.length);
  }
  const nul = text.indexOf("\0");
  if (nul >= 0) return unread(text, "there is a NUL here: this is no text", nul);
  return { source: new SourceText(name, text), offset: 0 };
}
