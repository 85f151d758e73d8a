/**
 * Tells on stderr what a command waits for, and until when. On a terminal that is a status line with a spinner: it comes
 * after a second, gives way to everything else that is written, and is gone when the wait is over. Elsewhere a long wait
 * is one line.
 */
import type { Output, World } from "../world.ts";
import { inWords } from "./rate.ts";
import { sanitizeLine } from "./sanitize.ts";

export interface Wait {
  /** `no answer from chat.example yet`. */
  what: string;
  /** What comes when it is over: `giving up`. */
  next?: string;
  /** When that is at the latest, in milliseconds of the clock that never jumps. */
  until?: number;
  /** It lasts until then, whatever others do. */
  fixed?: boolean;
  /** A long piece of work; what is waited for within it is told rather, where that is longer than a moment. */
  around?: boolean;
  /** The status line in other words than these, made anew at each look: how far it is, in at most so many columns. */
  drawn?: (columns: number) => string;
}

export interface Waiting {
  /** From now on it waits for this. */
  now(wait: Wait): void;
  end(): void;
}

type Screen = Pick<World, "stdout" | "stderr" | "clock" | "env" | "signals">;

/** Milliseconds: until the status line is there, until a line elsewhere is, and between two looks at the clock. */
const short = 1000;
const long = 10_000;
const look = 250;
/** Waits that follow each other within this are one to a person. */
const together = 100;

/** The spinner, of signs that every terminal has, and the blank behind it. */
const frames = ["-", "\\", "|", "/"];
const spinnerWidth = 2;
const erase = "\r\x1b[K";

const widthOf = (character: string): number => (character > "\u02ff" && character !== "…" ? 2 : 1);

/** As much of a text as certainly fits. */
function cut(text: string, columns: number): string {
  let [width, kept] = [0, ""];
  for (const character of text) {
    width += widthOf(character);
    // Room for the ellipsis stays.
    if (width < columns) kept += character;
    if (width > columns) return columns > 0 ? `${kept.trimEnd()}…` : "";
  }
  return text;
}

interface Active {
  wait?: Wait;
  /** When it began to wait for this. */
  since: number;
  shown: boolean;
}

type Known = Required<Active>;

export class Waits {
  readonly #screen: Screen;
  readonly #quiet: boolean;
  readonly #active = new Set<Active>();
  #streak = Number.NEGATIVE_INFINITY;
  #lastEnd = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  #closed = false;
  #redrawn: boolean | undefined;
  /** The status line is on the screen. */
  #shown = false;
  #turn = 0;
  /** Outputs whose last line has no end yet. */
  readonly #within = new Set<Output>();

  constructor(screen: Screen, { quiet = false }: { quiet?: boolean } = {}) {
    this.#screen = screen;
    this.#quiet = quiet;
    screen.signals.stop.addEventListener("abort", () => this.close(), { once: true });
  }

  /** In the logs of CI, which may have a terminal, each turn would be a line. */
  get #redraws(): boolean {
    const { stderr, env } = this.#screen;
    this.#redrawn ??= stderr.isTerminal && env.TERM !== "dumb" && env.CI === undefined;
    return this.#redrawn;
  }

  begin(wait?: Wait): Waiting {
    const now = this.#screen.clock.monotonic();
    const active: Active = { since: now, shown: false };
    if (!this.#active.size && now - this.#lastEnd > together) this.#streak = now;
    this.#active.add(active);
    const waiting: Waiting = {
      now: (next) => {
        if (next.what !== active.wait?.what) {
          active.since = this.#screen.clock.monotonic();
          active.shown = false;
        }
        active.wait = next;
        // What is over before the next look would only flicker, and whether there is a terminal takes a module to find out.
        if (this.#surelyLong(next)) this.#look();
        else this.#lookIn(Math.max(look, this.#streak + short - this.#screen.clock.monotonic()));
      },
      end: () => {
        if (!this.#active.delete(active)) return;
        this.#lastEnd = this.#screen.clock.monotonic();
        if (!this.#active.size) this.#rest();
      },
    };
    if (wait) waiting.now(wait);
    return waiting;
  }

  async during<T>(wait: Wait, work: Promise<T>): Promise<T> {
    const waiting = this.begin(wait);
    try {
      return await work;
    } finally {
      waiting.end();
    }
  }

  /** The same values; from the first that somebody wants to the last it is one wait. */
  async *throughout<T, R>(wait: Wait, values: AsyncIterable<T, R>): AsyncGenerator<T, R> {
    const waiting = this.begin(wait);
    try {
      return yield* values;
    } finally {
      waiting.end();
    }
  }

  /** Says nothing until the function that it gives is called: for whoever has the terminal, or tells in another way. */
  pause(): () => void {
    this.#pauses++;
    this.#hide();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#pauses--;
      this.#look();
    };
  }

  /** Says nothing any more. */
  close(): void {
    this.#closed = true;
    this.#rest();
  }

  /** The same output; the status line gives way to what is written there. */
  watching(output: Output): Output {
    const write = (text: string | Uint8Array) => {
      const last = text.at(-1);
      if (last === "\n" || last === 10) this.#within.delete(output);
      else if (last !== undefined) this.#within.add(output);
      if (this.#shown && output.isTerminal) this.#hide();
      return output.write(text);
    };
    return Object.create(output, { write: { value: write } });
  }

  /** The wait that is told: of several the first that knows what it is. */
  get #foremost(): Known | undefined {
    const known = [...this.#active].filter((active): active is Known => active.wait !== undefined);
    const within = known.find(({ wait }) => !wait.around);
    const around = known.find(({ wait }) => wait.around);
    if (!within || !around) return within ?? around;
    // A line that changes with each request could not be read.
    return this.#redraws && this.#screen.clock.monotonic() - within.since < short ? around : within;
  }

  #look(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const active = this.#foremost;
    if (this.#quiet || this.#closed || !active) return;
    const after = this.#redraws ? this.#draw(active) : this.#tell(active);
    if (after !== undefined) this.#lookIn(after);
  }

  #lookIn(ms: number): void {
    if (this.#timer || this.#quiet || this.#closed) return;
    this.#timer = setTimeout(() => this.#look(), ms);
    this.#timer.unref();
  }

  #surelyLong({ fixed, until = Number.NEGATIVE_INFINITY }: Wait): boolean {
    return fixed === true && until - this.#screen.clock.monotonic() > long;
  }

  /** Milliseconds until it should be looked at again. */
  #draw({ wait }: Known): number {
    const { clock, stderr } = this.#screen;
    const early = this.#streak + short - clock.monotonic();
    if (early > 0) return early;
    // A line that wraps could not be taken back.
    const line = this.#words(wait, (stderr.columns ?? 80) - 1 - spinnerWidth);
    // Half a line of something else may stand at the cursor.
    const occupied = [...this.#within].some(({ isTerminal }) => isTerminal);
    if (this.#pauses || occupied) return look;
    stderr.write(`${this.#shown ? erase : ""}${frames[this.#turn++ % frames.length]} ${line}`).catch(() => {});
    this.#shown = true;
    return look;
  }

  #tell(active: Known): number | undefined {
    const { clock, stderr } = this.#screen;
    const { wait, since, shown } = active;
    if (shown || this.#pauses) return undefined;
    const now = clock.monotonic();
    const early = since + (stderr.isTerminal ? short : long) - now;
    if (early > 0 && !this.#surelyLong(wait)) return early;
    active.shown = true;
    stderr.write(`${this.#words(wait)}\n`).catch(() => {});
    return undefined;
  }

  /** When it is over stays, however little room there is. */
  #words({ what, next, until, drawn }: Wait, columns = Number.POSITIVE_INFINITY): string {
    if (drawn && columns < Number.POSITIVE_INFINITY) return cut(sanitizeLine(drawn(columns)), columns);
    const left = until === undefined ? undefined : Math.max(0, until - this.#screen.clock.monotonic()) / 1000;
    const then = next && left !== undefined ? `; ${next} ${left > 0 ? `in ${inWords(left)}` : "now"}` : "";
    return cut(`${cut(`zulipctl: ${sanitizeLine(what)}`, columns - then.length)}${then}`, columns);
  }

  #hide(): void {
    if (this.#shown) this.#screen.stderr.write(erase).catch(() => {});
    this.#shown = false;
    this.#turn = 0;
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#hide();
  }
}
