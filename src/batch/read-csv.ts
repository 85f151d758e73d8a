/** Reads CSV (RFC 4180) and tab-separated values, with the line of each record. */
import { MiB } from "../common/unit-sizes.ts";
import { asError, systemErrorCode, Usage } from "../errors.ts";
import type { InputLine } from "./input.ts";

interface CsvRecord {
  /** The line on which it begins. */
  line: number;
  cells: string[];
  /** As it stands in the file, without its end. */
  raw: string;
  end: string;
}

/** The largest record in characters: an unclosed quote must not read the whole file. */
const maxRecordLength = 16 * MiB;

type Raw = Omit<CsvRecord, "cells">;

/** Finds the ends of records. A line end in quotes is part of a cell. */
async function* rawRecords(name: string, lines: AsyncIterable<InputLine>): AsyncGenerator<Raw> {
  let open: Raw | undefined;
  for await (const { line, text, end } of lines) {
    if (!open && text === "") continue;
    const quotes = text.split('"').length - 1;
    const ends: boolean = (quotes % 2 === 0) === !open;
    open = open ? { ...open, raw: open.raw + open.end + text, end } : { line, raw: text, end };
    if (open.raw.length > maxRecordLength) throw unclosedQuote(name, open.line);
    if (!ends) continue;
    yield open;
    open = undefined;
  }
  if (open) throw unclosedQuote(name, open.line);
}

const unclosedQuote = (name: string, line: number): Usage =>
  new Usage(`${name}, line ${line}: the quote is not closed`, { more: { file: name, line } });

/** Lines before the header: Excel's `sep=;`, and the version of a template of Entra. Cells may follow. */
const sepLine = /^"?sep=([^\w\s"]|\t)"?\1*$/i;
const versionLine = /^"?version:\s*v?[\d.]+"?[,;\t]*$/i;

/** Spreadsheets have rows of empty cells above the table. */
const blankLine = /^[\s,;|"]*$/;

/** A page that asks to sign in, in place of a download. */
const webPage = /^\s*<(!doctype|html|head|body|\?xml)\b/i;

const countOf = (sign: string, text: string): number => text.split(sign).length - 1;

/** Returns the separator: what the header has most of. Spreadsheets with a decimal comma write semicolons. */
function delimiterOf(name: string, line: number, header: string): string {
  const bare = header.replace(/"[^"]*"/g, "");
  const [commas, semicolons] = [countOf(",", bare), countOf(";", bare)];
  if (countOf("\t", bare) > Math.max(commas, semicolons))
    throw new Usage(`${name}, line ${line}: the header has tabs between its columns: pass --format tsv`);
  return semicolons > commas ? ";" : ",";
}

/**
 * Returns all records, the header first. The header's text has the lines before it. Throws `Usage` if the file is not
 * CSV.
 */
export async function* recordsOf(
  name: string,
  lines: AsyncIterable<InputLine>,
  form: "csv" | "tsv",
): AsyncGenerator<CsvRecord> {
  let delimiter = form === "tsv" ? "\t" : undefined;
  let hasHeader = false;
  let before = "";
  for await (const record of rawRecords(name, lines)) {
    const { raw } = record;
    if (hasHeader) {
      yield { cells: await cellsOf(name, record, delimiter ?? ","), ...record };
      continue;
    }
    if (raw.includes("\r")) throw new Usage(`${name}: lines must end with LF or CRLF, not with CR alone`);
    const separator = sepLine.exec(raw)?.[1];
    if (separator !== undefined || versionLine.test(raw) || blankLine.test(raw)) {
      if (form === "csv") delimiter ??= separator;
      before += raw + record.end;
      continue;
    }
    if (webPage.test(raw))
      throw new Usage(`${name} is a web page (HTML), not ${form.toUpperCase()}`, {
        hint: "If it was downloaded, sign in first, and download it again.",
        more: { file: name, line: record.line },
      });
    hasHeader = true;
    delimiter ??= delimiterOf(name, record.line, raw);
    yield { ...record, raw: before + raw, cells: await cellsOf(name, record, delimiter) };
  }
}

const cellsOf = async (name: string, record: Raw, delimiter: string): Promise<string[]> =>
  record.raw.includes('"') ? quotedCells(name, record, delimiter) : record.raw.split(delimiter);

async function quotedCells(name: string, record: Raw, delimiter: string): Promise<string[]> {
  const { parse } = await import("csv-parse/sync");
  try {
    const [cells = [""]] = parse(record.raw, { delimiter, record_delimiter: "\n" });
    return cells;
  } catch (error) {
    throw quoteError(name, record, asError(error), delimiter);
  }
}

function quoteError(name: string, { line, raw }: Raw, error: Error, delimiter: string): Usage {
  const code = systemErrorCode(error);
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
