/** Finds records in the bytes of a list without parsing them: step 3 of `unparsed-records.ts`. */
import { fits } from "../fits.ts";
import { isTooDeep } from "../json.ts";
import type { Type } from "../types.ts";
import {
  booleanKind,
  formOf,
  integerKind,
  type KnownForm,
  nullKind,
  type RecordForm,
  textKind,
} from "./record-form.ts";
import type { UnparsedRecords } from "./unparsed-records.ts";

const [quote, comma, open, close] = [0x22, 0x2c, 0x7b, 0x7d];
const [openList, closeList, backslash] = [0x5b, 0x5d, 0x5c];
const [zero, nine] = [0x30, 0x39];
const [beginTrue, beginFalse, beginNull] = [0x74, 0x66, 0x6e];
/** `true`, `alse`, `null` as numbers of four bytes. */
const word = (letters: string) => Buffer.from(letters).readUInt32LE();
const [wordTrue, wordAlse, wordNull] = [word("true"), word("alse"), word("null")];

/** ASCII characters that need no escape. */
const plain = new Uint8Array(256);
for (let byte = 0x20; byte < 0x7f; byte++) plain[byte] = byte === quote || byte === backslash ? 0 : 1;

const maxForms = 8;
/** Numbers of so many digits are below 2^53. */
const maxDigits = 15;
/** The longest value that is parsed here, and the number of values whose results are kept. */
const [maxValueLength, maxCached] = [4096, 1000];

/** Results instead of an end: another form, and an incomplete record. */
const [other, unfinished] = [0, -1];

export class RecordScanner {
  readonly #type: Type;
  readonly #isHarmless: (text: string) => boolean;
  readonly #forms: KnownForm[] = [];
  #last: KnownForm | undefined;
  #places: number[] = [];
  #used = 0;
  /** Results for values that were parsed, by member and value. */
  readonly #checked = new Map<string, boolean>();
  #bytes: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(this.#bytes.buffer);

  /** Texts with other than `harmless` characters are parsed. */
  constructor(type: Type, harmless: (text: string) => boolean) {
    this.#type = type;
    this.#isHarmless = harmless;
  }

  /** Learns the form of a parsed record. */
  learn(record: unknown): void {
    if (typeof record !== "object" || record === null || Array.isArray(record) || !fits(this.#type)(record)) return;
    const names = Object.keys(record);
    const known = (form: RecordForm) =>
      form.names.length === names.length && form.names.every((name, at) => name === names[at]);
    if (this.#forms.some(known)) return;
    const form = formOf(names, this.#type);
    if (!form) return;
    if (this.#forms.length === maxForms) this.#forms.shift();
    this.#forms.push(form);
  }

  /**
   * Returns the first records that have known forms, without the comma after them. `more`: the next record is
   * incomplete and may have a known form.
   */
  scan(bytes: Buffer): { unparsed: UnparsedRecords | undefined; more: boolean } {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    // A new array each time: its garbage makes V8 release network buffers early.
    this.#places = [];
    this.#used = 0;
    const forms: RecordForm[] = [];
    let to = 0;
    let next = this.#next(to);
    for (; next > 0; next = this.#next(to)) {
      forms.push(this.#last!);
      to = next;
    }
    const more = next === unfinished && bytes.length - to < maxValueLength;
    if (!forms.length) return { unparsed: undefined, more };
    // Remove the values of an incomplete record.
    this.#places.length = this.#used;
    const unparsed = { bytes: bytes.subarray(0, to - 1), forms, places: this.#places };
    return { unparsed, more };
  }

  /** Returns where the next record begins, if the one here has a known form. */
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
    const { words, from, lengths, short, names } = form;
    const to = bytes.length;
    const count = names.length;
    const places = this.#places;
    let used = this.#used;
    let at = begin;
    for (let member = 0; member < count; member++) {
      const length = lengths[member]!;
      const value = at + length;
      // The numbers below are within the bytes.
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
      const kinds = form.sure[member]!;
      let sure = false;
      if (first === quote) {
        at++;
        // Four bytes at a time, while each is below 0x7F and none is a control, a quote or a backslash.
        for (; at + 4 <= to; at += 4) {
          const four = view.getInt32(at, true);
          const special =
            four |
            (four - 0x20202020) |
            (four + 0x01010101) |
            ((four ^ 0x22222222) - 0x01010101) |
            ((four ^ 0x5c5c5c5c) - 0x01010101);
          if ((special & 0x80808080) !== 0) break;
        }
        while (at < to && plain[bytes[at]!] === 1) at++;
        if (at + 4 > to) return unfinished;
        sure = bytes[at] === quote && (kinds & textKind) !== 0;
        at++;
      } else if (first >= zero && first <= nine) {
        at++;
        if (first !== zero) while (at < to && bytes[at]! >= zero && bytes[at]! <= nine) at++;
        const next = bytes[at];
        sure = (kinds & integerKind) !== 0 && at - value <= maxDigits && (next === comma || next === close);
      } else if (first === beginTrue) {
        sure = (kinds & booleanKind) !== 0 && view.getUint32(at, true) === wordTrue;
        at += 4;
      } else if (first === beginFalse) {
        sure = (kinds & booleanKind) !== 0 && view.getUint32(at + 1, true) === wordAlse;
        at += 5;
      } else if (first === beginNull) {
        sure = (kinds & nullKind) !== 0 && view.getUint32(at, true) === wordNull;
        at += 4;
      }
      if (!sure) {
        at = this.#checkedEnd(form, member, value);
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

  /** Parses a value. Returns its end if it has its type, and `JSON.stringify` would write the same. */
  #checkedEnd(form: KnownForm, member: number, from: number): number {
    const to = endOf(this.#bytes, from);
    if (to <= 0) return to;
    const value = this.#bytes.toString("utf8", from, to);
    const key = `${form.names[member]} ${value}`;
    let known = this.#checked.get(key);
    if (known === undefined) {
      known = this.#isCanonical(value, form.fits[member]!);
      if (this.#checked.size === maxCached) this.#checked.clear();
      this.#checked.set(key, known);
    }
    return known ? to : other;
  }

  #isCanonical(value: string, fitting: (value: unknown) => boolean): boolean {
    let parsed: unknown;
    try {
      parsed = JSON.parse(value);
    } catch {
      return false;
    }
    // Invalid UTF-8 was decoded as U+FFFD.
    if (isTooDeep(parsed) || value.includes("\uFFFD") || !this.#isHarmless(value)) return false;
    return JSON.stringify(parsed) === value && fitting(parsed);
  }
}

/** Returns the end of the value that begins here. */
function endOf(bytes: Buffer, from: number): number {
  let depth = 0;
  let inText = false;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inText) {
      if (byte === backslash) at++;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === open || byte === openList) depth++;
    else if (depth === 0 && (byte === comma || byte === close || byte === closeList)) return at > from ? at : other;
    else if (byte === close || byte === closeList) depth--;
    if (at - from > maxValueLength) return other;
  }
  return unfinished;
}
