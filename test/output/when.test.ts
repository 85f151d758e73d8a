import { expect, test } from "vitest";
import { size, timeText } from "../../src/output/when.ts";

test.each([
  [1_795_269_780, "2026-11-21 14:03Z"],
  [1_795_269_780_123, "2026-11-21 14:03Z"],
  [0, "1970-01-01 00:00Z"],
  [-1, "1969-12-31 23:59Z"],
  [undefined, ""],
  [1e300, "1e+300"],
  [Number.NaN, "NaN"],
  ["2026-11-21", "2026-11-21"],
  ["2026-11-21T14:03+00:00", "2026-11-21 14:03Z"],
  ["1970-01-02T03:04:05.000Z", "1970-01-02 03:04Z"],
  ["2026-99-21T14:03Z", "2026-99-21T14:03Z"],
  ["soon", "soon"],
])("when(%j) is %j", (value, text) => {
  expect(timeText(value)).toBe(text);
});

test.each([
  [0, "0 B"],
  [1_500_000, "1.4 MiB"],
  [1024 ** 2 - 1, "1.0 MiB"],
  [5 * 1024 ** 3, "5.0 GiB"],
  [1e21, "888178.4 PiB"],
  [-1, "-1"],
  [undefined, ""],
  ["big", "big"],
])("size(%j) is %j", (value, text) => {
  expect(size(value)).toBe(text);
});
