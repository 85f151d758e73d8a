/** Splits a JSON object while its bytes arrive: the elements of its large list, and the text around it. */
import { membersOf } from "../../common/object-members.ts";
import { parseJson, TooLarge } from "../json.ts";
import type { RecordScanner } from "./record-scanner.ts";
import type { UnparsedRecords } from "./unparsed-records.ts";

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];
const white = [0x20, 0x09, 0x0a, 0x0d];

/** Replaces the list in the text around it. It shows whether a second member has the list's name. */
const placeholder = "[-1e-307]";
const isPlaceholder = (value: unknown) => Array.isArray(value) && value.length === 1 && value[0] === -1e-307;

/** A buffer of unused bytes. Adding bytes rarely copies the others. */
class ByteQueue {
  #room = Buffer.allocUnsafeSlow(128 * 1024);
  #from = 0;
  #to = 0;

  get size(): number {
    return this.#to - this.#from;
  }

  get bytes(): Buffer {
    return this.#room.subarray(this.#from, this.#to);
  }

  add(bytes: Uint8Array): void {
    const size = this.size + bytes.length;
    if (this.#to + bytes.length > this.#room.length) {
      const room = size * 2 > this.#room.length ? Buffer.allocUnsafeSlow(size * 2) : this.#room;
      this.#room.copy(room, 0, this.#from, this.#to);
      [this.#room, this.#from, this.#to] = [room, 0, this.#to - this.#from];
    }
    this.#room.set(bytes, this.#to);
    this.#to += bytes.length;
  }

  drop(count: number): void {
    this.#from += count;
  }

  text(to?: number): string {
    return this.bytes.toString("utf8", 0, to);
  }
}

/** The number of elements that must be parsed before scanning ends: at first, and at most. */
const misses = { first: 16, most: 64 };

/**
 * `push` yields the complete elements of the top-level list `member`: parsed, or unparsed with a scanner. Read it to its
 * end. `end` returns the text of the answer with an empty list. Both accept what `JSON.parse` accepts, and throw
 * `SyntaxError` for anything else, and for two members with that name.
 */
export class Splitter {
  readonly #member: string;
  readonly #queue = new ByteQueue();
  #position: "before" | "named" | "inside" | "after" = "before";
  /** The text before the list. */
  #before = "";
  /** The first byte that was not yet examined one by one. */
  #at = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The begin and end of the last string, with quotes. */
  #string: [number, number] = [0, 0];
  /** An element must follow a comma. */
  #isElementRequired = false;
  /** How often the fast way may still fail. */
  #fastTries = 3;
  #scanner: RecordScanner | undefined;
  #missesLeft = misses.first;

  constructor(member: string, scanner?: RecordScanner) {
    this.#member = JSON.stringify(member);
    this.#scanner = scanner;
  }

  /** The members before the list. Undefined until the list begins. */
  get head(): Record<string, unknown> | undefined {
    return this.#before ? membersOf(parseJson(`${this.#before}${placeholder}}`)) : undefined;
  }

  /** The number of bytes of an incomplete element. */
  get waiting(): number {
    return this.#queue.size;
  }

  *push(bytes: Uint8Array): Generator<readonly unknown[] | UnparsedRecords, void> {
    this.#queue.add(bytes);
    if (this.#position === "before" || this.#position === "named") this.#seek();
    if (this.#position === "inside" && this.#scanner) yield* this.#scanRecords(this.#scanner);
    if (this.#position !== "inside" || this.#scanner) return;
    const many = this.#parseMany();
    if (many) yield many;
    const scanned = this.#scan();
    if (scanned?.length) yield scanned;
  }

  /** Call it after the last `push`. Without such a list it returns the whole answer. */
  end(): string {
    const rest = this.#queue.text();
    if (this.#position === "inside") throw new SyntaxError("The answer ends inside its list");
    if (this.#position !== "after") {
      parseJson(rest);
      return rest;
    }
    const answer = membersOf(parseJson(`${this.#before}${placeholder}${rest}`));
    if (!isPlaceholder(answer[JSON.parse(this.#member)]))
      throw new SyntaxError(`The answer has two members ${this.#member}`);
    return `${this.#before}[]${rest}`;
  }

  /** Looks for the list among the object's members. */
  #seek(): void {
    const { bytes } = this.#queue;
    for (let at = this.#at; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.#position === "named" && !white.includes(byte)) {
        if (byte === openList) {
          this.#before = this.#queue.text(at);
          this.#position = "inside";
          this.#advance(at + 1);
          return;
        }
        this.#position = "before";
      }
      this.#step(byte, at);
      if (byte === colon && this.#depth === 1 && !this.#inString && this.#names(bytes)) this.#position = "named";
    }
    this.#at = bytes.length;
  }

  #names(bytes: Buffer): boolean {
    return bytes.toString("utf8", ...this.#string) === this.#member;
  }

  /** Records strings and brackets. */
  #step(byte: number, at: number): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) {
        this.#inString = false;
        this.#string[1] = at + 1;
      }
    } else if (byte === quote) {
      this.#inString = true;
      this.#string[0] = at;
    } else if (byte === openObject || byte === openList) this.#depth++;
    else if (byte === closeObject || byte === closeList) this.#depth--;
  }

  /** Continues after `count` bytes, between two elements. */
  #advance(count: number): void {
    this.#queue.drop(count);
    this.#at = 0;
    this.#depth = 0;
    this.#inString = false;
    this.#escaped = false;
  }

  /** Scans elements, and parses the others one by one, until there are too many of these. */
  *#scanRecords(scanner: RecordScanner): Generator<readonly unknown[] | UnparsedRecords, void> {
    while (this.#missesLeft > 0) {
      let again = false;
      // Otherwise an element is being parsed.
      if (this.#at === 0) {
        const { unparsed, more } = scanner.scan(this.#queue.bytes);
        if (unparsed) {
          this.#advance(unparsed.bytes.length + 1);
          this.#isElementRequired = true;
          this.#missesLeft = Math.min(misses.most, this.#missesLeft + unparsed.forms.length / 4);
          yield unparsed;
        }
        again = more;
      }
      const one = this.#scan(true);
      if (one?.length) yield one;
      if (!one && again) this.#advance(0);
      if (!one || this.#position === "after") return;
      scanner.learn(one[0]);
      this.#missesLeft--;
    }
    this.#scanner = undefined;
  }

  /**
   * Cuts at the last place that looks like the end of an element. `JSON.parse` fails if it is inside a string, in an
   * inner list or after the list. So no loop over bytes is needed.
   */
  #parseMany(): readonly unknown[] | undefined {
    if (this.#fastTries === 0) return undefined;
    const { bytes } = this.#queue;
    const cut = bytes.lastIndexOf("},{") + 1;
    // The exact way would have cut before `#at`.
    if (cut <= this.#at) return undefined;
    try {
      const elements = this.#parse(cut);
      this.#advance(cut + 1);
      this.#isElementRequired = true;
      this.#fastTries++;
      return elements;
    } catch (error) {
      if (error instanceof TooLarge) throw error;
      this.#fastTries--;
      return undefined;
    }
  }

  #parse(to: number): readonly unknown[] {
    return parseJson(`[${this.#queue.text(to)}]`) as readonly unknown[];
  }

  /** Goes through the bytes to the last comma between elements, or the end of the list. `one`: to the first comma. */
  #scan(one = false): readonly unknown[] | undefined {
    const { bytes } = this.#queue;
    let cut = -1;
    let at = this.#at;
    for (; at < bytes.length && !(one && cut >= 0); at++) {
      const byte = bytes[at]!;
      if (this.#depth === 0 && !this.#inString) {
        if (byte === closeList) {
          const elements = this.#elements(at, !this.#isElementRequired);
          this.#position = "after";
          this.#advance(at + 1);
          return elements;
        }
        if (byte === comma) cut = at;
      }
      this.#step(byte, at);
    }
    this.#at = at;
    if (cut === -1) return undefined;
    const elements = this.#elements(cut, false);
    this.#queue.drop(cut + 1);
    this.#at -= cut + 1;
    this.#isElementRequired = true;
    return elements;
  }

  #elements(to: number, orNone: boolean): readonly unknown[] {
    const elements = this.#parse(to);
    if (!elements.length && !orNone) throw new SyntaxError("An element is missing between two commas");
    return elements;
  }
}
