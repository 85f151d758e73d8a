/** Tables: drawn for a terminal, tab-separated for a pipe. */
import type { ChalkInstance } from "chalk";
import { cellParts, cellText } from "./cell.ts";
import type { Field } from "./fields.ts";
import type { Row } from "./form.ts";
import type { Part } from "./marked.ts";
import { sanitizeLine } from "./sanitize.ts";

const gap = 2;
/** A column narrower than this says nothing any more; a terminal too narrow even so breaks the lines itself. */
const narrowest = 3;

type Width = (text: string) => number;
type Draw = (text: string) => string;

const same: Draw = (text) => text;

/** Takes from the widest columns until all fit; none becomes narrower than its `least`. */
export function fitted(widths: readonly number[], least: readonly number[], room: number): number[] {
  const capped = (cap: number) => widths.map((width, at) => Math.min(width, Math.max(cap, least[at]!)));
  let cap = Math.max(...widths, narrowest);
  while (cap > narrowest && capped(cap).reduce((all, width) => all + width, 0) > room) cap--;
  return capped(cap);
}

/** The parts cut to a width, the last sign an ellipsis where something is lost. */
function cut(parts: readonly Part[], room: number, width: Width, graphemes: Intl.Segmenter): Part[] {
  if (width(parts.map(({ text }) => text).join("")) <= room) return [...parts];
  const kept: Part[] = [];
  let left = room - 1;
  for (const { text, hit } of parts) {
    let taken = "";
    for (const { segment } of graphemes.segment(text)) {
      left -= width(segment);
      if (left < 0) return [...kept, { text: `${taken}…`, hit }];
      taken += segment;
    }
    kept.push({ text: taken, hit });
  }
  return kept;
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

/** A text as it goes to the terminal, and how many columns it takes there. */
interface Cell {
  text: string;
  width: number;
}

interface Sheet {
  head?: Cell[];
  rows: Cell[][];
  widths: number[];
  align: ("left" | "right")[];
}

// The library measures by tables of signs that are years old. What it lays out are stand-ins as wide as the texts.
const standIn = ({ width }: Cell): string => "x".repeat(width);

async function drawing(): Promise<(sheet: Sheet) => string> {
  const { default: Table } = await import("cli-table3");
  return ({ head, rows, widths, align }) => {
    const table = new Table({
      ...(head ? { head: head.map(standIn) } : {}),
      chars,
      colWidths: widths.map((width) => width + gap),
      colAligns: align,
      style: { head: [], border: [], "padding-left": 0, "padding-right": gap },
    });
    table.push(...rows.map((row) => row.map(standIn)));
    const cells = [head ?? [], ...rows].flat().filter(({ width }) => width > 0);
    const texts = cells[Symbol.iterator]();
    return table
      .toString()
      .replace(/x+/g, () => texts.next().value!.text)
      .replace(/ +$/gm, "");
  };
}

const tools = () => Promise.all([import("./width.ts"), drawing()]);

/** Loads what drawing takes. */
export const prepareTable = async (): Promise<void> => void (await tools());

/** Drawn as wide as the terminal. */
export async function* drawn(
  records: readonly Row[],
  fields: readonly Field[],
  columns: number,
  chalk: ChalkInstance,
): AsyncIterable<string> {
  const [{ textWidth }, draw] = await tools();
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
  const inks = ink(chalk);
  const heads = fields.map(({ name }) => sanitizeLine(name));
  const natural = heads.map(textWidth);
  const align = fields.map(({ column }) => column?.align ?? ("left" as const));
  // A number that has lost digits is another number.
  const whole = fields.map(({ column }, at) => column?.whole ?? align[at] === "right");
  const least = fields.map(() => 0);
  for (const record of records)
    for (const [at, { of }] of fields.entries()) {
      const width = textWidth(cellText(of(record)));
      natural[at] = Math.max(natural[at]!, width);
      if (whole[at]) least[at] = Math.max(least[at]!, width);
    }
  const room = columns - gap * (fields.length - 1);
  // Where not even that fits, what is no number is cut like other texts.
  const numbers = least.map((width, at) => (align[at] === "right" ? width : 0));
  const all = (widths: number[]) => widths.reduce((sum, width) => sum + width, 0);
  const comfortable = fitted(natural, least, room);
  const widths = all(comfortable) <= room ? comfortable : fitted(natural, numbers, room);
  const cell = (parts: readonly Part[], at: number, style: Draw, hit: Draw): Cell => {
    const kept = cut(parts, widths[at]!, textWidth, graphemes);
    return { text: coloured(kept, style, hit), width: textWidth(kept.map(({ text }) => text).join("")) };
  };
  const head = heads.map((text, at) => cell([{ text, hit: false }], at, inks.head, same));
  const cells = (record: Row) =>
    fields.map((field, at) => cell(cellParts(field.of(record)), at, styleOf(field, record, inks), inks.hit));
  for (let at = 0; at === 0 || at < records.length; at += sheet)
    yield `${draw({ ...(at ? {} : { head }), rows: records.slice(at, at + sheet).map(cells), widths, align })}\n`;
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
