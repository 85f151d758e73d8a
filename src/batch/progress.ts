/** Shows progress: a bar in a terminal, a line every ten seconds elsewhere. */
import progress from "cli-progress";
import { formOf } from "../argv/flags.ts";
import { arrives } from "../output/form.ts";
import { inWords, lacksOf, leftText, type RunProgress, shareOf } from "../output/progress.ts";
import type { Context } from "../run/context.ts";

/** The time between two lines, in milliseconds. */
const between = 10_000;

interface Course {
  /** The number of rows, and how many of them an earlier run has finished. */
  rows: number;
  earlier: number;
  /** Another word for rows. */
  unit?: "change" | "message" | undefined;
  /** Whether sending has stopped. */
  stopped(): boolean;
}

function lineOf(progress: RunProgress): string {
  const { rate, left, finishing, lacking } = progress;
  const time = left === undefined ? [] : [`${inWords(left)} left`];
  const pace = finishing === undefined ? [`${rate.toFixed(1)} a second`, ...time] : [finishing];
  return [shareOf(progress), ...lacksOf({ lacking }), ...pace].join(", ");
}

/** The progress bar, with rate, remaining time and failures. */
export function barText(state: RunProgress, columns: number): string {
  const { value, rows, rate, left, finishing, lacking } = state;
  const refused = lacksOf({ lacking }, ["refused"]);
  if (columns < 60) return [`${value}/${rows}`, ...(finishing ? [finishing] : [leftText(left), ...refused])].join(", ");
  const length = columns < 100 ? 8 : 20;
  const share = rows > 0 ? value / rows : 1;
  const bar = progress.Format.BarFormat(share, {
    barsize: length,
    barCompleteString: "=".repeat(length),
    barIncompleteString: "-".repeat(length),
    barGlue: "",
  });
  const pace = finishing ? [finishing] : [`${rate.toFixed(1)} a second`, leftText(left)];
  return [`${bar} ${Math.floor(share * 100)} %`, shareOf(state), ...pace, ...refused].join(" | ");
}

export class Progress {
  /** Removes the bar. */
  readonly end: () => void = () => undefined;
  readonly #clock: Context["world"]["clock"];
  readonly #course: Course;
  readonly #began: number;
  #here = 0;
  #lacking: Record<string, number> = { refused: 0 };
  /** Prints a line if it is time. */
  readonly #onUpdate: () => void = () => undefined;

  constructor({ world, flags, waits }: Pick<Context, "world" | "flags" | "waits">, course: Course) {
    const { stderr, stdout, clock } = world;
    this.#clock = clock;
    this.#course = course;
    this.#began = clock.monotonic();
    // Rows printed on the same screen are progress enough.
    const printing = stderr.isTerminal && stdout.isTerminal && arrives(formOf(flags));
    if (flags.quiet || printing) return;
    if (waits.redraws) {
      const drawn = (columns: number) => barText(this.#progress, columns);
      this.end = waits.begin({ what: "sending", drawn }).end;
      return;
    }
    const resume = waits.pause();
    let last = this.#began;
    this.#onUpdate = () => {
      if (clock.monotonic() - last < between) return;
      last = clock.monotonic();
      stderr.write(`zulipctl: ${lineOf(this.#progress)}\n`).catch(() => {});
    };
    // A waiting run is shown too, even if no row finishes.
    const timer = setInterval(this.#onUpdate, 250);
    timer.unref();
    this.end = () => {
      clearInterval(timer);
      resume();
    };
  }

  /** `here`: the number of rows that this run finished, without those not sent. */
  update(here: number, { not_sent: _, ...lacking }: Record<string, number>): void {
    this.#here = here;
    this.#lacking = lacking;
    this.#onUpdate();
  }

  /** Rate and remaining time only count this run. */
  get #progress(): RunProgress {
    const { rows, earlier, unit, stopped } = this.#course;
    const value = Math.min(rows, earlier + this.#here);
    const seconds = (this.#clock.monotonic() - this.#began) / 1000;
    const rate = seconds > 0 ? this.#here / seconds : 0;
    const left = rate > 0 ? (rows - value) / rate : undefined;
    return { rows, value, rate, left, finishing: stopped() ? "finishing" : undefined, lacking: this.#lacking, unit };
  }
}
