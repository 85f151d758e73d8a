/** The progress bar of a long run, on a terminal. */
import { Writable } from "node:stream";
import { SingleBar } from "cli-progress";
import type { Output } from "../world.ts";
import { inWords, lacksOf, type RunProgress, shareOf } from "./rate.ts";

export interface Bar {
  update(progress: RunProgress): void;
  /** Takes the bar off the screen. */
  end(): void;
}

/** Columns below which there is no bar, and the words are short. */
const narrow = 60;

/** What stands behind the bar. */
export function barText(progress: RunProgress, columns: number): string {
  const { value, rows, rate, left, finishing, lacking } = progress;
  const time = left === undefined ? "? left" : `${inWords(left)} left`;
  const refused = lacksOf({ lacking }, ["refused"]);
  if (columns < narrow) return [`${value}/${rows}`, ...(finishing ? [finishing] : [time, ...refused])].join(", ");
  const pace = finishing ? [finishing] : [`${rate.toFixed(1)} a second`, time];
  return [shareOf(progress), ...pace, ...refused].join(" | ");
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
  const barsize = columns() < 100 ? 8 : 20;
  const isNarrow = columns() < narrow;
  const text = (progress: RunProgress) =>
    barText(progress, columns()).slice(0, columns() - (isNarrow ? 0 : barsize + " 100 % | ".length));
  const shown = new SingleBar({
    format: isNarrow ? "{text}" : "{bar} {percentage} % | {text}",
    barsize,
    barCompleteChar: "=",
    barIncompleteChar: "-",
    fps: 4,
    // Whatever ends the program, the terminal is left as it was.
    hideCursor: null,
    linewrap: true,
    clearOnComplete: true,
    stream,
  });
  shown.start(first.rows, first.value, { text: text(first) });
  return {
    update: (progress) => shown.update(progress.value, { text: text(progress) }),
    end: () => shown.stop(),
  };
}
