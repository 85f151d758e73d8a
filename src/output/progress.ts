/** How far a download is, in one line. */
import type { World } from "../world.ts";
import { inWords } from "./rate.ts";
import { size } from "./when.ts";

/** The bar where there is room for all of it, and where it is worth its room. */
const longest = 20;
const shortest = 6;

export interface Progress {
  /** Where no line can be drawn anew. */
  words: string;
  /** A line of at most so many columns, when so many bytes are there. */
  drawn(at: number, columns: number): string;
}

/** `from` is where this connection has begun: what came before says nothing about how fast it goes now. */
export function progressLine(
  clock: Pick<World["clock"], "monotonic">,
  { name, total, from }: { name: string; total: number | undefined; from: number },
): Progress {
  const begun = clock.monotonic();
  const words = `downloading ${name}${total === undefined ? "" : ` (${size(total)})`}`;
  const drawn = (at: number, columns: number): string => {
    const seconds = (clock.monotonic() - begun) / 1000;
    const rate = seconds > 0 ? (at - from) / seconds : 0;
    const speed = `${size(Math.round(rate))}/s`;
    if (total === undefined) return fitting(columns, [[name, size(at), speed], [size(at), speed], [size(at)]]);
    const percent = `${Math.floor((at / Math.max(total, 1)) * 100)} %`;
    const left = rate > 0 ? `${inWords((total - at) / rate)} left` : "? left";
    const parts = fitting(columns - shortest - 1, [
      [name, percent, `${size(at)} of ${size(total)}`, speed, left],
      [percent, `${size(at)} of ${size(total)}`, speed, left],
      [percent, speed, left],
      [percent, left],
      [percent],
    ]);
    const room = Math.min(longest, columns - parts.length - 1);
    if (room < shortest) return percent.slice(0, Math.max(columns, 0));
    const filled = Math.min(room, Math.round((at / Math.max(total, 1)) * room));
    return `${"=".repeat(filled)}${"-".repeat(room - filled)} ${parts}`;
  };
  return { words, drawn };
}

/** The fullest wording that fits. */
const fitting = (columns: number, wordings: readonly string[][]): string => {
  const all = wordings.map((parts) => parts.join(" | "));
  return all.find(({ length }) => length <= columns) ?? all.at(-1)!;
};
