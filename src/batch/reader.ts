/** Reads the rows of an input as command lines. */

import { counted } from "../common/counted.ts";
import { nfc } from "../common/folding.ts";
import { isMapping } from "../common/object-members.ts";
import { didYouMean } from "../common/suggestions.ts";
import { MiB } from "../common/unit-sizes.ts";
import { asError, Usage } from "../errors.ts";
import { type ParsedJson, readJson } from "../notation/read-json.ts";
import { cellValue } from "../output/write-csv.ts";
import type { LeftOut } from "../run/journal/row.ts";
import type { BatchInput, InputLine } from "./input.ts";
import { hasPart, jsonCell, textOfCell } from "./json-cells.ts";
import { itemsOf } from "./json-list.ts";
import { recordsOf } from "./read-csv.ts";
import { type CellReader, type Condition, holdsIn, isEmptyCell } from "./selection.ts";
import { checkColumn, type RowError, type RowWord, Template } from "./template.ts";

export const formats = ["csv", "tsv", "json", "ndjson", "lines"] as const;
export type Format = (typeof formats)[number];

export interface InputRow {
  /** The number of the row, from 1. */
  row: number;
  /** The line on which it begins, from 1. */
  line: number;
  /** The row before it is on the same line, as in JSON without line breaks. */
  sharesLine?: boolean;
  /** As it stands in the input, without its end. */
  raw: string;
  command: readonly RowWord[] | RowError;
  /** Empty cells have removed words. */
  hasOmittedWords?: boolean;
  /** The run is not about this row. */
  leftOut?: LeftOut;
  /** Returns a cell. Throws `Usage` for an unknown column. Undefined for rows without columns. */
  cell?: ((column: string) => string | undefined) | undefined;
}

type RowPlace = Pick<InputRow, "row" | "line" | "raw" | "sharesLine">;

/** Which rows to leave out, and how cells are divided. */
interface Selection {
  where?: readonly Condition[] | undefined;
  skipEmpty?: boolean | undefined;
  separator?: string | undefined;
}

export function formatOf(file: string): Format | undefined {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase();
  if (ending === "jsonl") return "ndjson";
  return formats.find((format) => format === ending);
}

/** The largest number of lines above the names of columns that are recognized. */
const mostTitles = 20;

/** A JSON list may stand on one line. */
const maxListBytes = 256 * MiB;

export class RowReader {
  /** The words after `--`. */
  readonly template: Template;
  /** The header with its line end. */
  #header = "";
  /** The line end of rows. */
  end = "\n";

  constructor(
    readonly input: BatchInput,
    readonly format: Format,
    words: readonly string[],
    readonly selection: Selection = {},
  ) {
    this.template = new Template(words, selection.separator);
  }

  /** The text before the first row. */
  get head(): string {
    return this.input.byteOrderMark + (this.format === "json" ? "[" : this.#header);
  }

  /** The text after the last row. */
  get tail(): string {
    return this.format === "json" ? "\n]\n" : "";
  }

  /** Returns a row as it stands in a file of this form. */
  written(raw: string, isFirst: boolean): string {
    if (this.format !== "json") return raw + this.end;
    return `${isFirst ? "" : ","}\n${raw}`;
  }

  /** Returns all rows, the same each time. Throws `Usage` if the format is wrong. */
  rows(): AsyncGenerator<InputRow> {
    if (this.format === "csv" || this.format === "tsv") return this.#records(this.format);
    return this.format === "lines" ? this.#commands() : this.#objects(this.format);
  }

  async *#records(form: "csv" | "tsv"): AsyncGenerator<InputRow> {
    const { name } = this.input;
    let header: string[] | undefined;
    let row = 0;
    const records = recordsOf(name, this.input.lines(), form);
    for await (const { line, raw, cells, end } of records) {
      if (!header) {
        header = headerOf(name, cells);
        const named = header.filter(Boolean);
        try {
          this.template.check(name, named);
          for (const { column } of this.selection.where ?? []) checkColumn(name, named, column);
        } catch (error) {
          throw await this.#withLaterHeader(asError(error), records);
        }
        this.end = end || "\n";
        this.#header = raw + this.end;
        continue;
      }
      if (cells.every(isEmptyCell)) continue;
      const columns = header;
      // Some programs write more separators after the last cell.
      if (cells.length < columns.length || !cells.slice(columns.length).every(isEmptyCell)) {
        const message = `the row has ${counted(cells.length, "cell")}, and the header has ${columns.length}`;
        yield { row: ++row, line, raw, command: { message } };
        continue;
      }
      const cell: CellReader = (column) => {
        const found = cells[columns.indexOf(column)];
        return found === undefined ? undefined : cellValue(found);
      };
      yield this.#item({ row: ++row, line, raw }, cell, columns);
    }
    if (!header) throw new Usage(`${name} is empty: missing header with the column names`);
  }

  /** Names the line that has the missing columns: titles may stand above the table. */
  async #withLaterHeader(error: Error, records: AsyncIterable<{ line: number; raw: string }>): Promise<Error> {
    const columns = [...this.template.requiredColumns, ...(this.selection.where ?? []).map(({ column }) => column)];
    if (!(error instanceof Usage) || !columns.length) return error;
    let remaining = mostTitles;
    for await (const { line, raw } of records) {
      const text = nfc(raw);
      if (columns.every((column) => text.includes(column))) {
        error.details.hint = `Line ${line} has the names of columns: remove the lines before it.`;
        return error;
      }
      if (--remaining === 0) return error;
    }
    return error;
  }

  async *#objects(form: "json" | "ndjson"): AsyncGenerator<InputRow> {
    const { name } = this.input;
    let row = 0;
    const unseen = new Set(this.selection.where?.map(({ column }) => column));
    const members = new Set<string>();
    let previousLine = 0;
    const lines = this.input.lines(form === "json" ? maxListBytes : undefined);
    for await (const { line, raw, ...read } of form === "json" ? itemsOf(name, lines) : objectLines(name, lines)) {
      const place: RowPlace = { row: ++row, line, raw, ...(line === previousLine && { sharesLine: true }) };
      previousLine = line;
      if ("error" in read) {
        yield { ...place, command: { message: read.error, column: read.column } };
        continue;
      }
      const { value } = read;
      if (!isMapping(value)) {
        yield { ...place, command: { message: "not a JSON object" } };
        continue;
      }
      if (unseen.size) for (const member of Object.keys(value)) members.add(member);
      for (const column of unseen) if (hasPart(value, column)) unseen.delete(column);
      yield this.#ofObject(place, value);
    }
    const [column] = unseen;
    if (row && column !== undefined) checkColumn(name, [...members], column);
  }

  #ofObject(place: RowPlace, value: Readonly<Record<string, unknown>>): InputRow {
    let flaw: RowError | undefined;
    const cell: CellReader = (column) => {
      const read = jsonCell(value, column);
      if (!read || "value" in read) return read?.value;
      flaw ??= { column, message: `"${column}" ${read.flaw}` };
      return undefined;
    };
    const { leftOut, ...item } = this.#item(place, cell, Object.keys(value));
    // A row that cannot be read is not left out: nobody knows whether it is meant.
    return flaw ? { ...item, command: flaw } : { ...item, ...(leftOut && { leftOut }) };
  }

  async *#commands(): AsyncGenerator<InputRow> {
    let row = 0;
    for await (const { line, text } of this.input.lines()) {
      const command = commandOf(text);
      if ("message" in command || command.length) yield { row: ++row, line, raw: text, command };
    }
  }

  /** Suggests a column that the row has in place of a missing one. */
  #commandOf(cell: CellReader, columns: Iterable<string>): RowWord[] | RowError {
    const command = this.template.words(cell);
    if (!("message" in command)) return command;
    const names = [...columns];
    // A member can be null.
    if (names.includes(String(command.column))) return { ...command, message: `"${command.column}" has no value` };
    const inBraces = (column: unknown) => `{${column}}`;
    const hint = didYouMean(inBraces(command.column), names.map(inBraces));
    return { ...command, ...(hint !== undefined && { hint }) };
  }

  #item(place: RowPlace, cell: CellReader, columns: Iterable<string>): InputRow {
    const { where = [], skipEmpty = false } = this.selection;
    if (!holdsIn(where, cell)) return { command: [], leftOut: "not_selected", ...place };
    if (skipEmpty && this.template.requiredColumns.some((column) => isEmptyCell(cell(column))))
      return { command: [], leftOut: "skipped", ...place };
    const command = this.#commandOf(cell, columns);
    const hasOmittedWords = "length" in command && command.length < this.template.length;
    const knownCell = (column: string): string | undefined => {
      const value = cell(column);
      const names = [...columns];
      if (value === undefined || names.includes(column)) checkColumn(this.input.name, names, column);
      return value === undefined ? undefined : textOfCell(value);
    };
    return { command, cell: knownCell, ...place, ...(hasOmittedWords && { hasOmittedWords }) };
  }
}

/** Reads an object a line. Throws `Usage` for a list over several lines. */
async function* objectLines(
  name: string,
  lines: AsyncIterable<InputLine>,
): AsyncGenerator<{ line: number; raw: string } & ParsedJson> {
  let isFirst = true;
  for await (const { line, text } of lines) {
    if (!text.trim()) continue;
    const read = readJson(text);
    const isList =
      "error" in read ? text.trimStart().startsWith("[") : Array.isArray(read.value) && read.value.some(isMapping);
    if (isFirst && isList)
      throw new Usage(`${name}, line ${line}: a JSON list, not an object a line`, {
        hint: "Pass --format json.",
        more: { file: name, line },
      });
    isFirst = false;
    yield { raw: text, ...read, line };
  }
}

/** Returns the names of the columns. Columns without a name cannot be used. */
function headerOf(name: string, cells: readonly string[]): string[] {
  const columns = cells.map((cell) => nfc(cell.trim()));
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
