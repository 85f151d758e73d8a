/** A process that can die at any step, and the files that it writes until then. */
import type { Files } from "../../../src/world/world.ts";

// A new promise each time: a shared one would keep all waiters in memory.
const never = () => new Promise<never>(() => {});

export class Life {
  isAlive = true;
  readonly death: Promise<void>;
  #die: () => void = () => {};
  #left: number;

  /** `steps`: it dies at this one. */
  constructor(steps: number) {
    this.#left = steps;
    this.death = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  /** Never resolves if the process is dead, or dies now. */
  async step(): Promise<void> {
    if (this.isAlive && --this.#left === 0) {
      this.isAlive = false;
      this.#die();
    }
    if (!this.isAlive) await never();
  }
}

const full = () => Object.assign(new Error("no space is left in the simulation"), { code: "ENOSPC" });

/**
 * Returns the files of a process. It can die before and after each write. `isFull`: whether a line of a log finds no space.
 * Locks end with their process.
 */
export function filesOf(files: Files, life: Life, locks: Map<string, Life>, isFull: (path: string) => boolean): Files {
  const written = async <T>(act: () => T | Promise<T>): Promise<T> => {
    await life.step();
    const done = await act();
    await life.step();
    return done;
  };
  return {
    ...files,
    write: (path, text) => written(() => files.write(path, text)),
    remove: (path) => written(() => files.remove(path)),
    append: async (path, options) => {
      const log = await written(() => files.append(path, options));
      return { ...log, append: (text) => written(() => log.append(text)) };
    },
    rollingLog: (path, options) => {
      const log = files.rollingLog(path, options);
      const add = (line: string) => (isFull(path) ? Promise.reject(full()) : log.add(line));
      return { ...log, add: (line) => written(() => add(line)) };
    },
    lock: async (path) => {
      await life.step();
      if (locks.get(path)?.isAlive) return undefined;
      locks.set(path, life);
      return {
        isHeld: () => locks.get(path) === life,
        release: async () => void (locks.get(path) === life && locks.delete(path)),
      };
    },
  };
}
