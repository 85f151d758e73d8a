/** Takes a JSON object apart while its bytes arrive: the elements of its one big list, and what stands around it. */
import { parse, TooMuch } from "./json.ts";

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];
const white = [0x20, 0x09, 0x0a, 0x0d];

/** Stands where the list was taken out; a second member of the list's name is told by it. */
const placeholder = "[-1e-307]";
const isPlaceholder = (value: unknown) => Array.isArray(value) && value.length === 1 && value[0] === -1e-307;

/** Bytes that came and are not used up. Takes a piece without copying what waits already, however much that is. */
class Held {
  #room = Buffer.allocUnsafeSlow(128 * 1024);
  #from = 0;
  #to = 0;

  get bytes(): Buffer {
    return this.#room.subarray(this.#from, this.#to);
  }

  add(bytes: Uint8Array): void {
    const size = this.#to - this.#from + bytes.length;
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

/**
 * Give it the bytes of an answer in pieces of any size: `push` returns the elements of the top-level list `member` that
 * are complete, parsed; `end` returns the text of the answer with that list empty. Together they take what `JSON.parse`
 * takes and throw `SyntaxError` for everything else, when it is met, and `TooMuch`. Two members of that name are refused.
 */
export class Splitter {
  readonly #member: string;
  readonly #held = new Held();
  #place: "before" | "named" | "inside" | "after" = "before";
  /** What came before the list. */
  #before = "";
  /** Up to where the held bytes have been looked at one by one. */
  #at = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Where the last string begins and ends, quotes included. */
  #string: [number, number] = [0, 0];
  /** A comma went before, so an element must follow. */
  #due = false;
  /** What the elements of the last `push` were read from, each a list. */
  texts: string[] = [];
  /** How often the quick way may still fail before it is given up. */
  #luck = 3;

  constructor(member: string) {
    this.#member = JSON.stringify(member);
  }

  /** What stands before the list; undefined until the list begins. */
  get head(): Record<string, unknown> | undefined {
    return this.#before ? (parse(`${this.#before}${placeholder}}`) as Record<string, unknown>) : undefined;
  }

  /** How many bytes have come that are part of nothing complete. */
  get waiting(): number {
    return this.#held.bytes.length;
  }

  push(bytes: Uint8Array): unknown[] {
    this.texts = [];
    this.#held.add(bytes);
    if (this.#place === "before" || this.#place === "named") this.#seek();
    if (this.#place !== "inside") return [];
    const many = this.#quickly();
    const few = this.#exactly();
    return many.length && few.length ? many.concat(few) : many.length ? many : few;
  }

  /** Call once, after the last `push`. Where there was no such list, it is the whole answer that is returned. */
  end(): string {
    const rest = this.#held.text();
    if (this.#place === "inside") throw new SyntaxError("The answer ends inside its list");
    if (this.#place !== "after") {
      parse(rest);
      return rest;
    }
    const answer = parse(`${this.#before}${placeholder}${rest}`) as Record<string, unknown>;
    if (!isPlaceholder(answer[JSON.parse(this.#member) as string]))
      throw new SyntaxError(`The answer has two members ${this.#member}`);
    return `${this.#before}[]${rest}`;
  }

  /** Looks for the list among the object's members. */
  #seek(): void {
    const { bytes } = this.#held;
    for (let at = this.#at; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.#place === "named" && !white.includes(byte)) {
        if (byte === openList) {
          this.#before = this.#held.text(at);
          this.#place = "inside";
          this.#goOn(at + 1);
          return;
        }
        this.#place = "before";
      }
      this.#step(byte, at);
      if (byte === colon && this.#depth === 1 && !this.#inString && this.#names(bytes)) this.#place = "named";
    }
    this.#at = bytes.length;
  }

  #names(bytes: Buffer): boolean {
    return bytes.toString("utf8", ...this.#string) === this.#member;
  }

  /** Keeps in mind where strings and brackets are. */
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

  /** Goes on between two elements, `count` bytes further on. */
  #goOn(count: number): void {
    this.#held.drop(count);
    this.#at = 0;
    this.#depth = 0;
    this.#inString = false;
    this.#escaped = false;
  }

  /**
   * Cuts at the last place that looks like the end of an element. What is cut off parses as a list only where it is
   * one: inside a string, in an inner list or past the end of this one it would not. So the engine's own parser does
   * all the looking, and no loop over bytes is needed.
   */
  #quickly(): unknown[] {
    if (this.#luck === 0) return [];
    const { bytes } = this.#held;
    const cut = bytes.lastIndexOf("},{") + 1;
    // Before `#at` there is none: the exact way would have cut there.
    if (cut <= this.#at) return [];
    try {
      const elements = this.#read(cut);
      this.#goOn(cut + 1);
      this.#due = true;
      this.#luck++;
      return elements;
    } catch (error) {
      if (error instanceof TooMuch) throw error;
      this.#luck--;
      return [];
    }
  }

  #read(to: number): unknown[] {
    const text = `[${this.#held.text(to)}]`;
    const elements = parse(text) as unknown[];
    this.texts.push(text);
    return elements;
  }

  /** Goes over the bytes one by one, to the last comma between elements or the end of the list. */
  #exactly(): unknown[] {
    const { bytes } = this.#held;
    let cut = -1;
    for (let at = this.#at; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.#depth === 0 && !this.#inString) {
        if (byte === closeList) {
          const elements = this.#elements(at, !this.#due);
          this.#place = "after";
          this.#goOn(at + 1);
          return elements;
        }
        if (byte === comma) cut = at;
      }
      this.#step(byte, at);
    }
    this.#at = bytes.length;
    if (cut === -1) return [];
    const elements = this.#elements(cut, false);
    this.#held.drop(cut + 1);
    this.#at -= cut + 1;
    this.#due = true;
    return elements;
  }

  #elements(to: number, orNone: boolean): unknown[] {
    const elements = this.#read(to);
    if (!elements.length && !orNone) throw new SyntaxError("An element is missing between two commas");
    return elements;
  }
}
