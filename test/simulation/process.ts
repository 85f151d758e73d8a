/** A process that can die at any step. Its pending waits never end then. */
import type { Chance } from "./chance.ts";
import type { Time } from "./time.ts";

/** For a dead process, whose errors nobody sees. */
const ignoreErrors = (act: () => unknown) => {
  try {
    act();
  } catch {}
};

// A new promise each time: a shared one would keep all waiters in memory.
const never = () => new Promise<never>(() => {});

export class Process {
  alive = true;
  /** From this time on its writes may be missing on disk: it died, or the disk failed. */
  unreliableFrom = Number.POSITIVE_INFINITY;
  /** By lock, when it lost it. */
  readonly lostLocks = new Map<string, number>();
  /** Resolves when the process dies. */
  readonly death: Promise<void>;
  #die: () => void = () => {};
  /** Steps until death. */
  #left: number;
  /** The end of its pause. A paused container behaves so. */
  #frozen = 0;
  /** When its pause began. */
  #moved = 0;
  readonly #time: Time;
  readonly #chance: Chance;

  constructor(time: Time, chance: Chance, lifetime: number) {
    this.#time = time;
    this.#chance = chance;
    this.#left = lifetime;
    this.death = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  die(): void {
    if (!this.alive) return;
    this.alive = false;
    this.becomeUnreliable();
    this.#die();
  }

  /** Pauses the process for some milliseconds. */
  freeze(ms: number): void {
    if (this.silence === 0) this.#moved = this.#time.now;
    this.#frozen = Math.max(this.#frozen, this.#time.now + ms);
  }

  /** The milliseconds since its last sign of life. 0 if it is not paused. */
  get silence(): number {
    return this.#time.now < this.#frozen ? this.#time.now - this.#moved : 0;
  }

  async #thaw(): Promise<void> {
    while (this.alive && this.#time.now < this.#frozen) await this.#time.sleep(this.#frozen - this.#time.now);
  }

  /** Another process has taken its lock. */
  loseLock(path: string): void {
    if (!this.alive) return;
    this.lostLocks.set(path, this.#time.now);
    this.becomeUnreliable();
  }

  becomeUnreliable(): void {
    this.unreliableFrom = Math.min(this.unreliableFrom, this.#time.now);
  }

  /** Does something after a short wait. If the process dies meanwhile, it does `torn`, all, or nothing. */
  async step<T>(act: () => T, torn: () => void = () => {}): Promise<T> {
    if (!this.alive) return never();
    await this.#time.sleep(this.#chance.next() * 3);
    await this.#thaw();
    if (!this.alive) return never();
    if (--this.#left === 0) {
      // It dies before, during or after the step.
      const when = this.#chance.whole(0, 2);
      if (when === 1) torn();
      if (when === 2) ignoreErrors(act);
      this.die();
      return never();
    }
    return act();
  }

  /** Waits for the outside world. Never resolves if the process dies first. */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    if (!this.alive) return never();
    try {
      const value = await work;
      await this.#thaw();
      return this.alive ? value : never();
    } catch (error) {
      await this.#thaw();
      if (!this.alive) return never();
      throw error;
    }
  }
}
