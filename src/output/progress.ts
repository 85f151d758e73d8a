/** How far a download is, in one line. */
import type { World } from "../world.ts";
import { inWords } from "./rate.ts";
import { size } from "./when.ts";

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
  const drawn = (at: number, columns: number): string => {
    const seconds = (clock.monotonic() - begun) / 1000;
    const rate = seconds > 0 ? (at - from) / seconds : 0;
    const speed = `${size(Math.round(rate))}/s`;
    const left = rate > 0 && total !== undefined ? `${inWords((total - at) / rate)} left` : "? left";
    const parts =
      total === undefined
        ? [size(at), speed]
        : [`${Math.floor((at / Math.max(total, 1)) * 100)} %`, left, `${size(at)} of ${size(total)}`, speed];
    const text = parts.join(" | ");
    return name.length + 3 + text.length <= columns ? `${name} | ${text}` : text.slice(0, Math.max(columns, 0));
  };
  return { words: `downloading ${name}${total === undefined ? "" : ` (${size(total)})`}`, drawn };
}
