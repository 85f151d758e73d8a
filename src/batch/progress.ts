/** How far a run is: a bar on a terminal, a line every ten seconds elsewhere. */

import { type Flags, formOf } from "../argv/flags.ts";
import type { Bar } from "../output/bar.ts";
import { arrives } from "../output/form.ts";
import { inWords, lacksOf, type RunProgress, rateOf, shareOf } from "../output/rate.ts";
import type { World } from "../world.ts";

/** Milliseconds between two lines, and before there is a bar. */
const between = 10_000;
const before = 500;

interface Course {
  /** All rows, and those of them that an earlier run has finished. */
  rows: number;
  earlier: number;
  /** What rows are called where that is not what they are. */
  unit?: "change" | undefined;
  /** Nothing new is sent any more. */
  stopped(): boolean;
}

function lineOf(progress: RunProgress): string {
  const { rate, left, finishing, lacking } = progress;
  const time = left === undefined ? [] : [`${inWords(left)} left`];
  const pace = finishing === undefined ? [`${rate.toFixed(1)} a second`, ...time] : [finishing];
  return [shareOf(progress), ...lacksOf({ lacking }), ...pace].join(", ");
}

export class Progress {
  /** Whether it shows anything by itself. */
  readonly shown: boolean;
  readonly #world: Pick<World, "stderr" | "clock">;
  readonly #course: Course;
  readonly #draws: boolean;
  readonly #began: number;
  readonly #timer: NodeJS.Timeout;
  #here = 0;
  #lacking: Record<string, number> = { refused: 0 };
  #lastLine: number;
  #bar: Bar | undefined;
  #loading = false;
  #ended = false;

  constructor({ stderr, stdout, clock, env }: World, flags: Flags, course: Course) {
    this.#world = { stderr, clock };
    this.#course = course;
    // Rows that arrive on the same screen are progress enough, and a bar would run through them.
    const printing = stderr.isTerminal && stdout.isTerminal && arrives(formOf(flags));
    this.shown = !flags.quiet && !printing;
    this.#draws = stderr.isTerminal && env.TERM !== "dumb";
    this.#began = clock.monotonic();
    this.#lastLine = this.#began;
    // A run that waits shows that too, though no row is finished meanwhile.
    this.#timer = setInterval(() => this.#show(), 250);
    this.#timer.unref();
  }

  /** `here` rows were finished by this run, those that were not sent not counted. */
  update(here: number, { not_sent: _, ...lacking }: Record<string, number>): void {
    this.#here = here;
    this.#lacking = lacking;
    this.#show();
  }

  /** Leaves nothing on the screen. */
  end(): void {
    this.#ended = true;
    clearInterval(this.#timer);
    this.#bar?.end();
  }

  #show(): void {
    const { clock, stderr } = this.#world;
    const now = clock.monotonic();
    if (this.#ended || !this.shown) return;
    if (this.#draws) {
      if (now - this.#began >= before && !this.#loading) this.#draw().catch(() => {});
      this.#bar?.update(this.#progress(now));
    } else if (now - this.#lastLine >= between) {
      this.#lastLine = now;
      stderr.write(`zulipctl: ${lineOf(this.#progress(now))}\n`).catch(() => {});
    }
  }

  async #draw(): Promise<void> {
    this.#loading = true;
    const { bar } = await import("../output/bar.ts");
    const { clock, stderr } = this.#world;
    if (!this.#ended) this.#bar = bar(stderr, this.#progress(clock.monotonic()));
  }

  /** Rate and time left are those of this run: an earlier one took its own time. */
  #progress(now: number): RunProgress {
    const { rows, earlier, unit, stopped } = this.#course;
    const value = Math.min(rows, earlier + this.#here);
    const rate = rateOf(this.#here, now - this.#began);
    const left = rate > 0 ? (rows - value) / rate : undefined;
    return { rows, value, rate, left, finishing: stopped() ? "finishing" : undefined, lacking: this.#lacking, unit };
  }
}
