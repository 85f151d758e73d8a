/** How fast a long piece of work goes, in words. */
import { counted } from "../counted.ts";

/** How far it is. */
export interface RunProgress {
  rows: number;
  /** Rows of which something is known, those that an earlier run has done included. */
  value: number;
  /** Rows a second, of this run alone. */
  rate: number;
  /** Seconds, where they can be told. */
  left: number | undefined;
  /** Nothing new is begun any more: what is still waited for, in words. */
  finishing: string | undefined;
  lacking: Record<string, number>;
  /** What rows are called where that is not what they are. */
  unit?: "change" | undefined;
}

/** `3 of 7 rows`. */
export const shareOf = ({ value, rows, unit }: Pick<RunProgress, "value" | "rows" | "unit">): string =>
  `${value} of ${counted(rows, unit ?? "row")}`;

/** `2 refused, 1 unknown`; what must always be there is there also where it is none. */
export const lacksOf = ({ lacking }: Pick<RunProgress, "lacking">, always: readonly string[] = []): string[] =>
  Object.entries(lacking)
    .filter(([what, count]) => count > 0 || always.includes(what))
    .map(([what, count]) => `${count} ${what.replace("_", " ")}`);

/** A second. */
export const rateOf = (value: number, ms: number): number => (ms > 0 ? value / (ms / 1000) : 0);

export function inWords(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
