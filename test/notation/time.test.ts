import { expect, test } from "vitest";
import { readMoment, readUnixSeconds } from "../../src/notation/time.ts";

const seconds = (text: string) => readUnixSeconds(text, "--timestamp");

test("reads Unix seconds", () => {
  expect(seconds("1764547200")).toBe(1764547200);
  expect(seconds("0")).toBe(0);
  expect(seconds("-1")).toBe(-1);
});

test("reads ISO 8601 with a zone", () => {
  expect(seconds("2025-12-01T00:00:00Z")).toBe(1764547200);
  expect(seconds("2025-12-01T01:00:00+01:00")).toBe(1764547200);
  expect(seconds("2025-11-30T18:30-0530")).toBe(1764547200);
  expect(seconds("2025-12-01T00:00:00.999Z")).toBe(1764547200);
  expect(seconds("2025-12-01 00:00+00")).toBe(1764547200);
  expect(seconds("1969-12-31T23:59:59Z")).toBe(-1);
});

test("uses the time zone of this machine by default", () => {
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
])("refuses %j", (text) => expect(() => seconds(text)).toThrow(`--timestamp: invalid time "${text}"`));

test.each(["7", "07", "-7", "2026"])("a moment %j lacks its unit", (text) => {
  expect(() => readMoment(0, text, "--since")).toThrow(`--since: invalid time "${text}"`);
});

test("a moment may be Unix seconds of our time", () => {
  expect(readMoment(0, "1764547200", "--since")).toBe(1764547200);
});
