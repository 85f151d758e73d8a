/** The rate limiter against sliding windows of a server, in virtual time. */
import { setMaxListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { getLinkifiers } from "../../src/api/linkifiers.ts";
import { RateLimiter } from "../../src/client/rate-limiter.ts";
import { RetryBudget } from "../../src/client/retry.ts";
import { Server } from "../../src/client/server.ts";
import { Interrupted } from "../../src/errors.ts";
import { ApiError, Limits, type RateLimit, rateLimitHeaders } from "../../src/sandbox/index.ts";
import { type Http, Secret, type World } from "../../src/world/world.ts";
import { Time } from "../simulation/time.ts";
import { answer, memoryFiles, testWorld } from "../world.ts";

const epoch = Date.UTC(2026, 0, 15, 12) + 137;

interface Setup {
  rules?: RateLimit[];
  /** The duration of a request in milliseconds. */
  latency?: number;
  /** Milliseconds that the client's clock is ahead of the server's. */
  ahead?: number;
  date?: boolean;
  round?: (seconds: number) => number;
  /** The rule in the headers. By default the first that limits. */
  states?: RateLimit | undefined;
}

function simulation({
  rules = [{ seconds: 60, hits: 200 }],
  latency = 40,
  ahead = 0,
  date = false,
  round = Math.ceil,
  states,
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
      const headers = rateLimitHeaders([
        states ? { ...left, limit: states.hits, remaining: 999, reset: at + states.seconds * 1000 } : left,
      ]);
      headers["x-ratelimit-reset"] = String(round((states ? at + states.seconds * 1000 : left.reset) / 1000));
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
  /** Runs a process that sends `requests`, `concurrency` at a time. */
  const run = async (requests: number, { concurrency = 4, files = shared, isLongRun = true } = {}) => {
    const world: World = {
      ...testWorld({ http }),
      signals: { stop: stop.signal, unansweredChanges: 0, runBlocking: (work) => work() },
      files: {
        ...files,
        // Tries again until the time is over, like the real one.
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
        isLongRun,
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

/** Returns the smallest number of calls in a window of the run. */
function fewestCalls(counted: readonly number[]): number {
  const last = counted.at(-1)!;
  const whole = counted.filter((at) => at + 60_000 <= last);
  return Math.min(...whole.map((from) => counted.filter((at) => at >= from && at < from + 60_600).length));
}

describe("1,000 requests against 200 a minute", () => {
  test.each([
    ["one clock", {}],
    ["slow answers", { latency: 900 }],
    ["a clock that is 1.2 s ahead", { ahead: 1200 }],
    ["a clock that is 1.2 s behind", { ahead: -1200 }],
    ["a clock that is an hour off, and a server that sends its time", { ahead: 3_600_000, date: true }],
    ["reset times rounded down", { round: Math.floor }],
  ])("meet no 429 and use 95 %% of the limit: %s", async (_, setup) => {
    const { time, run, counts, counted } = simulation(setup);
    await time.until(run(1000));
    expect(counts).toEqual({ answered: 1000, refused: 0 });
    expect(fewestCalls(counted)).toBeGreaterThanOrEqual(190);
  });

  test.each([2, 3])("are shared by %i processes without a 429", async (processes) => {
    const { time, run, counts, counted } = simulation();
    const each = Math.floor(1200 / processes);
    const durations = await time.until(Promise.all(Array.from({ length: processes }, () => run(each))));
    expect(counts).toEqual({ answered: each * processes, refused: 0 });
    expect(fewestCalls(counted)).toBeGreaterThanOrEqual(processes === 2 ? 190 : 180);
    // Equal work side by side ends at about the same time.
    expect(Math.max(...durations) - Math.min(...durations)).toBeLessThan(20_000);
  });

  test("a process that starts later gets its share without a 429", async () => {
    const { time, run, counts, counted } = simulation();
    const runLater = async () => {
      await time.sleep(70_000);
      return run(300);
    };
    const [first, second] = await time.until(Promise.all([run(1000), runLater()]));
    expect(counts).toEqual({ answered: 1300, refused: 0 });
    expect(second).toBeLessThan(first);
    expect(fewestCalls(counted)).toBeGreaterThanOrEqual(190);
  });
});

const hour = { seconds: 3600, hits: 1000 };

test.each([
  ["states the smallest limit", undefined, 1150, 3_665_000],
  ["states only the limit of an hour", hour, 700, 300_000],
])("keeps the limits of a minute and an hour if the server %s", async (_, states, requests, most) => {
  const { time, run, counts } = simulation({ rules: [{ seconds: 60, hits: 200 }, hour], states });
  const took = await time.until(run(requests));
  expect(counts).toEqual({ answered: requests, refused: 0 });
  expect(took).toBeLessThan(most);
});

test("leaves room for programs that share nothing", async () => {
  const { time, run, counts } = simulation();
  const elsewhere = memoryFiles();
  const other = async () => {
    for (let n = 0; n < 20; n++) {
      await time.sleep(7000);
      await run(10, { files: elsewhere, isLongRun: false, concurrency: 1 });
    }
  };
  await time.until(Promise.all([run(1000), other()]));
  expect(counts.answered).toBe(1200);
  expect(counts.refused).toBeLessThanOrEqual(12);
});

describe("the shared file", () => {
  type Files = ReturnType<typeof memoryFiles>;
  const path = (files: Files) => [...files.content.keys()][0]!;
  /** Changes the content of the file. */
  const change = (files: Files, work: (shared: { sharers: Record<string, object>; rules: object[] }) => void) => {
    const shared = JSON.parse(files.content.get(path(files))!);
    work(shared);
    files.content.set(path(files), JSON.stringify(shared));
  };

  test("is not used while many requests are left", async () => {
    const { time, run, files } = simulation();
    files.lock = async () => Promise.reject(new Error("touched"));
    await time.until(run(100, { isLongRun: false }));
    expect(files.content.size).toBe(0);
  });

  test.each<[string, (files: Files) => void]>([
    ["cannot be written", (files) => Object.assign(files, { write: () => Promise.reject(new Error("EROFS")) })],
    ["stays locked", (files) => Object.assign(files, { lock: async () => undefined })],
  ])("is not needed if it %s", async (_, breakIt) => {
    const { time, run, counts, files } = simulation();
    breakIt(files);
    await time.until(run(600));
    expect(counts).toEqual({ answered: 600, refused: 0 });
  });

  test.each(["{", '{"rules":[{"window":-1}],"sharers":{"a":{"until":"x"}}}'])("may contain %j", async (text) => {
    const { time, run, counts, files } = simulation();
    await time.until(run(200));
    files.content.set(path(files), text);
    await time.until(time.sleep(120_000));
    await time.until(run(450));
    expect(counts).toEqual({ answered: 650, refused: 0 });
  });

  test("returns the share of a killed process after some seconds", async () => {
    const { time, run, counts, files } = simulation();
    await time.until(run(200));
    change(files, ({ sharers }) => {
      sharers.gone = { until: epoch + time.now + 5000, underway: 3, calls: [] };
    });
    const took = await time.until(run(400));
    expect(counts).toEqual({ answered: 600, refused: 0 });
    expect(took).toBeLessThan(130_000);
  });

  test("cannot block the account with wrong times", async () => {
    const { time, run, files, counts } = simulation();
    await time.until(run(200));
    change(files, (shared) => {
      shared.sharers.gone = { until: 0, underway: 0, calls: [epoch + time.now] };
      shared.rules = [{ window: 1e12, capacity: 1, at: epoch + time.now + 1000 }];
    });
    await time.until(run(10));
    expect(counts.answered).toBe(210);
    expect(time.now).toBeLessThan(130_000);
  });
});

test("a signal ends the wait at once", async () => {
  const { time, run, stop } = simulation();
  const running = run(400);
  time.after(30_000, () => stop.abort(new Interrupted("SIGINT")));
  await expect(time.until(running)).rejects.toThrow("interrupted while waiting");
  expect(time.now).toBe(30_000);
});

test("a 429 with a longer wait than --max-wait ends all waiting requests", async () => {
  const { signal } = new AbortController();
  const limiter = new RateLimiter(testWorld(), { site: "https://chat.example" }, { maxWait: 120_000 });
  await limiter.acquire(signal);
  limiter.recordAnswer({ status: 429, headers: {} }, 121);
  await expect(limiter.acquire(signal)).rejects.toThrow(
    "chat.example takes the next request of this account in 2 min 1 s, longer than --max-wait",
  );
});
