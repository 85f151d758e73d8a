import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runWithInput, runWithStreams } from "../../src/node/run-with-streams.ts";
import type { ListeningSignals } from "../../src/node/signals.ts";
import { directory } from "./directory.ts";
import { statusOf } from "./process-status.ts";

const quiet = (): ListeningSignals => ({
  stop: new AbortController().signal,
  unansweredChanges: 0,
  runBlocking: <T>(work: () => T) => work(),
});
const node = (script: string) => [process.execPath, "-e", script];

test("returns the exit code of the program", async () => {
  expect(
    await runWithStreams(node("process.exit(Number(process.env.CODE))"), { env: { CODE: "9" } }, quiet(), false),
  ).toBe(9);
});

test("returns 128 plus the number of the signal that ended the program", async () => {
  expect(await runWithStreams(node("process.kill(process.pid, 'SIGKILL')"), { env: {} }, quiet(), false)).toBe(137);
});

test("on Windows starts zulipctl without the batch file of npm", async () => {
  const program = join(directory(), "program.cjs");
  writeFileSync(program, "process.exitCode = process.argv[2] === '--version' ? 9 : 1;");
  const before = process.argv[1];
  process.argv[1] = program;
  try {
    expect(await runWithStreams(["zulipctl", "--version"], { env: {}, platform: "win32" }, quiet(), false)).toBe(9);
    await expect(
      runWithStreams(["zulipctl", "--version"], { env: { PATH: "" }, platform: "linux" }, quiet(), false),
    ).rejects.toThrow("ENOENT");
  } finally {
    process.argv[1] = before!;
  }
});

test("rejects if the program does not exist", async () => {
  await expect(runWithStreams(["/nonexistent/program"], { env: {} }, quiet(), false)).rejects.toThrow("ENOENT");
});

test.each([
  ["SIGTERM", true, 143],
  ["SIGTERM", false, 143],
  ["SIGHUP", false, 129],
  ["SIGINT", false, 130],
] as const)("passes on %s if the terminal (%s) has not sent it", async (signal, terminal, code) => {
  const signals = quiet();
  const running = runWithStreams(node("setInterval(() => {}, 1000)"), { env: {} }, signals, terminal);
  signals.onForeignSignal!(signal);
  expect(await running).toBe(code);
  expect(signals.onForeignSignal).toBe(undefined);
});

test("does not pass on Ctrl-C of a terminal", async () => {
  const signals = quiet();
  const running = runWithStreams(node("setTimeout(() => process.exit(4), 200)"), { env: {} }, signals, true);
  signals.onForeignSignal!("SIGINT");
  signals.onForeignSignal!("SIGINT");
  expect(await running).toBe(4);
});

/** Who has ended still counts for `kill` until the system removes it, which takes seconds if its parent has ended too. */
function isRunning(group: number): boolean {
  if (existsSync("/proc/self/stat"))
    return readdirSync("/proc").some((name) => {
      if (!/^\d+$/.test(name)) return false;
      try {
        const status = statusOf(name);
        return status.group === group && !"ZX".includes(status.state);
      } catch {
        // It was removed meanwhile.
        return false;
      }
    });
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

/** Runs a shell that starts a second program, and prints the process ids of both into a file. */
async function running(script: string, options: { timeout?: number; grace?: number; stop?: AbortSignal }) {
  const file = join(directory(), "pids");
  const argv = ["sh", "-c", `echo $$ > ${file}; cat > /dev/null; ${script}`];
  const { stop = new AbortController().signal, ...others } = options;
  const code = await runWithInput(argv, { env: process.env, input: "{}\n", ...others }, stop);
  const group = Number(readFileSync(file, "utf8"));
  await expect.poll(() => isRunning(group), { timeout: 5000 }).toBe(false);
  return code;
}

test("ends a program and what it started when its time is over", async () => {
  expect(await running("sleep 1000 & wait", { timeout: 300 })).toBe(143);
});

test("kills a program that ignores SIGTERM after a grace time", async () => {
  expect(await running("trap '' TERM; while :; do sleep 1; done", { timeout: 300, grace: 100 })).toBe(137);
});

test("kills what a program started if only that ignores SIGTERM", async () => {
  const script = "sh -c 'trap \"\" TERM; while :; do sleep 1; done' & wait";
  expect(await running(script, { timeout: 300, grace: 100 })).toBe(143);
});

test("ends a program at a signal to this process", async () => {
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 300);
  expect(await running("sleep 1000", { stop: stopping.signal })).toBe(143);
});

test("gives a program its whole stdin, and returns its exit code", async () => {
  const stop = new AbortController().signal;
  const equals = ["sh", "-c", '[ "$(cat)" = x ] && exit 9'];
  expect(await runWithInput(equals, { env: process.env, input: "x\n", timeout: 60_000 }, stop)).toBe(9);
  await expect(runWithInput(["/nonexistent/program"], { env: {}, input: "x" }, stop)).rejects.toThrow("ENOENT");
});
