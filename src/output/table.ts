/** Tables: drawn for a terminal, tab-separated for a pipe. */
import type { ChalkInstance } from "chalk";
import type { Part } from "./cell.ts";
import { cellParts, cellText } from "./cell.ts";
import type { Field } from "./fields.ts";
import type { Row } from "./form.ts";
import { alignRight, gap, layout, type Measured } from "./layout.ts";
import { sanitizeLine } from "./sanitize.ts";

type Width = (text: string) => number;
type Draw = (text: string) => string;

const same: Draw = (text) => text;

/** Lines of one cell. A text that is longer was made to fill the screen. */
const mostLines = 20;

/** What readers take for one letter each, of as much of the text as is ever shown. */
function signsOf(parts: readonly Part[], most: number, graphemes: Intl.Segmenter): Part[] {
  const signs: Part[] = [];
  for (const { text, hit } of parts)
    for (const { segment } of graphemes.segment(text)) {
      signs.push({ text: segment, hit });
      if (signs.length > most) return signs;
    }
  return signs;
}

/** Signs as parts again, each as long as it can be. */
function joined(signs: readonly Part[]): Part[] {
  const parts: Part[] = [];
  for (const { text, hit } of signs) {
    const last = parts.at(-1);
    if (last?.hit === hit) last.text += text;
    else parts.push({ text, hit });
  }
  return parts;
}

/** The place after the last sign that fits into the room; one fits always. */
function endOfLine(signs: readonly Part[], from: number, room: number, width: Width): number {
  let to = from;
  let left = room;
  for (const { text } of signs.slice(from, from + room + 1)) {
    left -= width(text);
    if (left < 0) break;
    to++;
  }
  return Math.max(to, from + 1);
}

/** The last place of a mark after `from`, up to `to`. */
function lastPlace(signs: readonly Part[], from: number, to: number, mark: RegExp): number | undefined {
  for (let at = to; at > from; at--) if (mark.test(signs[at]?.text ?? "")) return at;
  return undefined;
}

/**
 * A text on lines as wide as its column, the last sign an ellipsis where something is lost. Lines break at spaces; a word
 * that is longer than a line breaks after a mark within it, or anywhere.
 */
function linesFor(signs: readonly Part[], most: number, room: number, width: Width): Part[][] {
  const lines: Part[][] = [];
  for (let from = 0; from < signs.length; ) {
    let to = endOfLine(signs, from, room, width);
    if (to < signs.length && lines.length + 1 === most) {
      const kept = room > 1 ? signs.slice(from, endOfLine(signs, from, room - 1, width)) : [];
      return [...lines, joined([...kept, { text: "…", hit: kept.at(-1)?.hit ?? false }])];
    }
    if (to < signs.length) {
      const space = lastPlace(signs, from, to, /^ $/);
      const mark = lastPlace(signs, from, to - 1, /^[_/.@:,-]$/);
      to = space ?? (mark === undefined ? to : mark + 1);
    }
    lines.push(joined(signs.slice(from, to)));
    while (signs[to]?.text === " ") to++;
    from = to;
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
  parts.map((part) => (part.text ? style(part.hit ? hit(part.text) : part.text) : "")).join("");

const styleOf = ({ column }: Field, record: Row, { styles }: Ink): Draw => {
  const style = column?.style?.(record);
  return style ? styles[style] : same;
};

/** One record a line, one column a field, with a header line. */
export function* tabbed(records: Iterable<Row>, fields: readonly Field[], chalk: ChalkInstance): Iterable<string> {
  const inks = ink(chalk);
  yield `${fields.map(({ name }) => sanitizeLine(name)).join("\t")}\n`;
  for (const record of records)
    yield `${fields
      .map((field) => coloured(cellParts(field.of(record)), styleOf(field, record, inks), inks.hit))
      .join("\t")}\n`;
}

const border = ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"];
const lines = ["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"];
const chars = Object.fromEntries([...border, ...lines].map((place) => [place, ""]));

/** How many rows are drawn at a time: the library holds several objects for each cell. */
const sheet = 50;

/** Lines as they go to the terminal. */
type Cell = string[];

const joinedLines = (cell: Cell): string => cell.join("\n");
const colors = /\x1b\[[\d;]*m/g;

interface Sheet {
  head?: Cell[];
  rows: Cell[][];
  widths: number[];
  align: ("left" | "right")[];
}

async function drawing(): Promise<(sheet: Sheet) => string> {
  const [{ default: Table }, { default: utils }, { textWidth }] = await Promise.all([
    import("cli-table3"),
    import("cli-table3/src/utils.js"),
    import("./width.ts"),
  ]);
  // The library measures by tables of signs that are years old. Lines are as wide as their column at most.
  utils.pad = (line, width, _, side) => {
    const blanks = " ".repeat(Math.max(0, width - textWidth(line.replace(colors, ""))));
    return side === "right" ? blanks + line : line + blanks;
  };
  utils.truncate = (line) => line;
  return ({ head, rows, widths, align }) => {
    const table = new Table({
      ...(head ? { head: head.map(joinedLines) } : {}),
      chars,
      colWidths: widths.map((width) => width + gap),
      colAligns: align,
      style: { head: [], border: [], "padding-left": 0, "padding-right": gap },
    });
    table.push(...rows.map((row) => row.map(joinedLines)));
    return table.toString().replace(/ +$/gm, "");
  };
}

const tools = () => Promise.all([import("./width.ts"), drawing()]);

/** Loads what drawing takes. */
export const prepareTable = async (): Promise<void> => void (await tools());

function measured(field: Field, records: readonly Row[], width: Width): Measured {
  let natural = width(sanitizeLine(field.name));
  let constant: string | undefined;
  for (const [at, record] of records.entries()) {
    const text = cellText(field.of(record));
    natural = Math.max(natural, width(text));
    if (at === 0) constant = text;
    else if (text !== constant) constant = undefined;
  }
  return { field, natural, constant };
}

/** A column that was left out, with what it says in every row where that is short. */
const leftOutText = ({ field, natural, constant }: Measured): string =>
  constant && natural <= 30 ? `${sanitizeLine(field.name)} (${constant})` : sanitizeLine(field.name);

export interface Drawn {
  texts: Iterable<string>;
  /** Columns without room that say something. */
  leftOut: string[];
}

/** Drawn as wide as the terminal. `everything`: none of the columns is left out. */
export async function drawn(
  records: readonly Row[],
  fields: readonly Field[],
  { columns, everything }: { columns: number; everything: boolean },
  chalk: ChalkInstance,
): Promise<Drawn> {
  const [{ textWidth }, draw] = await tools();
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
  const inks = ink(chalk);
  const all = fields.map((field) => measured(field, records, textWidth));
  const { shown, leftOut } = layout(all, records.length, columns, everything);
  const widths = shown.map(({ width }) => width);
  const align = shown.map(({ field }) => (alignRight(field) ? ("right" as const) : ("left" as const)));
  const lines = (parts: Part[], width: number, cut: boolean): Part[][] => {
    if (textWidth(parts.map(({ text }) => text).join("")) <= width) return [parts];
    const most = cut ? 1 : mostLines;
    return linesFor(signsOf(parts, most * width, graphemes), most, width, textWidth);
  };
  const cell = (all: Part[][], style: Draw, hit: Draw): Cell => all.map((parts) => coloured(parts, style, hit));
  const head = shown.map(({ field, width }) =>
    cell(lines([{ text: sanitizeLine(field.name), hit: false }], width, true), inks.head, same),
  );
  const cells = (record: Row) =>
    shown.map(({ field, width }) =>
      cell(
        lines(cellParts(field.of(record)), width, field.column?.cut ?? !field.column),
        styleOf(field, record, inks),
        inks.hit,
      ),
    );
  function* texts() {
    for (let at = 0; at === 0 || at < records.length; at += sheet)
      yield `${draw({ ...(at ? {} : { head }), rows: records.slice(at, at + sheet).map(cells), widths, align })}\n`;
  }
  return {
    texts: texts(),
    leftOut: records.length ? leftOut.filter(({ constant }) => constant !== "").map(leftOutText) : [],
  };
}

/** One object, a field a line: nothing is cut, so that an address can be copied whole. */
export async function described(record: Row, fields: readonly Field[], chalk: ChalkInstance): Promise<string> {
  const { textWidth } = await import("./width.ts");
  const inks = ink(chalk);
  const width = Math.max(0, ...fields.map(({ name }) => textWidth(sanitizeLine(name))));
  return fields
    .map((field) => {
      const name = sanitizeLine(field.name);
      const value = coloured(cellParts(field.of(record)), styleOf(field, record, inks), inks.hit);
      return `${inks.head(name)}${" ".repeat(width - textWidth(name) + gap)}${value}`.trimEnd();
    })
    .map((line) => `${line}\n`)
    .join("");
}
