/** Records of CSV as RFC 4180 has it, and of the same with tabs, each with the line it begins on. */
import type { parse } from "csv-parse/sync";
import { asError, codeOf, Usage } from "../errors.ts";
import type { Line } from "./lines.ts";

export interface CsvRecord {
  /** On which it begins. */
  line: number;
  cells: string[];
  /** As it stands in the file, without its end. */
  raw: string;
}

/** Characters of a record at most: a quote that nobody closed must not swallow the file. */
const longest = 16 * 1024 * 1024;
/** Records that are parsed at once. */
const several = 256;

type Raw = Omit<CsvRecord, "cells">;
type Parse = typeof parse;

/** Where records begin and end: a line end between quotes ends none. */
async function* rawRecords(name: string, lines: AsyncIterable<Line>): AsyncGenerator<Raw & { end: string }> {
  let open: (Raw & { end: string }) | undefined;
  for await (const { line, text, end } of lines) {
    if (!open && text === "") continue;
    const quotes = text.split('"').length - 1;
    const ends: boolean = (quotes % 2 === 0) === !open;
    open = open ? { ...open, raw: open.raw + open.end + text, end } : { line, raw: text, end };
    if (open.raw.length > longest) throw unclosed(name, open.line);
    if (!ends) continue;
    yield open;
    open = undefined;
  }
  if (open) throw unclosed(name, open.line);
}

const unclosed = (name: string, line: number): Usage =>
  new Usage(`${name}, line ${line}: the quote is not closed`, { more: { file: name, line } });

/** The character between cells: files that spreadsheets write where the comma is the decimal sign have semicolons. */
const delimiterOf = (header: string): string => {
  const bare = header.replace(/"[^"]*"/g, "");
  return !bare.includes(",") && bare.includes(";") ? ";" : ",";
};

/** Every record, the header first. Throws `Usage` from where on the file is no CSV. `told` hears how lines end. */
export async function* recordsOf(
  name: string,
  lines: AsyncIterable<Line>,
  form: "csv" | "tsv",
  told: (end: string) => void,
): AsyncGenerator<CsvRecord> {
  let delimiter = "\t";
  const parsed = (parse: Parse, raws: Raw[]) =>
    parse(raws.map(({ raw }) => raw).join("\n"), { delimiter, relax_column_count: true, record_delimiter: "\n" });
  function* cellsOf(parse: Parse, raws: Raw[]): Generator<CsvRecord> {
    const all = attempt(() => parsed(parse, raws));
    if (!(all instanceof Error) && all.length === raws.length) {
      return yield* raws.map((raw, n) => ({ ...raw, cells: all[n] ?? [] }));
    }
    for (const raw of raws) {
      const one = attempt(() => parsed(parse, [raw]));
      if (one instanceof Error) throw wrong(name, raw, one, delimiter);
      yield { ...raw, cells: one[0] ?? [""] };
    }
  }
  async function recordsIn(raws: Raw[]): Promise<Iterable<CsvRecord>> {
    // Without quotes there is nothing to make out, and making a parser takes longer than a hundred such records.
    if (!raws.some(({ raw }) => raw.includes('"')))
      return raws.map((each) => ({ ...each, cells: each.raw.split(delimiter) }));
    return cellsOf((await import("csv-parse/sync")).parse, raws);
  }
  let first = true;
  let raws: Raw[] = [];
  for await (const { end, ...raw } of rawRecords(name, lines)) {
    if (first) {
      told(end || "\n");
      if (raw.raw.includes("\r")) throw new Usage(`${name}: lines must end with LF or CRLF, not with CR alone`);
      if (form === "csv") delimiter = delimiterOf(raw.raw);
      yield* await recordsIn([raw]);
      first = false;
      continue;
    }
    raws.push(raw);
    if (raws.length < several) continue;
    yield* await recordsIn(raws);
    raws = [];
  }
  if (raws.length) yield* await recordsIn(raws);
}

function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return asError(error);
  }
}

function wrong(name: string, { line, raw }: Raw, error: Error, delimiter: string): Usage {
  const code = codeOf(error);
  const cell = "column" in error && typeof error.column === "number" ? `, cell ${error.column + 1}` : "";
  const what = code.includes("CLOSING")
    ? `a closing quote is followed by something else than "${delimiter === "\t" ? "tab" : delimiter}"`
    : code.includes("OPENING")
      ? "a quote is inside a cell that does not begin with a quote"
      : error.message;
  return new Usage(`${name}, line ${line}${cell}: ${what}`, {
    hint: `Double the quotes inside a quoted cell: "say ""hello""".`,
    more: { file: name, line, record: raw.slice(0, 200) },
  });
}
