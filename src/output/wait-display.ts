/**
 * Shows on stderr what a command waits for, and until when. A terminal gets a status line with a spinner: it appears
 * after a second, gives way to other output, and disappears at the end. Elsewhere a long wait is one line.
 */

import type { Output, World } from "../world/world.ts";
import { programLine } from "./line.ts";
import { durationText } from "./progress.ts";
import { sanitizeLine } from "./sanitize.ts";

export interface Wait {
  /** `no answer from chat.example yet`. */
  what: string;
  /** What happens at the end: `giving up`. */
  next?: string;
  /** The latest end, in milliseconds of the monotonic clock. */
  until?: number;
  /** It always lasts until then. */
  isFixed?: boolean;
  /** Waits within it are shown instead of it. */
  isOuter?: boolean;
  /** Returns the progress, in at most `columns`. It is shown after a signal too. */
  progress?: (columns: number) => string;
}

export interface ActiveWait {
  /** Replaces the wait. */
  update(wait: Wait): void;
  end(): void;
}

type Screen = Pick<World, "stdout" | "stderr" | "clock" | "env" | "signals">;

/** Milliseconds until the status line appears, until a line elsewhere, and between two frames. */
const short = 1000;
const long = 10_000;
const frame = 250;
/** Waits with shorter gaps between them count as one. */
const together = 100;

/** The spinner, in characters of every terminal. */
const frames = ["-", "\\", "|", "/"];
const erase = "\r\x1b[K";

/** Cuts a text to a width. Rare characters count as wide. */
export function cutToWidth(text: string, columns: number): string {
  let [width, kept] = [0, ""];
  for (const character of text) {
    width += character > "\u02ff" && character !== "…" ? 2 : 1;
    // Leave room for the ellipsis.
    if (width < columns) kept += character;
    if (width > columns) return columns > 0 ? `${kept.trimEnd()}…` : "";
  }
  return text;
}

interface Active {
  wait: Wait;
  /** When this wait began. */
  since: number;
  isShown: boolean;
}

export class WaitDisplay {
  readonly #active = new Map<ActiveWait, Active | undefined>();
  /** When the first of several waits began that count as one. */
  #began = Number.NEGATIVE_INFINITY;
  #lastEnd = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  #interrupted = false;
  #closed: boolean;
  /** The number of frames since the status line appeared. 0 if it is hidden. */
  #drawn = 0;
  /** Outputs with an incomplete last line. */
  readonly #incomplete = new Set<Output>();

  constructor(
    private readonly screen: Screen,
    { quiet = false } = {},
  ) {
    this.#closed = quiet;
    const interrupted = () => {
      this.#interrupted = true;
      this.#hide();
      this.#show();
    };
    screen.signals.stop.addEventListener("abort", interrupted, { once: true });
  }

  /** Returns whether there is a status line. In the log of a CI job, each frame would be a line. */
  get redraws(): boolean {
    const { stderr, env } = this.screen;
    return stderr.isTerminal && env.TERM !== "dumb" && env.CI === undefined;
  }

  begin(wait?: Wait): ActiveWait {
    const { clock } = this.screen;
    if (!this.#active.size && clock.monotonic() - this.#lastEnd > together) this.#began = clock.monotonic();
    const waiting: ActiveWait = {
      update: (next) => {
        const last = this.#active.get(waiting);
        const { since, isShown } = last?.wait.what === next.what ? last : { since: clock.monotonic(), isShown: false };
        this.#active.set(waiting, { wait: next, since, isShown });
        if (this.#surelyLong(next)) this.#show();
      },
      end: () => {
        if (!this.#active.delete(waiting)) return;
        this.#lastEnd = clock.monotonic();
        if (!this.#active.size) this.#stop();
      },
    };
    this.#active.set(waiting, undefined);
    if (!this.#closed) this.#timer ??= setInterval(() => this.#show(), frame).unref();
    if (wait) waiting.update(wait);
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

  /** Shows nothing until the returned function is called. */
  pause(): () => void {
    this.#pauses++;
    this.#hide();
    let over = false;
    return () => {
      if (!over) this.#pauses--;
      over = true;
    };
  }

  /** Shows nothing anymore. */
  close(): void {
    this.#closed = true;
    this.#stop();
  }

  /** Returns the output. The status line gives way to what is written there. */
  watching(output: Output): Output {
    const write = (text: string | Uint8Array) => {
      const last = text.at(-1);
      if (last === "\n" || last === 10) this.#incomplete.delete(output);
      else if (last !== undefined) this.#incomplete.add(output);
      if (this.#drawn && output.isTerminal) this.#hide();
      return output.write(text);
    };
    return Object.create(output, { write: { value: write } });
  }

  /** The wait to show: the first known one. */
  get #foremost(): Active | undefined {
    const shown = [...this.#active.values()].filter((active) => active && (active.wait.progress || !this.#interrupted));
    return shown.find((active) => !active?.wait.isOuter) ?? shown[0];
  }

  #surelyLong({ isFixed, until = Number.NEGATIVE_INFINITY }: Wait): boolean {
    return isFixed === true && until - this.screen.clock.monotonic() > long;
  }

  #show(): void {
    const active = this.#foremost;
    if (this.#closed || this.#pauses || !active) return;
    const { clock, stderr } = this.screen;
    if (this.redraws) {
      if (clock.monotonic() - this.#began < short) return;
      // The cursor may be in another line's middle.
      if ([...this.#incomplete].some(({ isTerminal }) => isTerminal)) return;
      // A wrapped line could not be erased.
      const line = `${frames[this.#drawn % frames.length]} ${this.#words(active.wait, (stderr.columns ?? 80) - 3)}`;
      stderr.write(`${this.#drawn++ ? erase : ""}${line}`).catch(() => {});
    } else if (!active.isShown) {
      const due = active.since + (stderr.isTerminal ? short : long);
      if (clock.monotonic() < due && !this.#surelyLong(active.wait)) return;
      active.isShown = true;
      stderr.write(`${this.#words(active.wait)}\n`).catch(() => {});
    }
  }

  /** The end of the wait is shown in any width. */
  #words({ what, next, until, progress }: Wait, columns = Number.POSITIVE_INFINITY): string {
    if (progress && columns < Number.POSITIVE_INFINITY) return cutToWidth(sanitizeLine(progress(columns)), columns);
    const left = until === undefined ? undefined : Math.max(0, until - this.screen.clock.monotonic()) / 1000;
    const then = next && left !== undefined ? `; ${next} ${left > 0 ? `in ${durationText(left)}` : "now"}` : "";
    return cutToWidth(`${cutToWidth(programLine(sanitizeLine(what)), columns - then.length)}${then}`, columns);
  }

  #hide(): void {
    if (this.#drawn) this.screen.stderr.write(erase).catch(() => {});
    this.#drawn = 0;
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#hide();
  }
}
