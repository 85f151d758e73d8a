/** A row of a run: the changes of a line of a file, or of one thing. */
import type { ChangeRow } from "../../engine/task.ts";
import { Usage } from "../../errors.ts";

/** Why a row is left out. */
export type LeftOut = "skipped" | "not_selected";

export interface RunRow extends ChangeRow {
  /** The line on which it begins. */
  line?: number;
  /** As it stands in the input, without its end. */
  raw?: string;
  /** What is wrong with it. Such a row is not sent. */
  problem?: RowProblem;
  /** Why the run is not about it. */
  leftOut?: LeftOut;
}

export interface RowProblem {
  file: string;
  line: number;
  /** The row, if others are on its line. */
  row?: number;
  column?: string | number;
  message: string;
  hint?: string;
}

/** Returns the failure of a bad row. */
export const invalid = ({ line, column, message, hint }: RowProblem): Usage =>
  new Usage(message, { outcome: "not_sent", hint, more: { line, ...(column !== undefined && { column }) } });
