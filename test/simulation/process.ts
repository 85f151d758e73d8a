/** A process that can die at any of its steps; what it was waiting for then never comes. */
import type { Chance } from "./chance.ts";
import type { Time } from "./time.ts";

/** Nobody is left to hear of what goes wrong. */
const ignoreErrors = (act: () => unknown) => {
  try {
    act();
  } catch {}
};

// One for each who waits: a shared one would keep all of them in memory for ever.
const never = () => new Promise<never>(() => {});

export class Process {
  alive = true;
  /** From then on nothing that it learned is sure to be on disk: it died, or its disk failed. */
  unreliableFrom = Number.POSITIVE_INFINITY;
  /** When it lost which lock. */
  readonly lostLocks = new Map<string, number>();
  /** Resolves when the process dies. */
  readonly death: Promise<void>;
  #die: () => void = () => {};
  /** Steps until death. */
  #left: number;
  /** Until when it stands still, as a container that is paused does. */
  #frozen = 0;
  /** When it last did not. */
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

  /** From now on, for so many milliseconds. */
  freeze(ms: number): void {
    if (this.silence === 0) this.#moved = this.#time.now;
    this.#frozen = Math.max(this.#frozen, this.#time.now + ms);
  }

  /** For how long it has given no sign of life; 0 where it is at work. */
  get silence(): number {
    return this.#time.now < this.#frozen ? this.#time.now - this.#moved : 0;
  }

  async #thaw(): Promise<void> {
    while (this.alive && this.#time.now < this.#frozen) await this.#time.sleep(this.#frozen - this.#time.now);
  }

  /** Its lock is another's. */
  loseLock(path: string): void {
    if (!this.alive) return;
    this.lostLocks.set(path, this.#time.now);
    this.becomeUnreliable();
  }

  becomeUnreliable(): void {
    this.unreliableFrom = Math.min(this.unreliableFrom, this.#time.now);
  }

  /** Takes a moment and does something, `torn` instead where the process dies over it. */
  async step<T>(act: () => T, torn: () => void = () => {}): Promise<T> {
    if (!this.alive) return never();
    await this.#time.sleep(this.#chance.next() * 3);
    await this.#thaw();
    if (!this.alive) return never();
    if (--this.#left === 0) {
      // Before, during or after it: what is done is done.
      const when = this.#chance.whole(0, 2);
      if (when === 1) torn();
      if (when === 2) ignoreErrors(act);
      this.die();
      return never();
    }
    return act();
  }

  /** Gives what other than this process brings about, unless it is dead by then. */
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
