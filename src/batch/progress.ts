/** How far a run is: a bar on a terminal, a line every ten seconds elsewhere. */

import { type Flags, formOf } from "../argv/flags.ts";
import type { Bar } from "../output/bar.ts";
import { arrives } from "../output/form.ts";
import { inWords, lacksOf, type RunProgress, rateOf, shareOf } from "../output/rate.ts";
import type { World } from "../world.ts";

/** Milliseconds between two lines, and before there is a bar. */
const between = 10_000;
const before = 500;

type Screen = Pick<World, "stderr" | "stdout" | "clock" | "env">;

export interface Course {
  /** All rows, and those of them that an earlier run has finished. */
  rows: number;
  earlier: number;
  /** What rows are called where that is not what they are. */
  unit?: "change" | undefined;
  /** Nothing new is sent any more. */
  stopped(): boolean;
}

export class Progress {
  readonly #screen: Screen;
  readonly #course: Course;
  readonly #how: "bar" | "lines" | "silent";
  readonly #began: number;
  readonly #timer: NodeJS.Timeout;
  #here = 0;
  #lacking: Record<string, number> = { refused: 0 };
  #last: number;
  #bar: Bar | undefined;
  #wanted = false;
  #ended = false;

  constructor(screen: Screen, flags: Flags, course: Course) {
    const { stderr, stdout, clock, env } = screen;
    this.#screen = screen;
    this.#course = course;
    // Rows that arrive on the same screen are progress enough, and a bar would run through them.
    const printing = stdout.isTerminal && arrives(formOf(flags));
    const drawn = stderr.isTerminal && env.TERM !== "dumb";
    this.#how = flags.quiet || (stderr.isTerminal && printing) ? "silent" : drawn ? "bar" : "lines";
    this.#began = clock.monotonic();
    this.#last = this.#began;
    // A run that waits tells so too, though no row is finished meanwhile.
    this.#timer = setInterval(() => this.#tell(), 250);
    this.#timer.unref();
  }

  /** Whether it tells anything by itself. */
  get shown(): boolean {
    return this.#how !== "silent";
  }

  /** `here` rows were finished by this run, those that were not sent not counted. */
  told(here: number, { not_sent: _, ...lacking }: Record<string, number>): void {
    this.#here = here;
    this.#lacking = lacking;
    this.#tell();
  }

  /** Leaves nothing on the screen. */
  end(): void {
    this.#ended = true;
    clearInterval(this.#timer);
    this.#bar?.end();
  }

  #tell(): void {
    const { clock, stderr } = this.#screen;
    if (this.#ended) return;
    const now = clock.monotonic();
    if (this.#how === "bar" && now - this.#began >= before) {
      this.#show();
      this.#bar?.update(this.#standing(now));
    }
    if (this.#how === "lines" && now - this.#last >= between) {
      this.#last = now;
      stderr.write(`zulipctl: ${this.#line(this.#standing(now))}\n`).catch(() => {});
    }
  }

  #show(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    const { clock, stderr } = this.#screen;
    const start = async () => {
      const { bar } = await import("../output/bar.ts");
      if (!this.#ended) this.#bar = bar(stderr, this.#standing(clock.monotonic()));
    };
    // The run is more than its bar.
    start().catch(() => {});
  }

  /** Rate and time left are this run's: what an earlier one has done took no time of it. */
  #standing(now: number): RunProgress {
    const { rows, earlier, unit, stopped } = this.#course;
    const value = Math.min(rows, earlier + this.#here);
    const rate = rateOf(this.#here, now - this.#began);
    return {
      rows,
      value,
      rate,
      left: rate > 0 ? (rows - value) / rate : undefined,
      finishing: stopped() ? "finishing" : undefined,
      lacking: this.#lacking,
      unit,
    };
  }

  #line(standing: RunProgress): string {
    const { rate, left, finishing, lacking } = standing;
    const time = left === undefined ? [] : [`${inWords(left)} left`];
    const goes = finishing === undefined ? [`${rate.toFixed(1)} a second`, ...time] : [finishing];
    return [shareOf(standing), ...lacksOf({ lacking }), ...goes].join(", ");
  }
}
