import { expect, test } from "vitest";
import { unixSeconds } from "../../src/notation/time.ts";

const seconds = (text: string) => unixSeconds(text, "--timestamp");

test("Unix seconds stay what they are", () => {
  expect(seconds("1764547200")).toBe(1764547200);
  expect(seconds("0")).toBe(0);
  expect(seconds("-1")).toBe(-1);
});

test("ISO 8601 with a zone is one moment everywhere", () => {
  expect(seconds("2025-12-01T00:00:00Z")).toBe(1764547200);
  expect(seconds("2025-12-01T01:00:00+01:00")).toBe(1764547200);
  expect(seconds("2025-11-30T18:30-0530")).toBe(1764547200);
  expect(seconds("2025-12-01T00:00:00.999Z")).toBe(1764547200);
  expect(seconds("2025-12-01 00:00+00")).toBe(1764547200);
  expect(seconds("1969-12-31T23:59:59Z")).toBe(-1);
});

test("without a zone it is the time of this machine", () => {
  expect(seconds("2025-12-01T08:30")).toBe(new Date(2025, 11, 1, 8, 30).getTime() / 1000);
  expect(seconds("2025-12-01")).toBe(new Date(2025, 11, 1).getTime() / 1000);
});

test.each([
  "",
  "soon",
  "2025-13-01",
  "2025-02-30T00:00Z",
  "2025-12-01T25:00Z",
  "2025-12-01T00:00+25",
  "1.5",
  "9".repeat(20),
])("%j is no point in time", (text) => expect(() => seconds(text)).toThrow(`--timestamp: invalid time "${text}"`));
