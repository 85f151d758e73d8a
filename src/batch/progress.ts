/** How far a run is: a bar on a terminal, a line every ten seconds elsewhere. */
import type { Bar } from "../output/bar.ts";
import { arrives } from "../output/form.ts";
import { type Counts, inWords, lacksOf, rateOf } from "../output/rate.ts";
import { type Flags, formOf } from "../shell/flags.ts";
import type { World } from "../world.ts";

/** Milliseconds between two lines, and before there is a bar. */
const between = 10_000;
const before = 500;

type Screen = Pick<World, "stderr" | "stdout" | "clock">;

export class Progress {
  readonly #screen: Screen;
  readonly #total: number;
  readonly #how: "bar" | "lines" | "silent";
  readonly #began: number;
  readonly #timer: NodeJS.Timeout;
  #counts: Counts = { total: 0, lacking: {} };
  #last: number;
  #bar: Bar | undefined;
  #wanted = false;
  #ended = false;

  /** Of `total` rows. */
  constructor(screen: Screen, flags: Flags, total: number) {
    const { stderr, stdout, clock } = screen;
    this.#screen = screen;
    this.#total = total;
    // Rows that arrive on the same screen are progress enough, and a bar would run through them.
    const printing = stdout.isTerminal && arrives(formOf(flags));
    this.#how = flags.quiet || (stderr.isTerminal && printing) ? "silent" : stderr.isTerminal ? "bar" : "lines";
    this.#began = clock.monotonic();
    this.#last = this.#began;
    // A run that waits tells so too, though no row is finished meanwhile.
    this.#timer = setInterval(() => this.#tell(), 250);
    this.#timer.unref();
  }

  told(counts: Counts): void {
    this.#counts = counts;
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
      this.#bar?.told(this.#counts);
    }
    if (this.#how === "lines" && now - this.#last >= between) {
      this.#last = now;
      stderr.write(`zulipctl: ${this.#line(now)}\n`).catch(() => {});
    }
  }

  #show(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    const { clock, stderr } = this.#screen;
    const start = async () => {
      const { bar } = await import("../output/bar.ts");
      if (!this.#ended) this.#bar = bar(stderr, { total: this.#total, began: this.#began, clock });
    };
    // The run is more than its bar.
    start().catch(() => {});
  }

  #line(now: number): string {
    const { total } = this.#counts;
    const rate = rateOf(total, now - this.#began);
    const left = rate > 0 ? [`${inWords((this.#total - total) / rate)} left`] : [];
    return [`${total} of ${this.#total} rows`, ...lacksOf(this.#counts), `${rate.toFixed(1)} a second`, ...left].join(
      ", ",
    );
  }
}
