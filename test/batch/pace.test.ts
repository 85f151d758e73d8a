/** Long runs against a sandbox that limits its accounts to 200 calls a minute, in virtual time. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import type { Http, HttpRequest, HttpResponse, World } from "../../src/world/world.ts";
import { credentials, site } from "../run.ts";
import { Time } from "../simulation/time.ts";
import { memoryFiles, type TestWorld, testWorld } from "../world.ts";
import { column, count } from "./rows.ts";

const epoch = Date.UTC(2026, 0, 15, 12) + 137;

/** Runs of the command in virtual time, on one account and one disk. */
class Timed {
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
    // Like the real lock, tries again until the time is over.
    const lock: World["files"]["lock"] = async (path, wait) => {
      for (let waited = 0; ; waited += 50) {
        const unlock = await files.lock(path, 0);
        if (unlock || waited >= wait) return unlock;
        await time.sleep(50);
      }
    };
    return { ...testWorld({ http, env }), clock, files: { ...files, lock } };
  }

  /** Advances virtual time until all runs end. Waits for loading of code, which takes real time. */
  async run(...runs: [argv: string[], world: World][]): Promise<number[]> {
    this.#running += runs.length;
    const all = Promise.all(runs.map(([argv, world]) => main(argv, world).finally(() => this.#running--)));
    while (this.#running > 0) {
      // Time passes only when no code is running.
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      if (this.#running > 0 && !this.time.pass()) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return all;
  }
}

const words = (file: string, journal: string) => [
  "batch",
  file,
  "-o",
  "none",
  "--journal",
  journal,
  "--",
  "folder",
  "create",
  "{name}",
];

function setting() {
  const timed = new Timed();
  const sandbox = createSandbox({ site, clock: { now: () => timed.now() }, random: () => 0.5 });
  const refused: number[] = [];
  const counted: number[] = [];
  const handle = async (request: HttpRequest) => {
    const response = await sandbox.handle(request);
    (response.status === 429 ? refused : counted).push(timed.time.now);
    return response;
  };
  const world = () => timed.world(credentials(sandbox), handle, 40);
  return { timed, world, refused, counted };
}

const names = (n: number, what = "folder") => count(n).map((number) => `${what} ${number}`);

/** The calls that a limit of 200 a minute allows between the first and the last call. */
const allowed = (calls: number[]) => 200 * (1 + (calls.at(-1)! - calls[0]!) / 60_000);

describe("changes that cannot be merged", () => {
  test("of two simultaneous runs share the rate limit, and no request is refused", async () => {
    const { timed, world, refused, counted } = setting();
    timed.files.content.set("one.csv", column("name", names(480)));
    timed.files.content.set("two.csv", column("name", names(480, "other")));
    const ends: number[] = [];
    const [one, two] = [world(), world()];
    for (const each of [one, two]) {
      const connect = each.connect;
      each.connect = async (tls) => {
        const connection = await connect(tls);
        return {
          ...connection,
          close: async () => {
            ends.push(timed.time.now);
            await connection.close();
          },
        };
      };
    }
    expect(await timed.run([words("one.csv", "one"), one], [words("two.csv", "two"), two])).toEqual([0, 0]);
    expect(refused).toEqual([]);
    expect(counted.length / allowed(counted)).toBeGreaterThanOrEqual(0.95);
    expect(Math.abs(ends[0]! - ends[1]!)).toBeLessThan(20_000);
  });
});
