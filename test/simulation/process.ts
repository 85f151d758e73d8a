/** A process that can die at any of its steps; what it was waiting for then never comes. */
import type { Chance } from "./chance.ts";
import type { Time } from "./time.ts";

/** Nobody is left to hear of what goes wrong. */
const quietly = (act: () => unknown) => {
  try {
    act();
  } catch {}
};

// One for each who waits: a shared one would keep all of them in memory for ever.
const never = () => new Promise<never>(() => {});

export class Process {
  alive = true;
  /** From then on nothing that it learned is sure to be on disk: it died, or its disk failed. */
  ceased = Number.POSITIVE_INFINITY;
  /** Resolves when the process dies. */
  readonly death: Promise<void>;
  #die: () => void = () => {};
  /** Steps until death. */
  #left: number;
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
    this.cease();
    this.#die();
  }

  cease(): void {
    this.ceased = Math.min(this.ceased, this.#time.now);
  }

  /** Takes a moment and does something, `torn` instead where the process dies over it. */
  async step<T>(act: () => T, torn: () => void = () => {}): Promise<T> {
    if (!this.alive) return never();
    await this.#time.sleep(this.#chance.next() * 3);
    if (!this.alive) return never();
    if (--this.#left === 0) {
      // Before, during or after it: what is done is done.
      const when = this.#chance.whole(0, 2);
      if (when === 1) torn();
      if (when === 2) quietly(act);
      this.die();
      return never();
    }
    return act();
  }

  /** Gives what other than this process brings about, unless it is dead by then. */
  async outlive<T>(work: Promise<T>): Promise<T> {
    if (!this.alive) return never();
    try {
      const value = await work;
      return this.alive ? value : never();
    } catch (error) {
      if (!this.alive) return never();
      throw error;
    }
  }
}
