/** A progress bar on a terminal. */
import { SingleBar } from "cli-progress";
import type { Clock, Output } from "../world.ts";
import { type Counts, inWords, lacksOf, rateOf } from "./rate.ts";

export interface Bar {
  told(counts: Counts): void;
  /** Takes the bar off the screen. */
  end(): void;
}

/** Of `total` rows; `began` is the time of the clock that never jumps. */
export function bar(stderr: Output, { total, began, clock }: { total: number; began: number; clock: Clock }): Bar {
  // What the library needs of a stream.
  const stream = {
    isTTY: true,
    get columns() {
      return stderr.columns ?? 80;
    },
    write(text: string) {
      stderr.write(text).catch(() => {});
      return true;
    },
    on: () => undefined,
    removeListener: () => undefined,
  };
  const shown = new SingleBar({
    format: "{bar} {percentage} % | {value} of {total} rows | {rate} a second | {left} left | {lacks}",
    barsize: 20,
    fps: 4,
    // Whatever ends the program, the terminal is left as it was.
    hideCursor: null,
    linewrap: true,
    clearOnComplete: true,
    stream: stream as unknown as NodeJS.WritableStream,
  });
  shown.start(total, 0, { rate: "0", left: "?", lacks: "0 refused" });
  return {
    told(counts) {
      const { total: value } = counts;
      const rate = rateOf(value, clock.monotonic() - began);
      const left = rate > 0 ? inWords((total - value) / rate) : "?";
      shown.update(value, { rate: rate.toFixed(1), left, lacks: lacksOf(counts, ["refused"]).join(", ") });
    },
    end: () => shown.stop(),
  };
}
