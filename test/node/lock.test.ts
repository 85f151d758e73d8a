/** Locks of processes on this machine and on others. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { lock } from "../../src/node/lock.ts";
import { directory } from "./directory.ts";
import { statusOf } from "./process-status.ts";

const linux = existsSync("/proc/self/ns/pid");

/** The name of this machine in a lock. */
async function here(): Promise<string> {
  const path = join(directory(), "thing");
  const taken = await lock(path, 0);
  const [name = ""] = readdirSync(`${path}.lock`);
  await taken!.release();
  return name.split("~")[2]!;
}

/** Makes a lock like another process, and returns its file. */
function leave(path: string, pid: number, began: string, where: string): string {
  mkdirSync(`${path}.lock`);
  const file = join(`${path}.lock`, `${pid}~${began}~${where}~x`);
  writeFileSync(file, "1");
  return file;
}

/** Returns the id of a process that has ended. */
const ended = () => spawnSync(process.execPath, ["-e", ""]).pid;

/** A clock that advances only in sleep. `meanwhile` is called each time. */
function timed(meanwhile: (now: number) => void = () => {}) {
  let now = 1_000_000;
  const clock = {
    monotonic: () => now,
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      now += ms;
      meanwhile(now - 1_000_000);
    },
  };
  return { clock, passed: () => now - 1_000_000 };
}

test("a lock has one holder and mode 0700, and leaves nothing", async () => {
  const path = join(directory(), "thing");
  const taken = await lock(path, 0);
  const modes = [`${path}.lock`, join(`${path}.lock`, readdirSync(`${path}.lock`)[0]!)].map((each) =>
    (statSync(each).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(["700", "600"]);
  expect(await lock(path, 0)).toBeUndefined();
  expect(taken!.isHeld()).toBe(true);
  await taken!.release();
  expect(taken!.isHeld()).toBe(false);
  const again = await lock(path, 0);
  await again!.release();
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

test("many locks of one process have one listener: Node warns about many", async () => {
  const before = process.listenerCount("exit");
  const path = directory();
  const all = await Promise.all(Array.from({ length: 12 }, (_, n) => lock(join(path, `thing${n}`), 0)));
  expect(process.listenerCount("exit")).toBe(before);
  await Promise.all(all.map((one) => one!.release()));
});

test("a waiting process gets the lock when it is released", async () => {
  const path = join(directory(), "thing");
  const first = await lock(path, 0);
  const waiting = lock(path, 5000);
  await first!.release();
  const got = await waiting;
  expect(got!.isHeld()).toBe(true);
  await got!.release();
});

test("a file has one lock, even through links", async () => {
  const path = join(directory(), "thing");
  writeFileSync(path, "");
  symlinkSync(path, `${path}-too`);
  const taken = await lock(`${path}-too`, 0);
  expect(await lock(path, 0)).toBeUndefined();
  await taken!.release();
});

test("only one of many processes gets the lock of a dead holder", async () => {
  const path = join(directory(), "thing");
  leave(path, ended(), "1", await here());
  const got = await Promise.all(Array.from({ length: 8 }, () => lock(path, 0)));
  expect(got.filter(Boolean)).toHaveLength(1);
});

describe.runIf(linux)("on one machine", () => {
  test("the lock of a living process holds, even if it is old", async () => {
    const path = join(directory(), "thing");
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    onTestFinished(() => void other.kill("SIGKILL"));
    const file = leave(path, other.pid!, statusOf(other.pid!).began, await here());
    for (const each of [file, `${path}.lock`]) utimesSync(each, 0, 0);
    const { clock } = timed();
    expect(await lock(path, 600_000, undefined, clock)).toBeUndefined();
  });

  test.each([
    ["a killed process does not block, even if it is new", ended],
    ["a dead process does not block if another process has its id", () => process.ppid],
  ])("the lock of %s", async (_, pid) => {
    const path = join(directory(), "thing");
    leave(path, pid(), "1", await here());
    const taken = await lock(path, 0);
    expect(taken?.isHeld()).toBe(true);
    await taken?.release();
  });
});

describe("on another machine", () => {
  test("a lock holds while its heartbeats continue, whatever the time of the file", async () => {
    const path = join(directory(), "thing");
    const file = leave(path, ended(), "1", "elsewhere");
    const { clock, passed } = timed((now) => {
      writeFileSync(file, String(now));
      for (const each of [file, `${path}.lock`]) utimesSync(each, 0, 0);
    });
    expect(await lock(path, 120_000, undefined, clock)).toBeUndefined();
    expect(passed()).toBeGreaterThanOrEqual(120_000);
  });

  test("the first heartbeat shows that the holder lives", async () => {
    const path = join(directory(), "thing");
    const file = leave(path, ended(), "1", "elsewhere");
    const { clock, passed } = timed((now) => {
      if (now > 2000) writeFileSync(file, "2");
    });
    expect(await lock(path, 0, undefined, clock)).toBeUndefined();
    expect(passed()).toBeLessThan(2200);
  });

  test("a lock without heartbeat for thirty seconds is free", async () => {
    const path = join(directory(), "thing");
    leave(path, ended(), "1", "elsewhere");
    const { clock, passed } = timed();
    const taken = await lock(path, 0, undefined, clock);
    expect(taken!.isHeld()).toBe(true);
    expect(passed()).toBeGreaterThanOrEqual(30_000);
    expect(passed()).toBeLessThan(31_000);
    await taken!.release();
  });

  test("a holder knows that it lost the lock, and does not remove the next one", async () => {
    const path = join(directory(), "thing");
    const mine = await lock(path, 0);
    rmSync(`${path}.lock`, { recursive: true });
    const next = await lock(path, 0);
    expect([mine!.isHeld(), next!.isHeld()]).toEqual([false, true]);
    await mine!.release();
    expect(next!.isHeld()).toBe(true);
    await next!.release();
  });

  test("the wait ends at the signal", async () => {
    const path = join(directory(), "thing");
    leave(path, ended(), "1", "elsewhere");
    const stop = new AbortController();
    const { clock } = timed(() => stop.abort(new Error("stopped")));
    await expect(lock(path, 0, stop.signal, clock)).rejects.toThrow("stopped");
  });
});
