import { expect, test } from "vitest";
import { readDuration, readSize } from "../../src/notation/units.ts";

test.each<readonly [string, number | undefined]>([
  ["512", 512],
  ["512B", 512],
  ["10kB", 10_000],
  ["10mb", 10_000_000],
  ["10MiB", 10 * 1024 * 1024],
  ["1.5 GiB", 1.5 * 1024 ** 3],
  ...["", "MB", "-1", "1e3", "10 apples", "1iB", "99999999PB"].map((text) => [text, undefined] as const),
])("reads the size %j as %j bytes", (text, bytes) => expect(readSize(text)).toBe(bytes));

test.each<readonly [string, number | undefined]>([
  ["90d", 90 * 86_400_000],
  ["12h", 12 * 3_600_000],
  ...["90", "1.5d", "-1d", "1q", ""].map((text) => [text, undefined] as const),
  ["7D", 604_800_000],
  ["1Y", 31_536_000_000],
  ["3M", undefined],
])("reads the duration %j as %j milliseconds", (text, ms) => expect(readDuration(text)).toBe(ms));
