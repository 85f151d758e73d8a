/** The command for each row: words with `{column}` in them. */
import { distance } from "fastest-levenshtein";
import { dataMark } from "../argv/given.ts";
import { Usage, type WordAt } from "../errors.ts";

type Piece = { text: string } | { column: string; optional: boolean };

/** A word of a row's command line, and the column that it comes from. */
export interface Word {
  text: string;
  /** The same with a mark before what a column gives, where one gives any. */
  marked?: string;
  /** A column's name; in `lines` the place in the line, from 1. */
  column?: string | number;
}

export interface Missing {
  column: string;
}

/** `{{` and `}}` stand for braces. */
function pieces(word: string): Piece[] {
  const found: Piece[] = [];
  for (const [token] of word.matchAll(/\{\{|\}\}|\{[^{}]*\}|\{|\}|[^{}]+/g)) {
    const name = /^\{(.*?)(\??)\}$/s.exec(token);
    if (token === "{" || token === "{}" || name?.[1] === "")
      throw new Usage(`"${word}": "${token === "{" ? "{" : token}" does not name a column`, {
        hint: "Write a literal brace twice: {{ or }}.",
      });
    if (name) found.push({ column: name[1]!, optional: name[2] === "?" });
    else found.push({ text: token === "{{" ? "{" : token === "}}" ? "}" : token });
  }
  return found;
}

/** A word that may have its value in the next one: `--folder`. */
const isFlag = ([only, another]: readonly Piece[]): boolean =>
  another === undefined && only !== undefined && "text" in only && /^--?[a-z][^=]*$/i.test(only.text);

/** A word that has its flag in itself: `--folder={folder?}`. */
const hasFlag = ([first]: readonly Piece[]): boolean =>
  first !== undefined && "text" in first && first.text.startsWith("--");

export class Template {
  readonly #words: { pieces: Piece[]; columns: string[] }[];

  constructor(words: readonly string[]) {
    this.#words = words.map((word) => {
      const parts = pieces(word);
      return { pieces: parts, columns: parts.flatMap((piece) => ("column" in piece ? piece.column : [])) };
    });
  }

  /** How many words a row has where none is left out. */
  get length(): number {
    return this.#words.length;
  }

  /** Throws `Usage` for a column that the header does not have. */
  check(name: string, header: readonly string[]): void {
    const stray = this.#words.flatMap(({ columns }) => columns).find((column) => !header.includes(column));
    if (stray === undefined) return;
    const allowed = Math.min(2, Math.ceil(stray.length / 3));
    const near = header.filter((column) => distance(stray.toLowerCase(), column.toLowerCase()) <= allowed);
    throw new Usage(`${name} has no column "${stray}"`, {
      hint: `${
        near.length
          ? `Did you mean ${near.map((column) => `{${column}}`).join(" or ")}?`
          : `Its columns: ${header.join(", ")}.`
      } Write a literal brace twice: {{${stray}}}.`,
    });
  }

  /** The words as they were typed, with a mark before each column. */
  get typed(): string[] {
    const words = this.words((column) => `{${column}}`) as Word[];
    return words.map(({ text, marked = text }) => marked);
  }

  /** The command line of a row; undefined values are missing ones. */
  words(value: (column: string) => string | undefined): Word[] | Missing {
    const words: Word[] = [];
    let afterFlag = false;
    for (const { pieces, columns } of this.#words) {
      const lacking = pieces.some((piece) => "column" in piece && piece.optional && !value(piece.column));
      const valueOfFlag = afterFlag;
      afterFlag = isFlag(pieces);
      if (lacking && valueOfFlag && !hasFlag(pieces)) words.pop();
      if (lacking) continue;
      let text = "";
      let marked = "";
      for (const piece of pieces) {
        const found = "text" in piece ? piece.text : value(piece.column);
        if (found === undefined) return { column: "column" in piece ? piece.column : "" };
        text += found;
        marked += "text" in piece ? found : dataMark + found;
      }
      words.push({ text, ...(columns.length && { marked, column: columns[0] }) });
    }
    return words;
  }
}

/** What of a command line a message is about. */
export interface Blame {
  column?: string | number;
  /** `words`: what was typed after `--`, the same for each row; `row`: what it says holds for this row alone, or may. */
  on: "column" | "words" | "row";
}

/** Where the row's word stands that a failure names; without one it is about the row. */
export function blame(at: WordAt | undefined, words: readonly Word[]): Blame {
  const used = new Set(words.flatMap(({ column }) => column ?? []));
  const row: Blame = { column: used.size === 1 ? [...used][0] : undefined, on: "row" };
  if (!at) return row;
  const candidates = at.flag?.startsWith("-") ? valuesFor(at.flag, words) : words;
  const { value } = at;
  const found =
    value === undefined
      ? candidates.length === 1
        ? candidates[0]
        : undefined
      : (candidates.find(({ text }) => text === value) ??
        candidates.find(({ text }) => text.endsWith(`=${value}`)) ??
        candidates.find(({ text }) => text.includes(value)));
  if (!found) return row;
  return found.column === undefined ? { on: "words" } : { column: found.column, on: "column" };
}

/** What a flag is given: the next word, or the word itself where it holds its value or takes none. */
const valuesFor = (flag: string, words: readonly Word[]): Word[] =>
  words.flatMap((word, n) => {
    if (word.text.startsWith(`${flag}=`)) return [word];
    const next = words[n + 1];
    return word.text === flag ? [next && !next.text.startsWith("--") ? next : word] : [];
  });
