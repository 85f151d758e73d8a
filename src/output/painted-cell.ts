/** The colors of one cell. */
import type { ChalkInstance } from "chalk";
import type { OutputField } from "./chosen-fields.ts";
import type { Row } from "./form.ts";
import { type CellPart, cellParts } from "./table-cell.ts";

/** Adds colors to a text. */
export type Paint = (text: string) => string;

export const painted = (parts: readonly CellPart[], paint: Paint, chalk: ChalkInstance): string =>
  parts.map(({ text, isHit }) => (text ? paint(isHit ? chalk.bold.yellow(text) : text) : "")).join("");

const colors = { dim: "dim", good: "green", bad: "red", warn: "yellow" } as const;

export function paintOf({ column }: OutputField, record: Row, chalk: ChalkInstance): Paint {
  const style = column?.style?.(record);
  return style ? chalk[colors[style]] : (text) => text;
}

/** Formats the value of a field on one line. */
export const paintedValue = (field: OutputField, record: Row, chalk: ChalkInstance): string =>
  painted(cellParts(field.of(record)), paintOf(field, record, chalk), chalk);
