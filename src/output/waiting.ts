/**
 * Says on stderr what a command waits for, and until when. On a terminal that is a status line with a spinner: it comes
 * after a second, gives way to everything else that is written, and is gone when the wait is over. Elsewhere a long wait
 * is one line.
 */
import type { Output, World } from "../world.ts";
import { inWords } from "./progress.ts";
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
  /** Waits within it are shown instead of it. */
  around?: boolean;
  /** How far it is, made anew each time, in at most so many columns: the status line also after a signal. */
  drawn?: (columns: number) => string;
}

export interface Waiting {
  /** From now on it waits for this. */
  now(wait: Wait): void;
  end(): void;
}

type Screen = Pick<World, "stdout" | "stderr" | "clock" | "env" | "signals">;

/** Milliseconds: until the status line is there, until a line elsewhere is, and between two frames. */
const short = 1000;
const long = 10_000;
const frame = 250;
/** Waits that follow each other within this are one to a person. */
const together = 100;

/** The spinner, of signs that every terminal has. */
const frames = ["-", "\\", "|", "/"];
const erase = "\r\x1b[K";

/** As much of a text as certainly fits. */
export function cut(text: string, columns: number): string {
  let [width, kept] = [0, ""];
  for (const character of text) {
    width += character > "\u02ff" && character !== "…" ? 2 : 1;
    // Room for the ellipsis stays.
    if (width < columns) kept += character;
    if (width > columns) return columns > 0 ? `${kept.trimEnd()}…` : "";
  }
  return text;
}

interface Active {
  wait: Wait;
  /** When it began to wait for this. */
  since: number;
  shown: boolean;
}

export class Waits {
  readonly #screen: Screen;
  readonly #active = new Map<Waiting, Active | undefined>();
  #streak = Number.NEGATIVE_INFINITY;
  #lastEnd = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  #interrupted = false;
  #closed: boolean;
  /** Frames of the status line that were drawn since it came; 0 while it is not there. */
  #drawn = 0;
  /** Outputs whose last line has no end yet. */
  readonly #within = new Set<Output>();

  constructor(screen: Screen, { quiet = false }: { quiet?: boolean } = {}) {
    this.#screen = screen;
    this.#closed = quiet;
    const interrupted = () => {
      this.#interrupted = true;
      this.#hide();
      this.#show();
    };
    screen.signals.stop.addEventListener("abort", interrupted, { once: true });
  }

  /** There is a status line. In the logs of CI, which may have a terminal, each frame would be a line. */
  get redraws(): boolean {
    const { stderr, env } = this.#screen;
    return stderr.isTerminal && env.TERM !== "dumb" && env.CI === undefined;
  }

  begin(wait?: Wait): Waiting {
    const { clock } = this.#screen;
    if (!this.#active.size && clock.monotonic() - this.#lastEnd > together) this.#streak = clock.monotonic();
    const waiting: Waiting = {
      now: (next) => {
        const last = this.#active.get(waiting);
        const same = last?.wait.what === next.what ? last : { since: clock.monotonic(), shown: false };
        this.#active.set(waiting, { ...same, wait: next });
        // What is over before the next frame would only flicker, and whether there is a terminal takes a module to find out.
        if (this.#surelyLong(next)) this.#show();
        else this.#showIn(Math.max(frame, this.#streak + short - clock.monotonic()));
      },
      end: () => {
        if (!this.#active.delete(waiting)) return;
        this.#lastEnd = clock.monotonic();
        if (!this.#active.size) this.#rest();
      },
    };
    this.#active.set(waiting, undefined);
    if (wait) waiting.now(wait);
    return waiting;
  }

  async during<T>(wait: Wait, work: Promise<T>): Promise<T> {
    const waiting = this.begin(wait);
    return work.finally(() => waiting.end());
  }

  /** Passes on values. Each is a wait. */
  async *each<T>(wait: Wait, values: AsyncIterable<T>): AsyncGenerator<T> {
    const all = values[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.during(wait, all.next());
        if (done) return;
        yield value;
      }
    } finally {
      await all.return?.();
    }
  }

  /** Shows nothing until the function that it returns is called. */
  pause(): () => void {
    this.#pauses++;
    this.#hide();
    let over = false;
    return () => {
      if (!over) this.#pauses--;
      over = true;
      this.#show();
    };
  }

  /** Shows nothing any more. */
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
      if (this.#drawn && output.isTerminal) this.#hide();
      return output.write(text);
    };
    return Object.create(output, { write: { value: write } });
  }

  /** The wait to show: of several the first that is known. */
  get #foremost(): Active | undefined {
    const shown = [...this.#active.values()].filter((active) => active && (active.wait.drawn || !this.#interrupted));
    return shown.find((active) => !active?.wait.around) ?? shown[0];
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const active = this.#foremost;
    if (this.#closed || !active) return;
    const after = this.redraws ? this.#draw(active) : this.#print(active);
    if (after !== undefined) this.#showIn(after);
  }

  #showIn(ms: number): void {
    if (this.#timer || this.#closed) return;
    this.#timer = setTimeout(() => this.#show(), ms);
    this.#timer.unref();
  }

  #surelyLong({ fixed, until = Number.NEGATIVE_INFINITY }: Wait): boolean {
    return fixed === true && until - this.#screen.clock.monotonic() > long;
  }

  /** Gives the milliseconds until the next frame. */
  #draw({ wait }: Active): number {
    const { clock, stderr } = this.#screen;
    const early = this.#streak + short - clock.monotonic();
    if (early > 0) return early;
    // Half a line of something else may stand at the cursor.
    if (this.#pauses || [...this.#within].some(({ isTerminal }) => isTerminal)) return frame;
    // A line that wraps could not be erased.
    const line = `${frames[this.#drawn % frames.length]} ${this.#words(wait, (stderr.columns ?? 80) - 3)}`;
    stderr.write(`${this.#drawn++ ? erase : ""}${line}`).catch(() => {});
    return frame;
  }

  /** Gives the milliseconds until the line is due. */
  #print(active: Active): number | undefined {
    const { clock, stderr } = this.#screen;
    if (active.shown || this.#pauses) return undefined;
    const early = active.since + (stderr.isTerminal ? short : long) - clock.monotonic();
    if (early > 0 && !this.#surelyLong(active.wait)) return early;
    active.shown = true;
    stderr.write(`${this.#words(active.wait)}\n`).catch(() => {});
    return undefined;
  }

  /** When it is over is shown, however little room there is. */
  #words({ what, next, until, drawn }: Wait, columns = Number.POSITIVE_INFINITY): string {
    if (drawn && columns < Number.POSITIVE_INFINITY) return cut(sanitizeLine(drawn(columns)), columns);
    const left = until === undefined ? undefined : Math.max(0, until - this.#screen.clock.monotonic()) / 1000;
    const then = next && left !== undefined ? `; ${next} ${left > 0 ? `in ${inWords(left)}` : "now"}` : "";
    return cut(`${cut(`zulipctl: ${sanitizeLine(what)}`, columns - then.length)}${then}`, columns);
  }

  #hide(): void {
    if (this.#drawn) this.#screen.stderr.write(erase).catch(() => {});
    this.#drawn = 0;
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#hide();
  }
}
