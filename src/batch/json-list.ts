/** Reads the items of a JSON list, one after the other, with the place of each. */

import { quoteWord } from "../common/shell-words.ts";
import { MiB } from "../common/unit-sizes.ts";
import { Usage } from "../errors.ts";
import { readJson, type TextPosition } from "../notation/read-json.ts";
import type { InputLine } from "./input.ts";

interface ListItem {
  /** The line on which it begins. */
  line: number;
  /** As it stands in the file. */
  raw: string;
  value: unknown;
}

/** The largest item in characters, as for records of CSV. */
const maxItemLength = 16 * MiB;

/** An item that is being read. */
interface Open extends TextPosition {
  raw: string;
  /** Brackets that are not closed. 0 in a text, number or word that stands in the list itself. */
  depth: number;
}

/** What may come next outside of items. */
type Expected = "list" | "first item" | "item" | "comma" | "nothing";

const descriptions: Readonly<Record<Expected, string>> = {
  list: "not a JSON list",
  "first item": "not valid JSON: expected an item or ]",
  item: "not valid JSON: expected an item",
  comma: "not valid JSON: expected a comma or ]",
  nothing: "not valid JSON: the list has ended",
};

const errorAt = (name: string, { line, column }: TextPosition, message: string, hint?: string): Usage =>
  new Usage(`${name}, line ${line}, column ${column}: ${message}`, { hint, more: { file: name, line, column } });

/** Characters that matter inside an item. */
const sign = /["[\]{},]/g;

/** Returns the index after the closing quote of a JSON text. -1 if it is not closed. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (before > from && text[before - 1] === "\\") before--;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return -1;
}

class ListSplitter {
  #expected: Expected = "list";
  #open: Open | undefined;

  constructor(private readonly name: string) {}

  *items({ line, text }: InputLine): Generator<ListItem> {
    if (this.#open) this.#open.raw += "\n";
    for (let at = 0; at < text.length; ) {
      if (!this.#open) {
        at = this.#outside(line, text, at);
        continue;
      }
      const end = this.#inside(this.#open, { line, text, at });
      this.#open.raw += text.slice(at, end);
      at = end;
      if (this.#open.raw.length > maxItemLength) throw errorAt(this.name, this.#open, "the item is too large");
      if (this.#expected === "comma") yield this.#take(this.#open);
    }
    if (this.#open?.depth === 0) yield this.#take(this.#open);
  }

  /** Reads one character between items. Returns the next index. */
  #outside(line: number, text: string, at: number): number {
    const character = text.charAt(at);
    if (/\s/.test(character)) return at + 1;
    const place = { line, column: at + 1 };
    const expected = this.#expected;
    if (expected === "list" && character === "[") this.#expected = "first item";
    else if (character === "]" && (expected === "first item" || expected === "comma")) this.#expected = "nothing";
    else if (character === "," && expected === "comma") this.#expected = "item";
    else if ((expected === "first item" || expected === "item") && !/[\]},:]/.test(character)) {
      this.#open = { ...place, raw: "", depth: 0 };
      return at;
    } else throw errorAt(this.name, place, descriptions[expected], this.#hintFor(text.slice(at)));
    return at + 1;
  }

  /** `rest`: what follows on the line. */
  #hintFor(rest: string): string | undefined {
    if (this.#expected !== "list" || !rest.startsWith("{")) return undefined;
    const [, member] = /"(\w+)"\s*:\s*\[/.exec(rest) ?? [];
    const list = member === undefined ? "such as jq '.users'" : `jq '.${member}'`;
    return `Is it an object a line? Pass --format ndjson. To take a list out of an object: ${list} ${quoteWord(this.name)}`;
  }

  /** Returns the end of the item, or of the line. */
  #inside(open: Open, { line, text, at: from }: { line: number; text: string; at: number }): number {
    sign.lastIndex = from;
    for (let found = sign.exec(text); found; found = sign.exec(text)) {
      const [character] = found;
      const at = found.index;
      if (character === '"') {
        const end = endOfText(text, at + 1);
        if (end < 0) throw errorAt(this.name, { line, column: at + 1 }, "not valid JSON: the quote is not closed");
        sign.lastIndex = end;
        continue;
      }
      if (character === "[" || character === "{") open.depth++;
      else if (character !== ",") open.depth--;
      if (open.depth > 0) continue;
      this.#expected = "comma";
      // A text, number or word ends before the comma or bracket of the list.
      return character === "," || open.depth < 0 ? at : at + 1;
    }
    return text.length;
  }

  #take(open: Open): ListItem {
    this.#open = undefined;
    this.#expected = "comma";
    const raw = open.raw.trimEnd();
    const read = readJson(raw);
    if (!("error" in read)) return { line: open.line, raw, value: read.value };
    const column = read.column + (read.line === 1 ? open.column - 1 : 0);
    throw errorAt(this.name, { line: open.line + read.line - 1, column }, read.error);
  }

  /** Throws `Usage` if the list is not complete. */
  end(): void {
    if (this.#open) throw errorAt(this.name, this.#open, "not valid JSON: the item is not closed");
    if (this.#expected === "list") throw new Usage(`${this.name} is empty: missing JSON list`);
    if (this.#expected !== "nothing") throw new Usage(`${this.name}: not valid JSON: missing ] at the end`);
  }
}

/** Throws `Usage` for what is not a JSON list: nothing of it can be used then. */
export async function* itemsOf(name: string, lines: AsyncIterable<InputLine>): AsyncGenerator<ListItem> {
  const splitter = new ListSplitter(name);
  for await (const line of lines) yield* splitter.items(line);
  splitter.end();
}
