import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { listen } from "../../src/node/signals.ts";

function heard() {
  const exits: unknown[] = [];
  const process = Object.assign(new EventEmitter(), { exit: (code: unknown) => exits.push(code) as never });
  return { process, exits, signals: listen(process as never) };
}

test.each(["SIGINT", "SIGTERM"] as const)("the first %s aborts and ends nothing", (signal) => {
  const { process, exits, signals } = heard();
  process.emit(signal);
  expect(signals.stop.reason).toEqual(new Interrupted(signal));
  expect(exits).toEqual([]);
});

test.each([
  ["SIGINT", 0, 130],
  ["SIGTERM", 0, 143],
  ["SIGINT", 1, 7],
  ["SIGTERM", 3, 7],
] as const)("a second %s with %i changes on their way ends with %i", (signal, underway, code) => {
  const { process, exits, signals } = heard();
  process.emit(signal);
  signals.underway = underway;
  process.emit(signal);
  expect(exits).toEqual([code]);
});
