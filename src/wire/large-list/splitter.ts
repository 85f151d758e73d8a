/** Takes a JSON object apart while its bytes arrive: the elements of its one big list, and what stands around it. */
import { parseJson, TooMuch } from "../json.ts";
import type { Skimmed } from "./skimmed.ts";
import type { Skimmer } from "./skimmer.ts";

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

/** How many elements that cannot be skimmed are met before it is given up, and how many at most. */
const patience = { first: 16, most: 64 };

/**
 * Give it the bytes of an answer in pieces of any size: `push` gives the elements of the top-level list `member` that are
 * complete, parsed or, with a skimmer, skimmed, and must be read to its end; `end` returns the text of the answer with
 * that list empty. Together they take what `JSON.parse` takes and throw `SyntaxError` for everything else, when it is
 * met. Two members of that name are refused.
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
  /** How often the quick way may still fail before it is given up. */
  #luck = 3;
  #skimmer: Skimmer | undefined;
  #patience = patience.first;

  constructor(member: string, skimmer?: Skimmer) {
    this.#member = JSON.stringify(member);
    this.#skimmer = skimmer;
  }

  /** What stands before the list; undefined until the list begins. */
  get head(): Record<string, unknown> | undefined {
    return this.#before ? (parseJson(`${this.#before}${placeholder}}`) as Record<string, unknown>) : undefined;
  }

  /** How many bytes have come that are part of nothing complete. */
  get waiting(): number {
    return this.#held.size;
  }

  *push(bytes: Uint8Array): Generator<readonly unknown[] | Skimmed, void> {
    this.#held.add(bytes);
    if (this.#place === "before" || this.#place === "named") this.#seek();
    if (this.#place === "inside" && this.#skimmer) yield* this.#skim(this.#skimmer);
    if (this.#place !== "inside" || this.#skimmer) return;
    const many = this.#quickly();
    if (many) yield many;
    const few = this.#exactly();
    if (few?.length) yield few;
  }

  /** Call once, after the last `push`. Where there was no such list, it is the whole answer that is returned. */
  end(): string {
    const rest = this.#held.text();
    if (this.#place === "inside") throw new SyntaxError("The answer ends inside its list");
    if (this.#place !== "after") {
      parseJson(rest);
      return rest;
    }
    const answer = parseJson(`${this.#before}${placeholder}${rest}`) as Record<string, unknown>;
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

  /** Skims, and reads what cannot be skimmed one by one, until there is too much of that. */
  *#skim(skimmer: Skimmer): Generator<readonly unknown[] | Skimmed, void> {
    while (this.#patience > 0) {
      let again = false;
      // Elsewhere an element has been begun that is read.
      if (this.#at === 0) {
        const { skimmed, more } = skimmer.skim(this.#held.bytes);
        if (skimmed) {
          this.#goOn(skimmed.bytes.length + 1);
          this.#due = true;
          this.#patience = Math.min(patience.most, this.#patience + skimmed.forms.length / 4);
          yield skimmed;
        }
        again = more;
      }
      const one = this.#exactly(true);
      if (one?.length) yield one;
      if (!one && again) this.#goOn(0);
      if (!one || this.#place === "after") return;
      skimmer.learn(one[0]);
      this.#patience--;
    }
    this.#skimmer = undefined;
  }

  /**
   * Cuts at the last place that looks like the end of an element. What is cut off parses as a list only where it is
   * one: inside a string, in an inner list or past the end of this one it would not. So the engine's own parser does
   * all the looking, and no loop over bytes is needed.
   */
  #quickly(): readonly unknown[] | undefined {
    if (this.#luck === 0) return undefined;
    const { bytes } = this.#held;
    const cut = bytes.lastIndexOf("},{") + 1;
    // Before `#at` there is none: the exact way would have cut there.
    if (cut <= this.#at) return undefined;
    try {
      const elements = this.#read(cut);
      this.#goOn(cut + 1);
      this.#due = true;
      this.#luck++;
      return elements;
    } catch (error) {
      if (error instanceof TooMuch) throw error;
      this.#luck--;
      return undefined;
    }
  }

  #read(to: number): readonly unknown[] {
    return parseJson(`[${this.#held.text(to)}]`) as readonly unknown[];
  }

  /** Goes over the bytes one by one, to the last comma between elements, the first where `one` is wanted, or the end of the list. */
  #exactly(one = false): readonly unknown[] | undefined {
    const { bytes } = this.#held;
    let cut = -1;
    let at = this.#at;
    for (; at < bytes.length && !(one && cut >= 0); at++) {
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
    this.#at = at;
    if (cut === -1) return undefined;
    const elements = this.#elements(cut, false);
    this.#held.drop(cut + 1);
    this.#at -= cut + 1;
    this.#due = true;
    return elements;
  }

  #elements(to: number, orNone: boolean): readonly unknown[] {
    const elements = this.#read(to);
    if (!elements.length && !orNone) throw new SyntaxError("An element is missing between two commas");
    return elements;
  }
}
