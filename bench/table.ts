import type { Spread } from "./measure.ts";

/** One figure: what was measured, and as a multiple of what. */
export interface Figure {
  what: string;
  value: Spread;
  unit: "ms" | "MiB" | "requests/s" | "requests" | "ms per 1,000" | "MiB per 1,000";
  ratios: Record<string, Spread>;
  /** The largest median, and the largest multiples. */
  limit?: { value?: number; ratios?: Record<string, number> };
}

/** Returns a line for each figure above its limit. A limit of what was not measured counts for nothing. */
export const exceeded = (figures: readonly Figure[]): string[] =>
  figures.flatMap(({ what, value, unit, ratios, limit }) => {
    const above = (most: number | undefined, found: number | undefined, of: string) =>
      most !== undefined && found !== undefined && found > most
        ? [`${what.trim()}: ${digits(found)} ${of}, more than ${most}`]
        : [];
    return [
      ...above(limit?.value, value.median, unit),
      ...Object.entries(limit?.ratios ?? {}).flatMap(([of, most]) => above(most, ratios[of]?.median, `× ${of}`)),
    ];
  });

const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

const shown = ({ median, low, high }: Spread) =>
  low === high ? digits(median) : `${digits(median)} (${digits(low)}–${digits(high)})`;

/** Markdown, aligned, so that it can be read on a terminal and pasted into a page. */
export function table(figures: readonly Figure[]): string {
  const rows = [
    ["what", "median (quartiles)", "as a multiple of"],
    ...figures.map(({ what, value, unit, ratios }) => [
      what,
      `${shown(value)} ${unit}`,
      Object.entries(ratios)
        .map(([of, each]) => `${of}: ${shown(each)}`)
        .join("; "),
    ]),
  ];
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(" | ")} |`;
  return [line(rows[0]!), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.slice(1).map(line)]
    .join("\n")
    .concat("\n");
}
