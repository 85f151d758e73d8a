import { expect, test } from "vitest";
import { excessKeys } from "./excess-keys.ts";

test("object literals have no key that all their readers lack", () => {
  expect(excessKeys("src/", "test/names/")).toEqual([
    "test/names/sample.ts:10: passing",
    "test/names/sample.ts:16: passing",
    "test/names/sample.ts:9: passing",
  ]);
});
