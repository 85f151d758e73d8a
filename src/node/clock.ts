import type { Clock } from "../world.ts";

/** Longer waits overflow Node's timers, which then fire at once. */
const longest = 2 ** 31 - 1;

const once = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });

export const clock: Clock = {
  now: () => Date.now(),
  // The global `performance` takes a millisecond to load.
  monotonic: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
  random: () => Math.random(),
  async sleep(ms, signal) {
    for (let left = ms; left >= 0; left -= longest) await once(Math.min(left, longest), signal);
  },
};
