/** Reads the rows of an input as command lines. */
import { counted } from "../common/counted.ts";
import { isMapping } from "../common/members.ts";
import { Usage } from "../errors.ts";
import { readJson } from "../notation/json.ts";
import { cellValue } from "../output/csv.ts";
import type { LeftOut } from "../run/journal/row.ts";
import { recordsOf } from "./csv.ts";
import type { Input } from "./input.ts";
import { type Cell, type Condition, holdsIn, isEmpty } from "./selection.ts";
import { checkColumn, type RowError, type RowWord, Template } from "./template.ts";

export const formats = ["csv", "tsv", "ndjson", "lines"] as const;
export type Format = (typeof formats)[number];

export interface InputRow {
  /** The number of the row, from 1. */
  row: number;
  /** The line on which it begins, from 1. */
  line: number;
  /** As it stands in the input, without its end. */
  raw: string;
  command: readonly RowWord[] | RowError;
  /** Empty cells have removed words. */
  hasOmittedWords?: boolean;
  /** The run is not about this row. */
  leftOut?: LeftOut;
  /** Returns a cell. Throws `Usage` for an unknown column. Undefined for rows without columns. */
  cell?: Cell | undefined;
}

/** Which rows to leave out. */
interface Selection {
  where?: readonly Condition[] | undefined;
  skipEmpty?: boolean | undefined;
}

export function formatOf(file: string): Format | undefined {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase();
  if (ending === "jsonl") return "ndjson";
  return formats.find((format) => format === ending);
}

export class Reader {
  /** The words after `--`. */
  readonly template: Template;
  /** The header with its line end. */
  #header = "";
  /** The line end of rows. */
  end = "\n";

  constructor(
    readonly input: Input,
    readonly format: Format,
    words: readonly string[],
    readonly selection: Selection = {},
  ) {
    this.template = new Template(words);
  }

  /** The text before the first row. */
  get head(): string {
    return this.input.byteOrderMark + this.#header;
  }

  /** Returns all rows, the same each time. Throws `Usage` if the format is wrong. */
  rows(): AsyncGenerator<InputRow> {
    if (this.format === "csv" || this.format === "tsv") return this.#records(this.format);
    return this.format === "ndjson" ? this.#objects() : this.#commands();
  }

  async *#records(form: "csv" | "tsv"): AsyncGenerator<InputRow> {
    const { name } = this.input;
    let header: string[] | undefined;
    let row = 0;
    for await (const { line, raw, cells, end } of recordsOf(name, this.input.lines(), form)) {
      if (!header) {
        header = headerOf(name, cells);
        const named = header.filter(Boolean);
        this.template.check(name, named);
        for (const { column } of this.selection.where ?? []) checkColumn(name, named, column);
        this.end = end || "\n";
        this.#header = raw + this.end;
        continue;
      }
      if (cells.every(isEmpty)) continue;
      const columns = header;
      // Some programs write more separators after the last cell.
      if (cells.length < columns.length || !cells.slice(columns.length).every(isEmpty)) {
        const message = `the row has ${counted(cells.length, "cell")}, and the header has ${columns.length}`;
        yield { row: ++row, line, raw, command: { message } };
        continue;
      }
      const cell: Cell = (column) => {
        const found = cells[columns.indexOf(column)];
        return found === undefined ? undefined : cellValue(found);
      };
      yield this.#item({ row: ++row, line, raw }, cell, columns);
    }
    if (!header) throw new Usage(`${name} is empty: missing header with the column names`);
  }

  async *#objects(): AsyncGenerator<InputRow> {
    let row = 0;
    const unseen = new Set(this.selection.where?.map(({ column }) => column));
    const members = new Set<string>();
    for await (const { line, text } of this.input.lines()) {
      if (!text.trim()) continue;
      const read = readJson(text);
      if ("error" in read) {
        yield { row: ++row, line, raw: text, command: { message: read.error, column: read.column } };
        continue;
      }
      const { value } = read;
      if (!isMapping(value)) {
        yield { row: ++row, line, raw: text, command: { message: "not a JSON object" } };
        continue;
      }
      const cells = new Map<string, unknown>(Object.entries(value));
      if (unseen.size) for (const name of cells.keys()) if (!unseen.delete(name)) members.add(name);
      yield this.#ofObject(++row, line, text, cells);
    }
    const [column] = unseen;
    if (row && column !== undefined) checkColumn(this.input.name, [...members], column);
  }

  #ofObject(row: number, line: number, raw: string, cells: ReadonlyMap<string, unknown>): InputRow {
    let odd: { column: string; what: string } | undefined;
    const cell: Cell = (column) => {
      const member = cells.get(column);
      if (member === undefined || member === null) return undefined;
      if (typeof member === "object") {
        odd ??= { column, what: "must be text or a number" };
        return undefined;
      }
      // JSON can contain half of a surrogate pair. Requests cannot.
      if (typeof member === "string" && /\p{Cs}/u.test(member)) odd ??= { column, what: "is not valid Unicode" };
      return String(member);
    };
    const item = this.#item({ row, line, raw }, cell, cells.keys());
    return odd ? { ...item, command: { message: `"${odd.column}" ${odd.what}`, column: odd.column } } : item;
  }

  async *#commands(): AsyncGenerator<InputRow> {
    let row = 0;
    for await (const { line, text } of this.input.lines()) {
      const command = commandOf(text);
      if ("message" in command || command.length) yield { row: ++row, line, raw: text, command };
    }
  }

  #item(place: Pick<InputRow, "row" | "line" | "raw">, cell: Cell, columns: Iterable<string>): InputRow {
    const { where = [], skipEmpty = false } = this.selection;
    if (!holdsIn(where, cell)) return { command: [], leftOut: "not_selected", ...place };
    if (skipEmpty && this.template.requiredColumns.some((column) => isEmpty(cell(column))))
      return { command: [], leftOut: "skipped", ...place };
    const command = this.template.words(cell);
    const hasOmittedWords = "length" in command && command.length < this.template.length;
    const knownCell: Cell = (column) => {
      checkColumn(this.input.name, [...columns], column);
      return cell(column);
    };
    return { command, cell: knownCell, ...place, ...(hasOmittedWords && { hasOmittedWords }) };
  }
}

/** Returns the names of the columns. Columns without a name cannot be used. */
function headerOf(name: string, cells: readonly string[]): string[] {
  const columns = cells.map((cell) => cell.trim());
  if (!columns.some(Boolean)) throw new Usage(`${name}: the header has no column names`);
  return columns;
}

/** A comment, a word, or a quote that is not closed. */
const shellToken = /#.*|(?:\\.?|'[^']*'|"(?:\\.|[^\\"])*"|[^\s\\'"])+|\S/gs;
const quotedPart = /\\(.)|'([^']*)'|"((?:\\.|[^\\"])*)"/gs;

/** Splits a command line as a shell does, without expansions. Empty for blank lines and comments. */
function commandOf(line: string): { word: string; column: number }[] | RowError {
  const words: { word: string; column: number }[] = [];
  for (const { 0: text, index } of line.matchAll(shellToken)) {
    if (text.startsWith("#")) break;
    if (text === "'" || text === '"') return { message: "a quote is not closed on this line" };
    const word = text.replace(
      quotedPart,
      (_, escaped?: string, single?: string, double?: string) =>
        escaped ?? single ?? double!.replace(/\\([$`"\\])/g, "$1"),
    );
    words.push({ word, column: index + 1 });
  }
  return words;
}
