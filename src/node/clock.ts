import { setTimeout } from "node:timers/promises";
import type { Clock } from "../world/world.ts";

/** Longer waits overflow the timers of Node, and end at once. */
const longest = 2 ** 31 - 1;

export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
  random: () => Math.random(),
  async sleep(ms, signal) {
    try {
      for (let left = ms; left >= 0; left -= longest) await setTimeout(Math.min(left, longest), undefined, { signal });
    } catch (error) {
      throw signal?.reason ?? error;
    }
  },
};
