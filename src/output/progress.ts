/** Formats the progress of long work. */
import { counted } from "../counted.ts";
import type { World } from "../world.ts";
import { size } from "./when.ts";

export interface RunProgress {
  rows: number;
  /** Rows with a known outcome, also from an earlier run. */
  value: number;
  /** Rows a second in this run. */
  rate: number;
  /** Seconds, if known. */
  left: number | undefined;
  /** What the run waits for after its last request. */
  finishing: string | undefined;
  lacking: Record<string, number>;
  /** Replaces the word "row". */
  unit?: "change" | "message" | undefined;
}

export function inWords(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const leftText = (seconds: number | undefined): string =>
  `${seconds === undefined ? "?" : inWords(seconds)} left`;

/** `3 of 7 rows`. */
export const shareOf = ({ value, rows, unit }: Pick<RunProgress, "value" | "rows" | "unit">): string =>
  `${value} of ${counted(rows, unit ?? "row")}`;

/** `2 refused, 1 unknown`. `always`: listed even with 0. */
export const lacksOf = ({ lacking }: Pick<RunProgress, "lacking">, always: readonly string[] = []): string[] =>
  Object.entries(lacking)
    .filter(([what, count]) => count > 0 || always.includes(what))
    .map(([what, count]) => `${count} ${what.replace("_", " ")}`);

/** Formats the progress of a download at byte `at`. `from`: the first byte of this connection, for the speed. */
export function downloadText(
  clock: Pick<World["clock"], "monotonic">,
  { name, total, from }: { name: string; total: number | undefined; from: number },
): (at: number, columns: number) => string {
  const begun = clock.monotonic();
  return (at, columns) => {
    const seconds = (clock.monotonic() - begun) / 1000;
    const rate = seconds > 0 ? (at - from) / seconds : 0;
    const speed = `${size(Math.round(rate))}/s`;
    const left = leftText(rate > 0 && total !== undefined ? (total - at) / rate : undefined);
    const parts =
      total === undefined
        ? [size(at), speed]
        : [`${Math.floor((at / Math.max(total, 1)) * 100)} %`, left, `${size(at)} of ${size(total)}`, speed];
    const text = parts.join(" | ");
    return name.length + 3 + text.length <= columns ? `${name} | ${text}` : text;
  };
}
