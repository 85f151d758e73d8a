/** Finds the records of a list in its bytes without reading them, where each is written as one that was read before. */
import { fits } from "../fits.ts";
import { isTooDeep } from "../json.ts";
import type { Type } from "../types.ts";
import { type Form, formOf, type KnownForm, nothing, text, truth, whole } from "./form.ts";
import type { Skimmed } from "./skimmed.ts";

const [quote, comma, open, close] = [0x22, 0x2c, 0x7b, 0x7d];
const [openList, closeList, backslash] = [0x5b, 0x5d, 0x5c];
const [zero, nine] = [0x30, 0x39];
const [beginTrue, beginFalse, beginNull] = [0x74, 0x66, 0x6e];
/** `true`, `alse`, `null` as numbers of four bytes. */
const word = (letters: string) => Buffer.from(letters).readUInt32LE();
const [wordTrue, wordAlse, wordNull] = [word("true"), word("alse"), word("null")];

/** Bytes that stand for themselves in a text. */
const plain = new Uint8Array(256);
for (let byte = 0x20; byte < 0x7f; byte++) plain[byte] = byte === quote || byte === backslash ? 0 : 1;

const mostForms = 8;
/** Numbers of so many digits are below 2^53. */
const mostDigits = 15;
/** A value is looked for so far, and what is told of values is kept for so many. */
const [longest, mostKept] = [4096, 1000];

/** Results of a look at a record. */
const [other, unfinished] = [0, -1];

/**
 * Knows the forms of records that were read, and finds others of these forms in the bytes of a list. What it is in doubt
 * about it leaves alone: white space, escapes that need not be, numbers in another form, hazards.
 */
export class Skimmer {
  readonly #type: Type;
  readonly #harmless: (text: string) => boolean;
  readonly #forms: KnownForm[] = [];
  #last: KnownForm | undefined;
  #places: number[] = [];
  #used = 0;
  /** Of 64 letters each: whether all are harmless. 0 where nobody asked yet, 1 where they are. */
  readonly #blocks = new Uint8Array(0x110000 / 64);
  readonly #proven = new Map<string, boolean>();
  #bytes: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(this.#bytes.buffer);

  /** Of letters beyond ASCII `harmless` ones alone are let through. */
  constructor(type: Type, harmless: (text: string) => boolean) {
    this.#type = type;
    this.#harmless = harmless;
  }

  /** Records of this one's form are known from now on. */
  learn(record: unknown): void {
    if (typeof record !== "object" || record === null || Array.isArray(record) || !fits(this.#type)(record)) return;
    const names = Object.keys(record);
    const known = (form: Form) =>
      form.names.length === names.length && form.names.every((name, at) => name === names[at]);
    if (this.#forms.some(known)) return;
    const form = formOf(names, this.#type);
    if (!form) return;
    if (this.#forms.length === mostForms) this.#forms.shift();
    this.#forms.push(form);
  }

  /**
   * The records at the beginning of the bytes that are of known forms; the comma behind the last of them is none of
   * theirs. `more`: the next record may be one of them as well, when the rest of it is there.
   */
  skim(bytes: Buffer): { skimmed: Skimmed | undefined; more: boolean } {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    // Not one that is used again: what it leaves behind makes the engine collect the network's buffers in time.
    this.#places = [];
    this.#used = 0;
    const forms: Form[] = [];
    let to = 0;
    let next = this.#next(to);
    for (; next > 0; next = this.#next(to)) {
      forms.push(this.#last!);
      to = next;
    }
    const more = next === unfinished && bytes.length - to < longest;
    if (!forms.length) return { skimmed: undefined, more };
    // Of one that broke off.
    this.#places.length = this.#used;
    const skimmed = { bytes: bytes.subarray(0, to - 1), forms, places: this.#places };
    return { skimmed, more };
  }

  /** Where the next record begins, if the one here is of a known form. */
  #next(at: number): number {
    const last = this.#last;
    let found = last ? this.#match(last, at) : other;
    for (const form of this.#forms) {
      if (found !== other) return found;
      if (form === last) continue;
      this.#last = form;
      found = this.#match(form, at);
    }
    return found;
  }

  #match(form: KnownForm, begin: number): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const { words, from, lengths, short, sure, names } = form;
    const standing = plain;
    const to = bytes.length;
    const count = names.length;
    const places = this.#places;
    let used = this.#used;
    let at = begin;
    for (let member = 0; member < count; member++) {
      const length = lengths[member]!;
      const value = at + length;
      // Whatever is compared below as a number is there.
      if (value + 8 > to) return unfinished;
      if (length < 8) {
        if (view.getUint32(at, true) !== short[2 * member]) return other;
        if (view.getUint32(value - 4, true) !== short[2 * member + 1]) return other;
      } else {
        const end = from[member + 1]! - 1;
        for (let word = from[member]!; word < end; word++, at += 8)
          if (view.getFloat64(at, true) !== words[word]) return other;
        if (view.getFloat64(value - 8, true) !== words[end]) return other;
      }
      at = value;
      const first = bytes[at]!;
      const kinds = sure[member]!;
      let told = false;
      if (first === quote) {
        at++;
        for (;;) {
          // Four bytes at a time, as long as each is below 0x7F and none is a control, a quote or a backslash.
          for (; at + 4 <= to; at += 4) {
            const four = view.getInt32(at, true);
            const odd =
              four |
              (four - 0x20202020) |
              (four + 0x01010101) |
              ((four ^ 0x22222222) - 0x01010101) |
              ((four ^ 0x5c5c5c5c) - 0x01010101);
            if ((odd & 0x80808080) !== 0) break;
          }
          while (at < to && standing[bytes[at]!] === 1) at++;
          if (at + 4 > to) return unfinished;
          if (bytes[at]! < 0x80) break;
          const size = this.#letter(at);
          if (size === 0) return other;
          at += size;
        }
        if (bytes[at] === quote && (kinds & text) !== 0) {
          at++;
          told = true;
        }
      } else if (first >= zero && first <= nine) {
        at++;
        if (first !== zero) while (at < to && bytes[at]! >= zero && bytes[at]! <= nine) at++;
        const next = bytes[at];
        told = (kinds & whole) !== 0 && at - value <= mostDigits && (next === comma || next === close);
      } else if (first === beginTrue) {
        told = (kinds & truth) !== 0 && view.getUint32(at, true) === wordTrue;
        at += 4;
      } else if (first === beginFalse) {
        told = (kinds & truth) !== 0 && view.getUint32(at + 1, true) === wordAlse;
        at += 5;
      } else if (first === beginNull) {
        told = (kinds & nothing) !== 0 && view.getUint32(at, true) === wordNull;
        at += 4;
      }
      if (!told) {
        at = this.#proved(form, member, value);
        if (at <= 0) return at;
      }
      places[used] = value;
      places[used + 1] = at;
      used += 2;
    }
    if (at + 2 > to) return unfinished;
    if (bytes[at] !== close || bytes[at + 1] !== comma) return other;
    this.#used = used;
    return at + 2;
  }

  /** How many bytes the letter beyond ASCII takes that begins here, if it is a harmless one; four bytes are there. */
  #letter(at: number): number {
    const bytes = this.#bytes;
    const first = bytes[at]!;
    const size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (size === 0) return 0;
    let code = first & (0xff >> (size + 1));
    for (let next = at + 1; next < at + size; next++) {
      if ((bytes[next]! & 0xc0) !== 0x80) return 0;
      code = (code << 6) | (bytes[next]! & 0x3f);
    }
    // What could be told in fewer bytes is no UTF-8, and neither is what lies beyond all letters.
    if (code < (size === 2 ? 0x80 : size === 3 ? 0x800 : 0x10000) || code > 0x10ffff) return 0;
    const block = code >> 6;
    if (this.#blocks[block] === 0) {
      const letters = Array.from({ length: 64 }, (_, nth) => String.fromCodePoint(block * 64 + nth));
      this.#blocks[block] = this.#harmless(letters.join("")) ? 1 : 2;
    }
    return this.#blocks[block] === 1 || this.#harmless(String.fromCodePoint(code)) ? size : 0;
  }

  /** Where a value ends that reading proves to have its type, and to be written as it would be anew. */
  #proved(form: KnownForm, member: number, from: number): number {
    const to = endOf(this.#bytes, from);
    if (to <= 0) return to;
    const value = this.#bytes.toString("utf8", from, to);
    const key = `${form.names[member]} ${value}`;
    let proven = this.#proven.get(key);
    if (proven === undefined) {
      proven = this.#isProved(value, form.fits[member]!);
      if (this.#proven.size === mostKept) this.#proven.clear();
      this.#proven.set(key, proven);
    }
    return proven ? to : other;
  }

  #isProved(value: string, fitting: (value: unknown) => boolean): boolean {
    let read: unknown;
    try {
      read = JSON.parse(value);
    } catch {
      return false;
    }
    // Bytes that are no UTF-8 have become U+FFFD.
    if (isTooDeep(read) || value.includes("\uFFFD") || !this.#harmless(value)) return false;
    return JSON.stringify(read) === value && fitting(read);
  }
}

/** Behind the value that begins here, if it is one. */
function endOf(bytes: Buffer, from: number): number {
  let depth = 0;
  let inText = false;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (inText) {
      if (byte === backslash) at++;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === open || byte === openList) depth++;
    else if (depth === 0 && (byte === comma || byte === close || byte === closeList)) return at > from ? at : other;
    else if (byte === close || byte === closeList) depth--;
    if (at - from > longest) return other;
  }
  return unfinished;
}
