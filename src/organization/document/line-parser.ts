/**
 * Parses YAML as `org export` writes it: block mappings, lists, and values of one line or in `|`. This is many times
 * faster than the library, with a fraction of its memory. Whatever is written in another way is left to the library.
 */
import { type Part, type SourceText, setParts } from "./places.ts";

/** Deeper files are left to the library, which reports them. */
const maxDepth = 20;

/** These mean more than a text in many places. */
const special = /[\t\r\ufeff]/;

/** Double quotes with escapes that JSON has too. Regular expressions fail for extreme lengths, and longer keys are invalid. */
const key = /("(?:[^"\\\n]|\\["\\nt]){0,1000}"|[\p{L}_][^\n:#"']{0,1000}(?<! )):(?=[ \n])/uy;
const quoted = /"(?:[^"\\\n]|\\["\\nt]){0,9999}"|'(?:[^'\n]|''){0,9999}'/y;
const keyword = /^(?:true|false|null)$/i;
const indicator = /^[-?:,[\]{}#&*!|>'"%@`~]/;
const integer = /^(?:0|[1-9]\d{0,14})$/;
const otherNumber = /^(?:[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|\.inf)|\.nan|0o[0-7]+|0x[\da-f]+)$/i;
const header = /^\|(-?)$/;

/** The text needs the library. */
class Unsupported extends Error {}

class LineParser {
  readonly #source: SourceText;
  readonly #text: string;
  /** The offset and the column of the next value, key or "-". The column is -1 at the end. */
  #at = 0;
  #column = 0;

  constructor(source: SourceText) {
    this.#source = source;
    this.#text = source.text;
    this.#skipTo(0);
  }

  document(): unknown {
    if (this.#column !== 0 || this.#key() === undefined) throw new Unsupported();
    const value = this.#value(0);
    if (this.#column >= 0) throw new Unsupported();
    return value;
  }

  #part(value: number, of = value): Part {
    return { source: this.#source, value, key: of };
  }

  /** Goes to the first line from an offset on that is neither empty nor a comment. */
  #skipTo(lineStart: number): void {
    for (let start = lineStart; start < this.#text.length; start = this.#lineEnd(start) + 1) {
      this.#at = this.#afterSpaces(start);
      this.#column = this.#at - start;
      const first = this.#text[this.#at];
      if (first !== undefined && first !== "\n" && first !== "#") return;
    }
    this.#column = -1;
  }

  #afterSpaces(from: number): number {
    let at = from;
    while (this.#text[at] === " ") at++;
    return at;
  }

  #lineEnd(from: number): number {
    const end = this.#text.indexOf("\n", from);
    return end < 0 ? this.#text.length : end;
  }

  /** Returns the key at the cursor, and the offset after its colon. */
  #key(): { name: string; end: number } | undefined {
    key.lastIndex = this.#at;
    const [found = "", text] = key.exec(this.#text) ?? [];
    if (text === undefined) return undefined;
    const name: string = text.startsWith('"') ? JSON.parse(text) : text;
    if (name in {} || keyword.test(text)) throw new Unsupported();
    return { name, end: this.#at + found.length };
  }

  #isDash(): boolean {
    const next = this.#text[this.#at + 1];
    return this.#text[this.#at] === "-" && (next === " " || next === "\n");
  }

  #value(depth: number): unknown {
    if (depth > maxDepth) throw new Unsupported();
    if (this.#isDash()) return this.#list(depth);
    return this.#key() === undefined ? this.#scalar() : this.#mapping(depth);
  }

  /** Goes to what follows a key or "-". Returns whether it is on the same line. */
  #enter(after: number, column: number): boolean {
    const at = this.#afterSpaces(after);
    if (this.#text[at] === "\n") {
      this.#skipTo(at + 1);
      return false;
    }
    this.#column = column + at - this.#at;
    this.#at = at;
    return true;
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = [];
    const places: number[] = [];
    const column = this.#column;
    while (this.#column === column && this.#isDash()) {
      this.#enter(this.#at + 1, column);
      if (this.#column <= column) throw new Unsupported();
      places.push(this.#at);
      list.push(this.#value(depth + 1));
    }
    setParts(list, (n) => {
      const place = places[Number(n)];
      return place === undefined ? undefined : this.#part(place);
    });
    return list;
  }

  #mapping(depth: number): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    const parts = new Map<string, Part>();
    const column = this.#column;
    for (let found = this.#key(); found; found = this.#column === column ? this.#key() : undefined) {
      const { name, end } = found;
      if (parts.has(name)) throw new Unsupported();
      const start = this.#at;
      const isInline = this.#enter(end, column);
      const isInside = this.#column > column || (this.#column === column && this.#isDash());
      if (!isInside) throw new Unsupported();
      parts.set(name, this.#part(this.#at, start));
      value[name] = isInline ? this.#scalar(column) : this.#value(depth + 1);
    }
    setParts(value, (step) => parts.get(String(step)));
    return value;
  }

  /** Reads a value of one line, or a block after `|`. A text on several lines is deeper than its key, and unsupported. */
  #scalar(column?: number): unknown {
    const start = this.#at;
    const end = this.#lineEnd(start);
    quoted.lastIndex = start;
    const [text] = quoted.exec(this.#text) ?? [];
    const line = this.#text.slice(start + (text?.length ?? 0), end);
    const rest = withoutComment(line);
    this.#skipTo(end + 1);
    if (text !== undefined) {
      if (rest) throw new Unsupported();
      return text.startsWith('"') ? JSON.parse(text) : text.slice(1, -1).replaceAll("''", "'");
    }
    const block = header.exec(line);
    if (block && column !== undefined) return this.#block(end + 1, column, !block[1]);
    return plainValue(rest);
  }

  /** Reads the lines of a `|`. */
  #block(from: number, column: number, hasLineBreak: boolean): string {
    const indent = this.#afterSpaces(from) - from;
    if (indent <= column || this.#text[from + indent] === "\n") throw new Unsupported();
    const lines: string[] = [];
    let start = from;
    for (; start < this.#text.length; start = this.#lineEnd(start) + 1) {
      const line = this.#text.slice(start, this.#lineEnd(start));
      const spaces = this.#afterSpaces(start) - start;
      if (spaces === line.length ? spaces > 0 : spaces < indent) break;
      lines.push(line.slice(indent));
    }
    // The library knows what a line of spaces means, and a last line without an end.
    if (/^ +(?:\n|$)/.test(this.#text.slice(start)) || !this.#text.endsWith("\n")) throw new Unsupported();
    this.#skipTo(start);
    while (lines.at(-1) === "") lines.pop();
    return lines.join("\n") + (hasLineBreak ? "\n" : "");
  }
}

/** Removes a comment, and the spaces before it. */
function withoutComment(line: string): string {
  const comment = line.search(/ #/);
  let end = comment < 0 ? line.length : comment;
  while (line[end - 1] === " ") end--;
  return line.slice(0, end);
}

/** Returns the value of an unquoted text. */
function plainValue(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  if (text === "[]") return [];
  if (text === "{}") return {};
  if (integer.test(text)) return Number(text);
  const isText =
    text && !indicator.test(text) && !keyword.test(text) && !otherNumber.test(text) && !/:(?: |$)/.test(text);
  if (!isText) throw new Unsupported();
  return text;
}

/** Returns the value in a text, with the places of its parts. Undefined if the text needs the library. */
export function parseLines(source: SourceText): unknown {
  if (special.test(source.text)) return undefined;
  try {
    return new LineParser(source).document();
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return undefined;
  }
}
