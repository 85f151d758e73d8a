/** Which columns of a table fit into a terminal, and how wide each of them is. */
import type { Field } from "./fields.ts";

/** Spaces between two columns. */
export const gap = 2;

/** A column of text is left out where it would be narrower. */
const readable = 20;

/** A column narrower than this says nothing; a terminal too narrow even so breaks the lines itself. */
const narrowest = 3;

/** A column with what its cells need. */
export interface Measured {
  field: Field;
  /** Its widest text, the head included. */
  natural: number;
  /** The text that stands in every row. */
  constant?: string | undefined;
}

export interface Shown {
  field: Field;
  width: number;
}

export interface Layout {
  shown: Shown[];
  leftOut: Measured[];
}

export const alignRight = ({ column }: Field): boolean => column?.align === "right";

// A number that has lost digits is another number.
const isWhole = (field: Field): boolean => field.column?.whole ?? alignRight(field);

const importanceOf = ({ field }: Measured) => field.column?.importance ?? "normal";

const leastOf = ({ field, natural }: Measured): number => (isWhole(field) ? natural : Math.min(natural, readable));

const widthOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width + gap, widths.length ? -gap : 0);

/** Takes from the widest columns until all fit; none becomes narrower than its `least`. */
export function fitted(widths: readonly number[], least: readonly number[], room: number): number[] {
  const capped = (cap: number) => widths.map((width, at) => Math.min(width, Math.max(cap, least[at] ?? 0)));
  let cap = Math.max(...widths, narrowest);
  while (cap > narrowest && widthOf(capped(cap)) > room) cap--;
  return capped(cap);
}

/** Says the same in every row. Of a single row, only empty cells count. */
const isConstant = (column: Measured, rows: number): boolean =>
  column.constant === "" || (column.constant !== undefined && rows > 1 && importanceOf(column) !== "high");

/** As many columns as have room to be read, the important ones first. */
function fitting(all: readonly Measured[], room: number): Measured[] {
  const kept = new Set<Measured>();
  let left = room + gap;
  for (const importance of ["high", "normal", "low"])
    for (const column of all.filter((each) => importanceOf(each) === importance)) {
      const needed = leastOf(column) + gap;
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

/** `everything`: the columns were chosen, and none is left out. */
export function layout(all: readonly Measured[], rows: number, room: number, everything = false): Layout {
  const shown = everything ? all : shownOf(all, rows, room);
  const natural = shown.map((column) => column.natural);
  // What may be narrowed: first what may be cut, then what is wrapped, then even what should be whole, and at last all.
  const steps: ((column: Measured) => number)[] = [
    (column) => (column.field.column?.cut ? leastOf(column) : column.natural),
    leastOf,
    ({ field, natural }) => (alignRight(field) ? natural : Math.min(natural, readable)),
    ({ field, natural }) => (alignRight(field) ? natural : 0),
  ];
  const tried = steps.map((least) => fitted(natural, shown.map(least), room));
  const widths = tried.find((each) => widthOf(each) <= room) ?? tried.at(-1) ?? [];
  return {
    shown: shown.map(({ field }, at) => ({ field, width: widths[at] ?? 0 })),
    leftOut: all.filter((column) => !shown.includes(column)),
  };
}
