/** A progress bar on a terminal. */
import { type Params, SingleBar } from "cli-progress";
import type { Output } from "../world.ts";
import { inWords, lacksOf, type Standing, shareOf } from "./rate.ts";

export interface Bar {
  told(standing: Standing): void;
  /** Takes the bar off the screen. */
  end(): void;
}

/** The bar where there is room for all of it. */
const longest = 20;

/** What can be said, the fullest first, each with the shortest bar that is worth its room beside it. */
function wordings(standing: Standing): [bar: number, text: string][] {
  const { value, rows, rate, left, finishing, lacking } = standing;
  const share = shareOf(standing);
  const lacks = lacksOf({ lacking }, ["refused"]).join(", ");
  const percent = `${Math.floor((value / Math.max(rows, 1)) * 100)} %`;
  const time = left === undefined ? "? left" : `${inWords(left)} left`;
  const bars: [number, string[]][] =
    finishing === undefined
      ? [
          [10, [percent, share, `${rate.toFixed(1)} a second`, time, lacks]],
          [6, [share, `${rate.toFixed(1)} a second`, time, lacks]],
          [6, [`${value}/${rows}`, `${rate.toFixed(1)}/s`, time, lacks]],
        ]
      : [
          [10, [percent, share, finishing, lacks]],
          [6, [`${value}/${rows}`, finishing, lacks]],
        ];
  const bare = finishing === undefined ? [`${value}/${rows}`, time, lacks] : [`${value}/${rows}`, finishing];
  return [
    ...bars.map(([bar, parts]): [number, string] => [bar, parts.join(" | ")]),
    [0, bars.at(-1)![1].join(", ")],
    [0, bare.join(", ")],
  ];
}

/** One line of at most so many columns: the bar gives way to the words, and the words to what matters among them. */
export function barLine(standing: Standing, columns: number): string {
  const all = wordings(standing);
  const [least, text] = all.find(([bar, text]) => (bar ? bar + 1 : 0) + text.length <= columns) ?? all.at(-1)!;
  if (!least) return text.slice(0, columns);
  const size = Math.min(longest, columns - text.length - 1);
  const filled = Math.round((standing.value / Math.max(standing.rows, 1)) * size);
  return `${"=".repeat(filled)}${"-".repeat(size - filled)} ${text}`;
}

export function bar(stderr: Output, first: Standing): Bar {
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
    // The last column stays free: some terminals begin a new line when it is written.
    format: (_options: unknown, _params: Params, { standing }: { standing: Standing }) =>
      barLine(standing, stream.columns - 1),
    fps: 4,
    // Whatever ends the program, the terminal is left as it was.
    hideCursor: null,
    linewrap: true,
    clearOnComplete: true,
    stream: stream as unknown as NodeJS.WritableStream,
  });
  shown.start(first.rows, first.value, { standing: first });
  return {
    told: (standing) => shown.update(standing.value, { standing }),
    end: () => shown.stop(),
  };
}
