/** How far a run is: a bar on a terminal, a line every ten seconds elsewhere. */
import type { Tally } from "../engine/summary.ts";
import { arrives } from "../output/form.ts";
import { type Flags, formOf } from "../shell/flags.ts";
import type { World } from "../world.ts";

const interval = 10_000;

export interface Shown {
  told(tally: Tally): void;
  end(): void;
}

const silent: Shown = { told: () => undefined, end: () => undefined };

class Lines implements Shown {
  readonly #world: Pick<World, "stderr" | "clock">;
  readonly #total: number;
  readonly #timer: NodeJS.Timeout;
  readonly #began: number;
  #last: number;
  #tally: Tally | undefined;

  constructor(world: Pick<World, "stderr" | "clock">, total: number) {
    this.#world = world;
    this.#total = total;
    this.#began = world.clock.monotonic();
    this.#last = this.#began;
    // A run that waits tells so too, though no row is finished meanwhile.
    this.#timer = setInterval(() => this.#tell(), 1000);
    this.#timer.unref();
  }

  told(tally: Tally): void {
    this.#tally = tally;
    this.#tell();
  }

  #tell(): void {
    const now = this.#world.clock.monotonic();
    if (now - this.#last < interval) return;
    this.#last = now;
    const { total = 0, lacking } = this.#tally ?? {};
    const rate = total / ((now - this.#began) / 1000);
    const left = rate > 0 ? `, ${inWords((this.#total - total) / rate)} left` : "";
    const lacks = Object.entries(lacking ?? {}).filter(([, count]) => count > 0);
    const bad = lacks.map(([what, count]) => `, ${count} ${what.replace("_", " ")}`).join("");
    const line = `zulipctl: ${total} of ${this.#total} rows${bad}, ${rate.toFixed(1)} a second${left}\n`;
    this.#world.stderr.write(line).catch(() => {});
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

const inWords = (seconds: number): string => {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

export const Progress = {
  /** `total` rows. */
  async start(world: World, flags: Flags, total: number): Promise<Shown> {
    if (flags.quiet) return silent;
    const { stderr, stdout } = world;
    // Rows that arrive on the same screen are progress enough, and a bar would run through them.
    if (stderr.isTerminal && stdout.isTerminal && arrives(formOf(flags))) return silent;
    if (!stderr.isTerminal) return new Lines(world, total);
    const { bar } = await import("../output/bar.ts");
    return bar(stderr, total);
  },
};
