import { expect, test } from "vitest";
import { readDuration, readSize } from "../../src/notation/units.ts";

test.each([
  ["0", 0],
  ["512", 512],
  ["512B", 512],
  ["10kB", 10_000],
  ["10KB", 10_000],
  ["10MB", 10_000_000],
  ["10mb", 10_000_000],
  ["10M", 10_000_000],
  ["10MiB", 10 * 1024 * 1024],
  ["1.5 GiB", 1.5 * 1024 ** 3],
  ["2TB", 2e12],
  ["", undefined],
  ["MB", undefined],
  ["-1", undefined],
  ["1e3", undefined],
  ["10 apples", undefined],
  ["1iB", undefined],
  ["99999999PB", undefined],
])("the size %j is %j bytes", (text, bytes) => {
  expect(readSize(text)).toBe(bytes);
});

test.each([
  ["90d", 90 * 86_400_000],
  ["12h", 12 * 3_600_000],
  ["0d", 0],
  ["90", undefined],
  ["1.5d", undefined],
  ["-1d", undefined],
  ["1w", undefined],
  ["", undefined],
])("the span %j is %j milliseconds", (text, ms) => {
  expect(readDuration(text)).toBe(ms);
});
