/** The file in which processes of one account tell each other how much they have asked of its server. */
import type { Files, Lock } from "../world.ts";
import type { Learned } from "./rate-window.ts";

/** A process that sends much, as the shared file knows it. Times are milliseconds since the epoch. */
export interface Sharer {
  /** It wants its part until then. */
  until: number;
  underway: number;
  calls: number[];
}

export interface Shared {
  rules: Learned[];
  sharers: Record<string, Sharer>;
}

const isSharer = (value: unknown): value is Sharer => {
  const { until, underway, calls } = Object(value) as Sharer;
  return Number.isFinite(until) && Number.isInteger(underway) && Array.isArray(calls) && calls.every(Number.isFinite);
};
const isRule = (value: unknown): value is Learned => {
  const { window, capacity, at } = Object(value) as Learned;
  return window > 0 && capacity > 0 && Number.isFinite(at);
};

/** Whatever the text is. */
export function parse(text: string | undefined): Shared {
  try {
    const { rules = [], sharers = {} } = JSON.parse(text ?? "{}") as Shared;
    const entries = Object.entries(sharers).filter(([, sharer]) => isSharer(sharer));
    return { rules: rules.filter(isRule), sharers: Object.fromEntries(entries) };
  } catch {
    // A file that cannot be read says nothing.
    return { rules: [], sharers: {} };
  }
}

/** The lock of the file, for those who can do without. */
export class Locking {
  readonly #files: Files;
  /** The file was locked when it was wanted last: ends the watch for its holder's signs of life. */
  #watch: AbortController | undefined;

  constructor(files: Files) {
    this.#files = files;
  }

  /**
   * The lock, if it can be had soon. A holder on another machine is known to be dead only after half a minute: that is
   * watched for beside the requests, and none of them waits so long.
   */
  async soon(path: string): Promise<Lock | undefined> {
    // Longer than the lock itself takes to tell of a living holder.
    const late = AbortSignal.timeout(this.#watch ? 100 : 1500);
    const lock = await this.#files.lock(path, this.#watch ? 0 : 1000, late).catch((error) => {
      if (!late.aborted) throw error;
      return undefined;
    });
    if (!lock && !this.#watch) this.#watchOver(path);
    return lock;
  }

  #watchOver(path: string): void {
    const watch = new AbortController();
    this.#watch = watch;
    this.#files
      .lock(path, 0, watch.signal)
      .then((freed) => freed?.release())
      // Whatever keeps it locked, requests go on without it.
      .catch(() => undefined)
      .finally(() => {
        this.#watch = undefined;
      });
  }

  end(): void {
    this.#watch?.abort();
  }
}
