/** Tables on a terminal. */
import type { ChalkInstance } from "chalk";
import Table from "cli-table3";
import utils from "cli-table3/src/utils.js";
import type { OutputField } from "./chosen-fields.ts";
import { textWidth } from "./fold.ts";
import type { Row } from "./form.ts";
import { alignRight, gap, layout, type Measured, type ShownColumn } from "./layout.ts";
import { type Paint, painted, paintedValue, paintOf } from "./painted-cell.ts";
import { sanitizeLine } from "./sanitize.ts";
import { type CellPart, cellParts, cellText } from "./table-cell.ts";

/** The largest number of lines in a cell. */
const mostLines = 20;

/** Splits text into characters as readers see them, up to the length that is ever shown. */
function charactersOf(parts: readonly CellPart[], most: number): CellPart[] {
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
  const characters: CellPart[] = [];
  for (const { text, isHit } of parts)
    for (const { segment } of graphemes.segment(text)) {
      characters.push({ text: segment, isHit });
      if (characters.length > most) return characters;
    }
  return characters;
}

/** Joins characters into the longest parts. */
function joined(characters: readonly CellPart[]): CellPart[] {
  const parts: CellPart[] = [];
  for (const { text, isHit } of characters) {
    const last = parts.at(-1);
    if (last?.isHit === isHit) last.text += text;
    else parts.push({ text, isHit });
  }
  return parts;
}

/** Returns the characters that fit, at least one. */
function fitting(characters: readonly CellPart[], room: number): CellPart[] {
  let [end, width] = [0, 0];
  for (const { text } of characters) {
    width += textWidth(text);
    if (width > room) break;
    end++;
  }
  return characters.slice(0, Math.max(end, 1));
}

/**
 * Wraps a text to the width of its column, with an ellipsis if something is cut. Lines break at spaces. Longer words
 * break after punctuation, or anywhere.
 */
function wrapped(characters: CellPart[], most: number, room: number): CellPart[][] {
  const lines: CellPart[][] = [];
  let rest = characters;
  while (rest.length) {
    let line = fitting(rest, room);
    if (line.length < rest.length && lines.length + 1 === most) {
      line = fitting(rest, room - 1);
      return [...lines, joined([...line, { text: "…", isHit: line.at(-1)?.isHit ?? false }])];
    }
    if (line.length < rest.length) {
      const space = rest.slice(0, line.length + 1).findLastIndex(({ text }) => text === " ");
      const mark = line.findLastIndex(({ text }) => /^[_/.@:,-]$/.test(text));
      if (space > 0) line = line.slice(0, space);
      else if (mark > 0) line = line.slice(0, mark + 1);
    }
    lines.push(joined(line));
    const next = rest.findIndex(({ text }, at) => at >= line.length && text !== " ");
    rest = next < 0 ? [] : rest.slice(next);
  }
  return lines;
}

const plainText = (parts: readonly CellPart[]): string => parts.map(({ text }) => text).join("");

/** Members that are numbers are aligned as columns of numbers are. */
function aligned(field: OutputField, records: readonly Row[]): OutputField {
  const isNumeric =
    !field.column && records.length > 0 && records.every((record) => typeof field.of(record) === "number");
  return isNumeric ? { ...field, column: { head: field.name, value: field.of, align: "right" } } : field;
}

function measured(field: OutputField, records: readonly Row[]): Measured {
  const texts = records.map((record) => cellText(field.of(record)));
  const natural = texts.reduce((most, text) => Math.max(most, textWidth(text)), textWidth(sanitizeLine(field.name)));
  return { field, natural, constant: texts.every((text) => text === texts[0]) ? texts[0] : undefined };
}

/** A hidden column, with its value if all rows have the same short one. */
const leftOutText = ({ field, natural, constant }: Measured): string =>
  constant && natural <= 30 ? `${sanitizeLine(field.name)} (${constant})` : sanitizeLine(field.name);

const borders = `top top-left top-mid top-right bottom bottom-left bottom-mid bottom-right left left-mid mid mid-mid
  right right-mid middle`;
const noBorders = Object.fromEntries(borders.split(/\s+/).map((place) => [place, ""]));

/** The number of rows drawn at a time: the library needs several objects for each cell. */
const rowsAtOnce = 50;

const escapes = /\x1b\[[\d;]*m/g;

// The library's own widths are outdated. Lines are at most as wide as their column.
utils.pad = (line, width, _, side) => {
  const blanks = " ".repeat(Math.max(0, width - textWidth(line.replace(escapes, ""))));
  return side === "right" ? blanks + line : line + blanks;
};
utils.truncate = (line) => line;

/** Places cells side by side. */
function drawRows(rows: readonly string[][], columns: readonly ShownColumn[]): string {
  const table = new Table({
    chars: noBorders,
    colWidths: columns.map(({ width }) => width + gap),
    colAligns: columns.map(({ field }) => (alignRight(field) ? "right" : "left")),
    style: { head: [], border: [], "padding-left": 0, "padding-right": gap },
  });
  table.push(...rows.map((row) => [...row]));
  return `${table.toString().replace(/ +$/gm, "")}\n`;
}

interface DrawnTable {
  rows: Iterable<string>;
  /** Hidden columns that have values. */
  leftOut: string[];
}

/** Draws a table as wide as the terminal. `everything`: no column is hidden. */
export function drawTable(
  records: readonly Row[],
  fields: readonly OutputField[],
  { columns, everything }: { columns: number; everything: boolean },
  chalk: ChalkInstance,
): DrawnTable {
  const all = fields.map((field) => measured(aligned(field, records), records));
  const { shown, leftOut } = layout(all, records.length, columns, everything);
  const cell = (parts: CellPart[], { width }: ShownColumn, { most, paint }: { most: number; paint: Paint }): string => {
    const fits = textWidth(plainText(parts)) <= width;
    const lines = fits ? [parts] : wrapped(charactersOf(parts, most * width), most, width);
    return lines.map((line) => painted(line, paint, chalk)).join("\n");
  };
  const head = shown.map((column) =>
    cell([{ text: sanitizeLine(column.field.name), isHit: false }], column, { most: 1, paint: chalk.bold }),
  );
  const cells = (record: Row): string[] =>
    shown.map((column) => {
      const { field } = column;
      const most = (field.column?.cut ?? !field.column) ? 1 : mostLines;
      return cell(cellParts(field.of(record)), column, { most, paint: paintOf(field, record, chalk) });
    });
  function* rows() {
    for (let at = 0; at === 0 || at < records.length; at += rowsAtOnce)
      yield drawRows([...(at ? [] : [head]), ...records.slice(at, at + rowsAtOnce).map(cells)], shown);
  }
  return {
    rows: rows(),
    leftOut: records.length ? leftOut.filter(({ constant }) => constant !== "").map(leftOutText) : [],
  };
}

/** Prints an object with a line for each field. Nothing is cut, so that addresses can be copied. */
export function describeRecord(record: Row, fields: readonly OutputField[], chalk: ChalkInstance): string {
  const width = Math.max(0, ...fields.map(({ name }) => textWidth(sanitizeLine(name))));
  return fields
    .map((field) => {
      const name = sanitizeLine(field.name);
      const blanks = " ".repeat(width - textWidth(name) + gap);
      return `${`${chalk.bold(name)}${blanks}${paintedValue(field, record, chalk)}`.trimEnd()}\n`;
    })
    .join("");
}
