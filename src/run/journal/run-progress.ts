/** Shows progress: a bar in a terminal, a line every ten seconds elsewhere. */

import progress from "cli-progress";
import { outputForm } from "../../argv/global-flags.ts";
import { counted } from "../../common/counted.ts";
import { isStreamed } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { durationText, timeLeftText } from "../../output/progress.ts";
import type { Context } from "../context.ts";

/** The time between two lines, in milliseconds. */
const interval = 10_000;

interface Work {
  rows: number;
  /** How many rows an earlier run has finished. */
  earlier: number;
  /** Replaces the word "row". */
  unit?: "change" | "message" | undefined;
  isStopped(): boolean;
}

export interface RunProgress extends Pick<Work, "rows" | "unit"> {
  /** Rows with a known outcome, also from an earlier run. */
  value: number;
  /** Rows a second in this run. */
  rate: number;
  /** Seconds, if known. */
  left: number | undefined;
  /** No more requests are sent. */
  isStopped: boolean;
  failures: Record<string, number>;
}

/** Returns `2 refused`, `1 unknown`. `always`: listed even with 0. */
export const countTexts = (counts: Record<string, number>, always: readonly string[] = []): string[] =>
  Object.entries(counts)
    .filter(([name, count]) => count > 0 || always.includes(name))
    .map(([name, count]) => `${count} ${name.replace("_", " ")}`);

/** Returns `3 of 7 rows`. */
const shareText = ({ value, rows, unit }: RunProgress): string => `${value} of ${counted(rows, unit ?? "row")}`;

function lineText(state: RunProgress): string {
  const { rate, left, isStopped, failures } = state;
  const time = left === undefined ? [] : [`${durationText(left)} left`];
  const pace = isStopped ? ["finishing"] : [`${rate.toFixed(1)} a second`, ...time];
  return [shareText(state), ...countTexts(failures), ...pace].join(", ");
}

/** The progress bar, with rate, remaining time and failures. */
export function barText(state: RunProgress, columns: number): string {
  const { value, rows, rate, left, isStopped, failures } = state;
  const refused = countTexts(failures, ["refused"]);
  if (columns < 60)
    return [`${value}/${rows}`, ...(isStopped ? ["finishing"] : [timeLeftText(left), ...refused])].join(", ");
  const length = columns < 100 ? 8 : 20;
  const share = rows > 0 ? value / rows : 1;
  const bar = progress.Format.BarFormat(share, {
    barsize: length,
    barCompleteString: "=".repeat(length),
    barIncompleteString: "-".repeat(length),
    barGlue: "",
  });
  const pace = isStopped ? ["finishing"] : [`${rate.toFixed(1)} a second`, timeLeftText(left)];
  return [`${bar} ${Math.floor(share * 100)} %`, shareText(state), ...pace, ...refused].join(" | ");
}

interface Progress {
  /** Called for each row. `isNew`: this run has finished it. */
  update(isNew: boolean, counts: Record<string, number>): void;
  /** Removes the bar. */
  end(): void;
}

export function showProgress(
  { world, flags, waits }: Pick<Context, "world" | "flags" | "waits">,
  { rows, earlier, unit, isStopped }: Work,
): Progress {
  const { stderr, stdout, clock } = world;
  const began = clock.monotonic();
  let finished = 0;
  let failures: Record<string, number> = { refused: 0 };
  // Rate and remaining time only count this run.
  const state = (): RunProgress => {
    const value = Math.min(rows, earlier + finished);
    const seconds = (clock.monotonic() - began) / 1000;
    const rate = seconds > 0 ? finished / seconds : 0;
    const left = rate > 0 ? (rows - value) / rate : undefined;
    return { rows, unit, value, rate, left, isStopped: isStopped(), failures };
  };
  const showingWith = (onUpdate: () => void, end: () => void): Progress => ({
    update(isNew, { done: _, not_sent: __, ...counts }) {
      if (isNew) finished++;
      failures = counts;
      onUpdate();
    },
    end,
  });
  // Rows printed on the same screen are progress enough.
  const printing = stderr.isTerminal && stdout.isTerminal && isStreamed(outputForm(flags));
  if (flags.quiet || printing) return { update: () => undefined, end: () => undefined };
  if (waits.redraws) {
    const drawn = (columns: number) => barText(state(), columns);
    return showingWith(() => undefined, waits.begin({ what: "sending", progress: drawn }).end);
  }
  const resume = waits.pause();
  let last = began;
  const printLine = () => {
    if (clock.monotonic() - last < interval) return;
    last = clock.monotonic();
    stderr.write(programLine(`${lineText(state())}\n`)).catch(() => {});
  };
  // A waiting run is shown too, even if no row finishes.
  const timer = setInterval(printLine, 250);
  timer.unref();
  return showingWith(printLine, () => {
    clearInterval(timer);
    resume();
  });
}
