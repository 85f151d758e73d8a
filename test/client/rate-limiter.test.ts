/** Held to sliding windows as a server counts them, in virtual time. */
import { setMaxListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { getLinkifiers } from "../../src/api/linkifiers.ts";
import { RateLimiter } from "../../src/client/rate-limiter.ts";
import { RetryBudget } from "../../src/client/retry.ts";
import { Server } from "../../src/client/server.ts";
import { Interrupted } from "../../src/errors.ts";
import { ApiError, headersOf, Limits, type Rule } from "../../src/sandbox/index.ts";
import { type Http, Secret, type World } from "../../src/world.ts";
import { Time } from "../simulation/time.ts";
import { answer, memoryFiles, testWorld } from "../world.ts";

const epoch = Date.UTC(2026, 0, 15, 12) + 137;

interface Setup {
  rules?: Rule[];
  /** Milliseconds that a request takes, there and back. */
  latency?: number;
  /** How far the client's clock is ahead of the server's. */
  ahead?: number;
  date?: boolean;
  round?: (seconds: number) => number;
  /** Which rule the headers tell of, where not the one that bites first. */
  tells?: Rule;
}

function setting({
  rules = [{ seconds: 60, hits: 200 }],
  latency = 40,
  ahead = 0,
  date = false,
  round = Math.ceil,
  tells,
}: Setup = {}) {
  const time = new Time();
  const limits = new Limits();
  const counts = { answered: 0, refused: 0 };
  /** When the server counted each call. */
  const counted: number[] = [];
  const now = () => epoch + time.now;
  const http: Http = async () => {
    await time.sleep(latency / 2);
    const at = now();
    const dated: Record<string, string> = date ? { date: new Date(at).toUTCString() } : {};
    try {
      const left = limits.hit("account", rules, at, 371);
      counted.push(at - epoch);
      const headers = headersOf([
        tells ? { ...left, limit: tells.hits, remaining: 999, reset: at + tells.seconds * 1000 } : left,
      ]);
      headers["x-ratelimit-reset"] = String(round((tells ? at + tells.seconds * 1000 : left.reset) / 1000));
      await time.sleep(latency / 2);
      counts.answered++;
      return answer(200, { result: "success", msg: "", linkifiers: [] }, { ...headers, ...dated });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await time.sleep(latency / 2);
      counts.refused++;
      return answer(
        429,
        { result: "error", msg: "limit", code: "RATE_LIMIT_HIT", ...error.fields },
        { ...error.headers, ...dated },
      );
    }
  };
  const shared = memoryFiles();
  const stop = new AbortController();
  // All requests of all processes listen to this one.
  setMaxListeners(0, stop.signal);
  /** A process: `requests` of them, `concurrency` at a time. */
  const run = async (requests: number, { concurrency = 4, files = shared, many = true } = {}) => {
    const world: World = {
      ...testWorld({ http }),
      signals: { stop: stop.signal, underway: 0, computing: (work) => work() },
      files: {
        ...files,
        // As the real one does: looks again until the time is over.
        lock: async (path, wait) => {
          for (let waited = 0; ; waited += 50) {
            const unlock = await files.lock(path, 0);
            if (unlock || waited >= wait) return unlock;
            await time.sleep(50);
          }
        },
        write: async (path, text) => {
          await time.sleep(3);
          await files.write(path, text);
        },
      },
      clock: {
        now: () => now() + ahead,
        monotonic: () => time.now + 5,
        random: () => 0.5,
        sleep: (ms, signal) => time.sleep(ms, signal),
      },
    };
    const server = new Server(
      world,
      { site: "https://chat.example", email: "ada@chat.example", tls: {}, key: async () => new Secret("k") },
      {
        timeout: 30_000,
        retryBudget: new RetryBudget(120_000),
        allowIgnored: false,
        grace: 2000,
        many,
      },
    );
    let left = requests;
    const worker = async () => {
      while (left-- > 0) await server.call(getLinkifiers, {});
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    await server.close();
    return time.now;
  };
  return { time, counts, counted, run, stop, files: shared };
}

/** The calls in the emptiest window that lies within the run. */
function fewest(counted: readonly number[], seconds = 60): number {
  const last = counted.at(-1)!;
  const whole = counted.filter((at) => at + seconds * 1000 <= last);
  return Math.min(...whole.map((from) => counted.filter((at) => at >= from && at < from + seconds * 1010).length));
}

describe("1,000 requests against 200 a minute", () => {
  test.each([
    ["one clock", {}],
    ["slow answers", { latency: 900 }],
    ["a clock that is 1.2 s ahead", { ahead: 1200 }],
    ["a clock that is 1.2 s behind", { ahead: -1200 }],
    ["a clock that is an hour off, and a server that tells its time", { ahead: 3_600_000, date: true }],
    ["reset times rounded down", { round: Math.floor }],
  ])("meet no 429 and use at least 95 %% of it: %s", async (_, setup) => {
    const { time, run, counts, counted } = setting(setup);
    await time.until(run(1000));
    expect(counts).toEqual({ answered: 1000, refused: 0 });
    expect(fewest(counted)).toBeGreaterThanOrEqual(190);
  });

  test.each([2, 3])("are shared by %i processes, without a 429", async (processes) => {
    const { time, run, counts, counted } = setting();
    const each = Math.floor(1200 / processes);
    const took = await time.until(Promise.all(Array.from({ length: processes }, () => run(each))));
    expect(counts).toEqual({ answered: each * processes, refused: 0 });
    expect(fewest(counted)).toBeGreaterThanOrEqual(processes === 2 ? 190 : 180);
    // Equal work side by side ends at about the same time.
    expect(Math.max(...took) - Math.min(...took)).toBeLessThan(20_000);
  });

  test("a process that starts later gets its part, without a 429", async () => {
    const { time, run, counts, counted } = setting();
    const late = async () => {
      await time.sleep(70_000);
      return run(300);
    };
    const [first, second] = await time.until(Promise.all([run(1000), late()]));
    expect(counts).toEqual({ answered: 1300, refused: 0 });
    expect(second).toBeLessThan(first);
    expect(fewest(counted)).toBeGreaterThanOrEqual(190);
  });
});

test("the hour's limit is kept as well as the minute's", async () => {
  const rules = [
    { seconds: 60, hits: 200 },
    { seconds: 3600, hits: 2000 },
  ];
  const { time, run, counts } = setting({ rules });
  const took = await time.until(run(2300));
  expect(counts).toEqual({ answered: 2300, refused: 0 });
  expect(took).toBeLessThan(3_665_000);
});

test("a server that tells of its hour's limit alone is not asked more often than the usual 200 times a minute", async () => {
  const hour = { seconds: 3600, hits: 2000 };
  const { time, run, counts } = setting({ rules: [{ seconds: 60, hits: 200 }, hour], tells: hour });
  await time.until(run(700));
  expect(counts).toEqual({ answered: 700, refused: 0 });
});

test("calls of a program that shares nothing are made room for", async () => {
  const { time, run, counts } = setting();
  const elsewhere = memoryFiles();
  const other = async () => {
    for (let n = 0; n < 20; n++) {
      await time.sleep(7000);
      await run(10, { files: elsewhere, many: false, concurrency: 1 });
    }
  };
  await time.until(Promise.all([run(1000), other()]));
  expect(counts.answered).toBe(1200);
  expect(counts.refused).toBeLessThanOrEqual(12);
});

describe("the shared file", () => {
  const path = (files: ReturnType<typeof memoryFiles>) => [...files.content.keys()];

  test("is not touched while plenty is left", async () => {
    const { time, run, files } = setting();
    files.lock = async () => Promise.reject(new Error("touched"));
    await time.until(run(100, { many: false }));
    expect(path(files)).toEqual([]);
  });

  test("that nobody can write does no harm", async () => {
    const { time, run, counts, files } = setting();
    files.write = async () => Promise.reject(new Error("EROFS"));
    await time.until(run(600));
    expect(counts).toEqual({ answered: 600, refused: 0 });
  });

  test.each(["{", '{"rules":[{"window":-1}],"sharers":{"a":{"until":"x"}}}'])(
    "that holds %j does no harm",
    async (text) => {
      const { time, run, counts, files } = setting();
      await time.until(run(200));
      files.content.set(path(files)[0]!, text);
      await time.until(time.sleep(120_000));
      await time.until(run(450));
      expect(counts).toEqual({ answered: 650, refused: 0 });
    },
  );

  test("whose holder never lets go of its lock does no harm", async () => {
    const { time, run, counts, files } = setting();
    files.lock = async () => undefined;
    await time.until(run(600));
    expect(counts).toEqual({ answered: 600, refused: 0 });
  });

  test("that a killed neighbour left gives its part back after some seconds", async () => {
    const { time, run, counts, files } = setting();
    await time.until(run(200));
    const [name] = path(files);
    const shared = JSON.parse(files.content.get(name!)!);
    shared.sharers.gone = { until: epoch + time.now + 5000, underway: 3, calls: [] };
    files.content.set(name!, JSON.stringify(shared));
    const took = await time.until(run(400));
    expect(counts).toEqual({ answered: 600, refused: 0 });
    expect(took).toBeLessThan(130_000);
  });
});

test("a signal ends the waiting at once", async () => {
  const { time, run, stop } = setting();
  const running = run(400);
  time.after(30_000, () => stop.abort(new Interrupted("SIGINT")));
  await expect(time.until(running)).rejects.toThrow("interrupted while waiting");
  expect(time.now).toBe(30_000);
});

test("a stale file cannot block the account", async () => {
  const { time, run, files, counts } = setting();
  await time.until(run(200));
  const [name] = files.content.keys();
  const shared = JSON.parse(files.content.get(name!)!);
  shared.sharers.gone = { until: 0, underway: 0, calls: [epoch + time.now] };
  shared.rules = [{ window: 1e12, capacity: 1, at: epoch + time.now + 1000 }];
  files.content.set(name!, JSON.stringify(shared));
  await time.until(run(10));
  expect(counts.answered).toBe(210);
  expect(time.now).toBeLessThan(130_000);
});

test("a 429 that asks for more than --max-wait ends every request that waits for its turn", async () => {
  const { signal } = new AbortController();
  const limiter = new RateLimiter(testWorld(), { site: "https://chat.example" }, { most: 120_000 });
  await limiter.turn(signal);
  limiter.answered({ status: 429, headers: {} }, 121);
  await expect(limiter.turn(signal)).rejects.toThrow(
    "chat.example takes the next request of this account in 2 min 1 s, longer than --max-wait",
  );
});
