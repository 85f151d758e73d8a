/** A progress bar on a terminal. */
import { SingleBar } from "cli-progress";
import type { Output } from "../world.ts";

interface Counts {
  total: number;
  lacking: Record<string, number>;
}

export interface Bar {
  told(counts: Counts): void;
  /** Takes the bar off the screen. */
  end(): void;
}

/** `total` rows, and for each the library's own time left. */
export function bar(stderr: Output, total: number): Bar {
  const began = performance.now();
  const written = (text: string) => {
    stderr.write(text).catch(() => {});
    return true;
  };
  // What the library needs of a stream.
  const stream = Object.assign(Object.create(null), {
    isTTY: true,
    get columns() {
      return stderr.columns ?? 80;
    },
    write: written,
    on: () => undefined,
    removeListener: () => undefined,
  }) as NodeJS.WritableStream;
  const shown = new SingleBar({
    format: "{bar} {percentage} % | {value} of {total} rows | {rate} a second | {eta_formatted} left | {lacks}",
    barsize: 24,
    fps: 4,
    hideCursor: null,
    clearOnComplete: true,
    stream,
    etaBuffer: 200,
  });
  shown.start(total, 0, { rate: "0", lacks: "0 refused" });
  return {
    told({ total: value, lacking }) {
      const rate = value / ((performance.now() - began) / 1000);
      const others = Object.entries(lacking).filter(([what, count]) => what !== "refused" && count > 0);
      const lacks = [["refused", lacking.refused ?? 0], ...others].map(
        ([what, count]) => `${count} ${String(what).replace("_", " ")}`,
      );
      shown.update(value, { rate: rate.toFixed(rate < 10 ? 1 : 0), lacks: lacks.join(", ") });
    },
    end: () => shown.stop(),
  };
}
