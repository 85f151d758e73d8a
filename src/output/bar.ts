/** The progress bar of a long run, on a terminal. */
import { Writable } from "node:stream";
import { SingleBar } from "cli-progress";
import type { Output } from "../world.ts";
import { inWords, lacksOf, type RunProgress, shareOf } from "./rate.ts";

export interface Bar {
  told(standing: RunProgress): void;
  /** Takes the bar off the screen. */
  end(): void;
}

/** What stands behind the bar. */
export function barText(standing: RunProgress): string {
  const { rate, left, finishing, lacking } = standing;
  const pace = [`${rate.toFixed(1)} a second`, left === undefined ? "? left" : `${inWords(left)} left`];
  return [shareOf(standing), ...(finishing ? [finishing] : pace), ...lacksOf({ lacking }, ["refused"])].join(" | ");
}

export function bar(stderr: Output, first: RunProgress): Bar {
  // The last column stays free: some terminals begin a new line when it is written.
  const columns = () => (stderr.columns ?? 80) - 1;
  const stream = new Writable({
    decodeStrings: false,
    write(text, _, done) {
      stderr.write(text).catch(() => {});
      done();
    },
  });
  Object.defineProperties(stream, { isTTY: { value: true }, columns: { get: columns } });
  const shown = new SingleBar({
    format: columns() < 60 ? "{text}" : "{bar} {percentage} % | {text}",
    barsize: columns() < 100 ? 8 : 20,
    barCompleteChar: "=",
    barIncompleteChar: "-",
    fps: 4,
    // Whatever ends the program, the terminal is left as it was.
    hideCursor: null,
    linewrap: true,
    clearOnComplete: true,
    stream,
  });
  shown.start(first.rows, first.value, { text: barText(first) });
  return {
    told: (standing) => shown.update(standing.value, { text: barText(standing) }),
    end: () => shown.stop(),
  };
}
