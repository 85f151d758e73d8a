import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { listenForSignals } from "../../src/node/signals.ts";

function heard(json = false) {
  const exits: unknown[] = [];
  const process = Object.assign(new EventEmitter(), { exit: (code: unknown) => exits.push(code) as never });
  const said: string[] = [];
  return {
    process,
    exits,
    said,
    signals: listenForSignals(
      process as never,
      (text) => said.push(text),
      () => json,
    ),
  };
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("the first %s aborts, and does not end the process", (signal) => {
  const { process, exits, signals } = heard();
  process.emit(signal);
  expect(signals.stop.reason).toEqual(new Interrupted(signal));
  expect(exits).toEqual([]);
});

test.each([
  ["SIGINT", 0, 130, []],
  ["SIGTERM", 0, 143, []],
  ["SIGINT", 1, 7, ["zulipctl: stopped while sending a change, which may or may not have been applied\n"]],
  ["SIGTERM", 3, 7, ["zulipctl: stopped while sending 3 changes, which may or may not have been applied\n"]],
] as const)("a second %s while %i changes are sent ends with %i", (signal, underway, code, words) => {
  const { process, exits, said, signals } = heard();
  process.emit(signal);
  signals.unansweredChanges = underway;
  process.emit(signal);
  expect([exits, said]).toEqual([[code], words]);
});

test("a second SIGHUP does not end the process", () => {
  const { process, exits, signals } = heard();
  process.emit("SIGHUP");
  signals.unansweredChanges = 2;
  process.emit("SIGHUP");
  expect(exits).toEqual([]);
  process.emit("SIGINT");
  expect(exits).toEqual([7]);
});

test("a second signal reports unknown changes as JSON with -o json", () => {
  const { process, said, signals } = heard(true);
  process.emit("SIGINT");
  signals.unansweredChanges = 2;
  process.emit("SIGINT");
  expect(said.map((line) => JSON.parse(line))).toEqual([
    {
      error: {
        exit_code: 7,
        kind: "unknown",
        message: "stopped while sending 2 changes, which may or may not have been applied",
        outcome: "unknown",
      },
    },
  ]);
});

test("another program with the terminal receives all signals", () => {
  const { process, exits, signals } = heard();
  const passed: string[] = [];
  signals.onForeignSignal = (signal) => passed.push(signal);
  for (const signal of ["SIGINT", "SIGINT", "SIGTERM"]) process.emit(signal);
  expect(passed).toEqual(["SIGINT", "SIGINT", "SIGTERM"]);
  expect(signals.stop.aborted).toBe(false);
  expect(exits).toEqual([]);
});

test("the system handles signals during `computing`", () => {
  const { process, signals } = heard();
  expect(signals.runBlocking(() => process.listenerCount("SIGINT"))).toBe(0);
  expect(() =>
    signals.runBlocking(() => {
      throw new Error("broken");
    }),
  ).toThrow("broken");
  process.emit("SIGINT");
  expect(signals.stop.aborted).toBe(true);
});
