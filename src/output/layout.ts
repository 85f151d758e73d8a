/** Chooses the columns of a table that fit into a terminal, and their widths. */
import type { OutputField } from "./chosen-fields.ts";

/** Spaces between two columns. */
export const gap = 2;

/** A narrower column of text is left out. */
const readable = 20;

/** The smallest width. A narrower terminal breaks the lines itself. */
const narrowest = 3;

/** A column and the size of its cells. */
export interface Measured {
  field: OutputField;
  /** The width of its widest text or head. */
  natural: number;
  /** The text, if it is the same in all rows. */
  constant?: string | undefined;
}

export interface ShownColumn {
  field: OutputField;
  width: number;
}

interface Layout {
  shown: ShownColumn[];
  leftOut: Measured[];
}

export const alignRight = ({ column }: OutputField): boolean => column?.align === "right";

// A number without its last digits would be wrong.
const isWhole = (field: OutputField): boolean => field.column?.whole ?? alignRight(field);

const importanceOf = ({ field }: Measured) => field.column?.importance ?? "normal";

const smallestWidth = ({ field, natural }: Measured): number =>
  isWhole(field) ? natural : Math.min(natural, readable);

const widthOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width + gap, widths.length ? -gap : 0);

/** Narrows the widest columns until all fit, but none below its `least`. */
function narrowed(widths: readonly number[], least: readonly number[], room: number): number[] {
  const capped = (cap: number) => widths.map((width, at) => Math.min(width, Math.max(cap, least[at] ?? 0)));
  let cap = Math.max(...widths, narrowest);
  while (cap > narrowest && widthOf(capped(cap)) > room) cap--;
  return capped(cap);
}

/** Returns whether a column has the same text in all rows. With one row, only empty cells count. */
const isConstant = (column: Measured, rows: number): boolean =>
  column.constant === "" || (column.constant !== undefined && rows > 1 && importanceOf(column) !== "high");

/** Returns the columns that fit in a readable width, the important ones first. */
function fitting(all: readonly Measured[], room: number): Measured[] {
  const kept = new Set<Measured>();
  let left = room + gap;
  for (const importance of ["high", "normal", "low"])
    for (const column of all.filter((each) => importanceOf(each) === importance)) {
      const needed = smallestWidth(column) + gap;
      if (needed > left && importance !== "high" && kept.size) continue;
      kept.add(column);
      left -= needed;
    }
  return all.filter((column) => kept.has(column));
}

function shownOf(all: readonly Measured[], rows: number, room: number): readonly Measured[] {
  const fits = (columns: readonly Measured[]) => widthOf(columns.map(({ natural }) => natural)) <= room;
  if (fits(all)) return all;
  const varying = all.filter((column) => !isConstant(column, rows));
  if (!varying.length) return fitting(all, room);
  return fits(varying) ? varying : fitting(varying, room);
}

/** `everything`: no column is left out. */
export function layout(all: readonly Measured[], rows: number, room: number, everything = false): Layout {
  const shown = everything ? all : shownOf(all, rows, room);
  const natural = shown.map((column) => column.natural);
  // First columns that may be cut are narrowed, then wrapped ones, then whole ones, at last all but numbers.
  const steps: ((column: Measured) => number)[] = [
    (column) => (column.field.column?.cut ? smallestWidth(column) : column.natural),
    smallestWidth,
    ({ field, natural }) => (alignRight(field) ? natural : Math.min(natural, readable)),
    ({ field, natural }) => (alignRight(field) ? natural : 0),
  ];
  const tried = steps.map((least) => narrowed(natural, shown.map(least), room));
  const widths = tried.find((each) => widthOf(each) <= room) ?? tried.at(-1) ?? [];
  return {
    shown: shown.map(({ field }, at) => ({ field, width: widths[at] ?? 0 })),
    leftOut: all.filter((column) => !shown.includes(column)),
  };
}
