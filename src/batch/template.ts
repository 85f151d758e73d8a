/** The command for each row: words that contain `{column}`. */
import { type RawWord, TextInput } from "../argv/text-input.ts";
import { nfc } from "../common/folding.ts";
import { didYouMean } from "../common/suggestions.ts";
import { Usage } from "../errors.ts";
import { type CellValue, listSeparator, textOfCell } from "./json-cells.ts";
import { type CellReader, isEmptyCell } from "./selection.ts";

type Piece = { text: string } | { column: string; optional: boolean };

/** A word of a row's command line, and the place of its value: a column, or from 1 a word of the line. */
export interface RowWord {
  word: RawWord;
  column?: string | number | undefined;
  /** Its first column with an empty cell. */
  emptyColumn?: string | undefined;
}

/** A word after `--`. */
interface TypedWord {
  text: string;
  /** The typed text before its first column. Undefined without a column. */
  prefix: string | undefined;
}

/** What is wrong with a row. */
export interface RowError {
  message: string;
  column?: string | number;
  hint?: string;
}

/** `{{` and `}}` stand for braces. */
function parsePieces(word: string, following: readonly string[]): Piece[] {
  const found: Piece[] = [];
  for (const [token] of word.matchAll(/\{\{|\}\}|\{[^{}]*\}|\{|\}|[^{}]+/g)) {
    const name = /^\{(.*?)(\??)\}$/s.exec(token);
    if (token === "{" || token === "{}" || name?.[1] === "")
      throw new Usage(`"${word}": "${token}" does not name a column`, {
        hint: `${quotedColumn(word, following)}Write a literal brace twice: {{ or }}.`,
      });
    if (name) found.push({ column: nfc(name[1]!), optional: name[2] === "?" });
    else found.push({ text: token === "{{" ? "{" : token === "}}" ? "}" : token });
  }
  return found;
}

/** Says how to write a name with blanks, if the shell has divided it: `{Full Name}` is two words. */
function quotedColumn(word: string, following: readonly string[]): string {
  const end = following.findIndex((each) => /[{}]/.test(each));
  if (!/\{[^{}]+$/.test(word) || !/^[^{}]*\}/.test(following[end] ?? "")) return "";
  return `Quote a column with blanks: '${[word, ...following.slice(0, end + 1)].join(" ")}'. `;
}

/** A flag whose value can be the next word: `--folder`. */
const isFlag = ([only, another]: readonly Piece[]): boolean =>
  another === undefined && only !== undefined && "text" in only && /^--?[a-z][^=]*$/i.test(only.text);

const textOf = (piece: Piece): string => ("text" in piece ? piece.text : `{${piece.column}}`);

const columnsOf = (pieces: readonly Piece[]): string[] =>
  pieces.flatMap((piece) => ("column" in piece ? piece.column : []));

/** Columns of ids, as zulipctl names them: `id`, `stream_id`. */
const isIdColumn = (column: string): boolean => /(^|[_.])ids?$/i.test(column);

const isMissing = (cell: CellValue | undefined): boolean => cell === undefined || !cell.length;

/** Returns the text before the first column. */
function prefixOf(pieces: readonly Piece[]): string {
  const end = pieces.findIndex((piece) => "column" in piece);
  const before = end < 0 ? pieces : pieces.slice(0, end);
  return before.map(textOf).join("");
}

/** `{Active?}` is a column of that name if the header has it, and has none without the sign. */
function withQuestionMark(piece: Piece, header: readonly string[]): Piece {
  if ("text" in piece || !piece.optional || header.includes(piece.column)) return piece;
  const column = `${piece.column}?`;
  return header.includes(column) ? { column, optional: false } : piece;
}

/** Throws `Usage` for a column that the header does not have, or has twice. `shown`: how it is typed. */
export function checkColumn(
  name: string,
  header: readonly string[],
  column: string,
  shown = (text: string) => text,
  advice = "",
): void {
  const first = header.indexOf(column);
  if (first !== header.lastIndexOf(column)) throw new Usage(`${name}: column "${column}" appears twice`);
  if (first >= 0) return;
  const [only = ""] = header;
  const divided =
    header.length === 1 && only.includes("|")
      ? ' If they are divided at "|", begin the file with the line "sep=|".'
      : "";
  const hint = didYouMean(shown(column), header.map(shown)) ?? `Its columns: ${header.join(", ")}.${divided}`;
  throw new Usage(`${name} has no column "${column}"`, { hint: hint + advice });
}

export class Template {
  #words: Piece[][];

  /** `separator`: the sign that divides a list in a cell, instead of the comma. */
  constructor(
    words: readonly string[],
    readonly separator?: string,
  ) {
    this.#words = words.map((word, at) => parsePieces(word, words.slice(at + 1)));
  }

  /** The number of words in a row with all cells filled. */
  get length(): number {
    return this.#words.length;
  }

  /** The columns that every row needs. */
  get requiredColumns(): string[] {
    return this.#words.flat().flatMap((piece) => ("column" in piece && !piece.optional ? piece.column : []));
  }

  /** Throws `Usage` for a column that the header does not have, or has twice. */
  check(name: string, header: readonly string[]): void {
    this.#words = this.#words.map((pieces) => pieces.map((piece) => withQuestionMark(piece, header)));
    for (const column of this.#words.flatMap(columnsOf))
      checkColumn(name, header, column, (text) => `{${text}}`, ` Write a literal brace twice: {{${column}}}.`);
  }

  get typedWords(): TypedWord[] {
    return this.#words.map((pieces) => ({
      text: pieces.map(textOf).join(""),
      prefix: columnsOf(pieces).length ? prefixOf(pieces) : undefined,
    }));
  }

  /** Splits a word into a flag of that length and its value. */
  splitWord(at: number, flag: number, value: number): void {
    const [first, ...others] = this.#words[at] ?? [];
    if (!first || !("text" in first)) return;
    const rest = first.text.slice(value);
    this.#words.splice(at, 1, [{ text: first.text.slice(0, flag) }], [...(rest ? [{ text: rest }] : []), ...others]);
  }

  /** Returns the command line of a row. Undefined values are missing. */
  words(value: CellReader): RowWord[] | RowError {
    const words: RowWord[] = [];
    let afterFlag = false;
    for (const pieces of this.#words) {
      const columns = columnsOf(pieces);
      const [column] = columns;
      const empty = pieces.some((piece) => "column" in piece && piece.optional && isMissing(value(piece.column)));
      const valueOfFlag = afterFlag;
      afterFlag = isFlag(pieces);
      if (empty && valueOfFlag) words.pop();
      if (empty) continue;
      let text = "";
      let { separator } = this;
      for (const piece of pieces) {
        if ("text" in piece) text += piece.text;
        else {
          const found = value(piece.column);
          if (found === undefined) return { message: `"${piece.column}" is missing`, column: piece.column };
          text += textOfCell(found);
          if (typeof found !== "string") separator = listSeparator;
        }
      }
      words.push(
        column === undefined
          ? { word: text }
          : {
              word: new TextInput(text, { typed: prefixOf(pieces).length, ids: columns.every(isIdColumn), separator }),
              column,
              emptyColumn: columns.find((each) => isEmptyCell(value(each))),
            },
      );
    }
    return words;
  }
}
