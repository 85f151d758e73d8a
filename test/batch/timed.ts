/** Runs of the command in virtual time, on one account and one disk. */
import { main } from "../../src/main.ts";
import type { Http, HttpResponse, World } from "../../src/world.ts";
import { Time } from "../simulation/time.ts";
import { memoryFiles, type TestWorld, testWorld } from "../world.ts";

const epoch = Date.UTC(2026, 0, 15, 12) + 137;

export class Timed {
  readonly time = new Time();
  readonly files = memoryFiles();
  #running = 0;

  now(): number {
    return epoch + this.time.now;
  }

  /** A process of its own. `latency` in milliseconds, there and back. */
  world(env: Record<string, string>, handle: Http, latency: number): TestWorld {
    const { time, files } = this;
    const http: Http = async (request): Promise<HttpResponse> => {
      await time.sleep(latency / 2);
      const response = await handle(request);
      await time.sleep(latency / 2);
      return response;
    };
    const clock: World["clock"] = {
      now: () => this.now(),
      monotonic: () => time.now,
      random: () => 0.5,
      sleep: (ms, signal) => time.sleep(ms, signal),
    };
    // As the real one does: looks again until the time is over.
    const lock: World["files"]["lock"] = async (path, wait) => {
      for (let waited = 0; ; waited += 50) {
        const unlock = await files.lock(path, 0);
        if (unlock || waited >= wait) return unlock;
        await time.sleep(50);
      }
    };
    return { ...testWorld({ http, env }), clock, files: { ...files, lock } };
  }

  /** Lets time pass until all have ended; what takes real time, as loading code does, is waited for. */
  async run(...runs: [argv: string[], world: World][]): Promise<number[]> {
    this.#running += runs.length;
    const all = Promise.all(runs.map(([argv, world]) => main(argv, world).finally(() => this.#running--)));
    while (this.#running > 0) {
      // Nothing but code that is still at work keeps time from passing.
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      if (this.#running > 0 && !this.time.pass()) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return all;
  }
}
