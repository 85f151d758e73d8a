/** Tables: with borders in a terminal, tab-separated in a pipe. */
import type { ChalkInstance } from "chalk";
import Table from "cli-table3";
import utils from "cli-table3/src/utils.js";
import { cellParts, cellText, type Part } from "./cell.ts";
import type { Field } from "./fields.ts";
import { textWidth } from "./fold.ts";
import type { Row } from "./form.ts";
import { alignRight, gap, layout, type Measured, type Shown } from "./layout.ts";
import { sanitizeLine } from "./sanitize.ts";

type Draw = (text: string) => string;

const same: Draw = (text) => text;

/** The largest number of lines in a cell. */
const mostLines = 20;

/** Splits text into characters as readers see them, up to the length that is ever shown. */
function signsOf(parts: readonly Part[], most: number): Part[] {
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
  const signs: Part[] = [];
  for (const { text, isHit } of parts)
    for (const { segment } of graphemes.segment(text)) {
      signs.push({ text: segment, isHit });
      if (signs.length > most) return signs;
    }
  return signs;
}

/** Splits characters into the longest parts. */
function joined(signs: readonly Part[]): Part[] {
  const parts: Part[] = [];
  for (const { text, isHit } of signs) {
    const last = parts.at(-1);
    if (last?.isHit === isHit) last.text += text;
    else parts.push({ text, isHit });
  }
  return parts;
}

/** Returns the characters that fit, at least one. */
function fitting(signs: readonly Part[], room: number): Part[] {
  let [end, width] = [0, 0];
  for (const { text } of signs) {
    width += textWidth(text);
    if (width > room) break;
    end++;
  }
  return signs.slice(0, Math.max(end, 1));
}

/**
 * Wraps a text to the width of its column, with an ellipsis if something is cut. Lines break at spaces. Longer words
 * break after punctuation, or anywhere.
 */
function wrapped(signs: Part[], most: number, room: number): Part[][] {
  const lines: Part[][] = [];
  let rest = signs;
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

interface Ink {
  head: Draw;
  hit: Draw;
  styles: Record<"dim" | "good" | "bad" | "warn", Draw>;
}

const ink = (chalk: ChalkInstance): Ink => ({
  head: chalk.bold,
  hit: chalk.bold.yellow,
  styles: { dim: chalk.dim, good: chalk.green, bad: chalk.red, warn: chalk.yellow },
});

const coloured = (parts: readonly Part[], style: Draw, hit: Draw): string =>
  parts.map((part) => (part.text ? style(part.isHit ? hit(part.text) : part.text) : "")).join("");

const styleOf = ({ column }: Field, record: Row, { styles }: Ink): Draw => {
  const style = column?.style?.(record);
  return style ? styles[style] : same;
};

/** A line for each record, and a header. */
export function* tabbed(records: Iterable<Row>, fields: readonly Field[], chalk: ChalkInstance): Iterable<string> {
  const inks = ink(chalk);
  yield `${fields.map(({ name }) => sanitizeLine(name)).join("\t")}\n`;
  for (const record of records)
    yield `${fields
      .map((field) => coloured(cellParts(field.of(record)), styleOf(field, record, inks), inks.hit))
      .join("\t")}\n`;
}

const plainText = (parts: readonly Part[]): string => parts.map(({ text }) => text).join("");

const places = ["top", "bottom", "left", "right", "mid", "middle"];
const borders = [...places, "top-mid", "top-left", "top-right", "bottom-mid", "bottom-left", "bottom-right"];
const chars = Object.fromEntries([...borders, "left-mid", "mid-mid", "right-mid"].map((place) => [place, ""]));

/** The number of rows drawn at a time: the library needs several objects for each cell. */
const sheet = 50;

const colors = /\x1b\[[\d;]*m/g;

// The library's own widths are outdated. Lines are at most as wide as their column.
utils.pad = (line, width, _, side) => {
  const blanks = " ".repeat(Math.max(0, width - textWidth(line.replace(colors, ""))));
  return side === "right" ? blanks + line : line + blanks;
};
utils.truncate = (line) => line;

/** Draws rows. */
function sheetText(rows: readonly string[][], columns: readonly Shown[]): string {
  const table = new Table({
    chars,
    colWidths: columns.map(({ width }) => width + gap),
    colAligns: columns.map(({ field }) => (alignRight(field) ? "right" : "left")),
    style: { head: [], border: [], "padding-left": 0, "padding-right": gap },
  });
  table.push(...rows.map((row) => [...row]));
  return `${table.toString().replace(/ +$/gm, "")}\n`;
}

function measured(field: Field, records: readonly Row[]): Measured {
  const texts = records.map((record) => cellText(field.of(record)));
  const natural = texts.reduce((most, text) => Math.max(most, textWidth(text)), textWidth(sanitizeLine(field.name)));
  return { field, natural, constant: texts.every((text) => text === texts[0]) ? texts[0] : undefined };
}

/** A hidden column, with its value if all rows have the same short one. */
const leftOutText = ({ field, natural, constant }: Measured): string =>
  constant && natural <= 30 ? `${sanitizeLine(field.name)} (${constant})` : sanitizeLine(field.name);

export interface Drawn {
  texts: Iterable<string>;
  /** Hidden columns that have values. */
  leftOut: string[];
}

/** Draws a table as wide as the terminal. `everything`: no column is hidden. */
export function drawn(
  records: readonly Row[],
  fields: readonly Field[],
  { columns, everything }: { columns: number; everything: boolean },
  chalk: ChalkInstance,
): Drawn {
  const inks = ink(chalk);
  const all = fields.map((field) => measured(field, records));
  const { shown, leftOut } = layout(all, records.length, columns, everything);
  const cell = (parts: Part[], { width, most, style }: { width: number; most: number; style: Draw }): string => {
    const fits = textWidth(plainText(parts)) <= width;
    const lines = fits ? [parts] : wrapped(signsOf(parts, most * width), most, width);
    return lines.map((line) => coloured(line, style, inks.hit)).join("\n");
  };
  const head = shown.map(({ field, width }) =>
    cell([{ text: sanitizeLine(field.name), isHit: false }], { width, most: 1, style: inks.head }),
  );
  const cells = (record: Row): string[] =>
    shown.map(({ field, width }) => {
      const most = (field.column?.cut ?? !field.column) ? 1 : mostLines;
      return cell(cellParts(field.of(record)), { width, most, style: styleOf(field, record, inks) });
    });
  function* texts() {
    for (let at = 0; at === 0 || at < records.length; at += sheet)
      yield sheetText([...(at ? [] : [head]), ...records.slice(at, at + sheet).map(cells)], shown);
  }
  return {
    texts: texts(),
    leftOut: records.length ? leftOut.filter(({ constant }) => constant !== "").map(leftOutText) : [],
  };
}

/** Prints an object with a line for each field. Nothing is cut, so that addresses can be copied. */
export function described(record: Row, fields: readonly Field[], chalk: ChalkInstance): string {
  const inks = ink(chalk);
  const width = Math.max(0, ...fields.map(({ name }) => textWidth(sanitizeLine(name))));
  return fields
    .map((field) => {
      const name = sanitizeLine(field.name);
      const value = coloured(cellParts(field.of(record)), styleOf(field, record, inks), inks.hit);
      return `${`${inks.head(name)}${" ".repeat(width - textWidth(name) + gap)}${value}`.trimEnd()}\n`;
    })
    .join("");
}
