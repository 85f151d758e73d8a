/**
 * Events of the YAML that exports and most people write: each line is an entry, or belongs to a block of text. The library
 * reads all of YAML, one character after the other, which takes six times as long: for a small organization that is a
 * tenth of what a plan takes.
 */
import { CHOMPING_MODE, COLLECTION_STYLE, EVENT_ID, type Event, SCALAR_STYLE } from "js-yaml";

/** Tabs, other ends of lines, and characters that nobody sees: the library knows what they mean, or has words for them. */
const strange = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

const key = String.raw`[A-Za-z_]\w*(?:[ -]\w+)*`;
const plain = String.raw`[^\s\-?:,[\]{}#&*!|>'"%@\x60](?:[^ \n:]|:(?![ \n])| +(?=[^ \n#]))*`;
const double = String.raw`"(?:[^"\\\n]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"`;
const single = String.raw`'(?:[^'\n]|'')*'`;
const value = [plain, double, single, String.raw`\[\]`, String.raw`\{\}`, String.raw`\|[-+]?`].join("|");

/** Blanks, the mark of a list's entry, a key, blanks, a value, a comment: each may be missing. */
const entry = new RegExp(
  String.raw`( *)(- |-(?=\n))?(?:(${key}):(?=[ \n]))?( *)(${value})? *(?:(?<![^ \n])#[^\n]*)?\n`,
  "y",
);
const blockLine = /( *)([^\n]*)\n/y;

/** Characters: what is tried on a line in vain may take some times its length. */
const longest = 10_000;

const deepest = 20;

interface Level {
  readonly list: boolean;
  readonly column: number;
}

const bare = { anchorStart: -1, anchorEnd: -1, tagStart: -1, tagEnd: -1 };

class Lines {
  readonly #text: string;
  readonly #events: Event[] = [{ type: EVENT_ID.DOCUMENT, explicitStart: false, explicitEnd: false, directives: [] }];
  readonly #levels: Level[] = [];
  /** The entry that was read last has no value so far. */
  #open = true;
  /** Where the next line begins. */
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  events(): Event[] | undefined {
    while (this.#at < this.#text.length) if (!this.#line()) return undefined;
    if (!this.#levels.length) return undefined;
    if (this.#open) this.#scalar(-1, -1);
    while (this.#levels.length) this.#close();
    this.#pop();
    return this.#events;
  }

  /** False where it may be something else than an entry. */
  #line(): boolean {
    const start = this.#at;
    if (this.#text.indexOf("\n", start) - start > longest) return false;
    entry.lastIndex = start;
    const found = entry.exec(this.#text);
    if (!found) return false;
    this.#at = entry.lastIndex;
    const [, { length: column } = "", mark, key, { length: gap } = "", value] = found;
    if (mark === undefined && key === undefined) return value === undefined;
    if (!this.#goTo({ list: mark !== undefined, column }, start + column)) return false;
    let at = start + column + (mark?.length ?? 0);
    this.#open = true;
    if (key !== undefined) {
      if (mark !== undefined) this.#begin({ list: false, column: column + mark.length }, at);
      this.#scalar(at, at + key.length);
      at += key.length + 1;
    }
    if (value === undefined) return true;
    this.#open = false;
    return this.#value(value, at + gap);
  }

  /** To where the entry of a line belongs: into what is new, or behind what it is no part of. */
  #goTo(level: Level, start: number): boolean {
    const { list, column } = level;
    const last = this.#levels.at(-1);
    if (this.#open) {
      if (!last || column > last.column || (column === last.column && list && !last.list)) {
        this.#begin(level, start);
        return this.#levels.length < deepest;
      }
      this.#scalar(-1, -1);
    }
    let top = last;
    // The entries of a list may stand below the key that it belongs to.
    while (top && (top.column > column || (top.column === column && top.list && !list))) {
      this.#close();
      top = this.#levels.at(-1);
    }
    return top !== undefined && top.column === column && top.list === list;
  }

  #begin(level: Level, start: number): void {
    this.#levels.push(level);
    const type = level.list ? EVENT_ID.SEQUENCE : EVENT_ID.MAPPING;
    this.#events.push({ type, start, ...bare, style: COLLECTION_STYLE.BLOCK });
  }

  #close(): void {
    this.#levels.pop();
    this.#pop();
  }

  #pop(): void {
    this.#events.push({ type: EVENT_ID.POP });
  }

  /** A text without quotes; one that is not there begins and ends nowhere. */
  #scalar(valueStart: number, valueEnd: number): void {
    const style = SCALAR_STYLE.PLAIN;
    const fast = valueStart >= 0;
    const chomping = CHOMPING_MODE.CLIP;
    this.#events.push({ type: EVENT_ID.SCALAR, valueStart, valueEnd, ...bare, style, chomping, indent: -1, fast });
  }

  #value(value: string, start: number): boolean {
    const end = start + value.length;
    switch (value[0]) {
      case '"':
        this.#quoted(start, end, SCALAR_STYLE.DOUBLE_QUOTED, !value.includes("\\"));
        return true;
      case "'":
        this.#quoted(start, end, SCALAR_STYLE.SINGLE_QUOTED, value.indexOf("''", 1) < 0);
        return true;
      case "[":
      case "{": {
        const type = value === "[]" ? EVENT_ID.SEQUENCE : EVENT_ID.MAPPING;
        this.#events.push({ type, start, ...bare, style: COLLECTION_STYLE.FLOW });
        this.#pop();
        return true;
      }
      case "|":
        return this.#block(value);
      default:
        this.#scalar(start, end);
        return true;
    }
  }

  #quoted(
    start: number,
    end: number,
    style: typeof SCALAR_STYLE.DOUBLE_QUOTED | typeof SCALAR_STYLE.SINGLE_QUOTED,
    fast: boolean,
  ): void {
    const chomping = CHOMPING_MODE.CLIP;
    this.#events.push({
      type: EVENT_ID.SCALAR,
      valueStart: start + 1,
      valueEnd: end - 1,
      ...bare,
      style,
      chomping,
      indent: -1,
      fast,
    });
  }

  /** The lines of a text below its mark. */
  #block(mark: string): boolean {
    const valueStart = this.#at;
    let indent: number | undefined;
    for (; this.#at < this.#text.length; this.#at = blockLine.lastIndex) {
      blockLine.lastIndex = this.#at;
      const [, { length: column } = "", rest] = blockLine.exec(this.#text)!;
      // Blank lines before it may say how deep it is.
      if (indent === undefined && (!rest || column <= this.#levels.at(-1)!.column)) return false;
      indent ??= column;
      if (rest && column < indent) break;
    }
    if (indent === undefined) return false;
    const chomping = mark === "|-" ? CHOMPING_MODE.STRIP : mark === "|+" ? CHOMPING_MODE.KEEP : CHOMPING_MODE.CLIP;
    this.#events.push({
      type: EVENT_ID.SCALAR,
      valueStart,
      valueEnd: this.#at,
      ...bare,
      style: SCALAR_STYLE.LITERAL_BLOCK,
      chomping,
      indent,
      fast: false,
    });
    return true;
  }
}

/**
 * What the library gives; undefined where a line may mean something else than it seems to, and where anything is wrong:
 * that is for the library to read, and to tell.
 */
export const eventsOfLines = (text: string): Event[] | undefined =>
  text.endsWith("\n") && !strange.test(text) ? new Lines(text).events() : undefined;
