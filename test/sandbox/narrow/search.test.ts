import { expect, test } from "vitest";
import { Search } from "../../../src/sandbox/narrow/terms.ts";

const found = (operand: string, topic: string, content: string) =>
  new Search(operand).matches({ topic, content, html: `<p>${content}</p>` });

test("finds words by their stems, also in the topic, and ignores stop words", () => {
  expect(found("plan", "plans", "x")).toBe(true);
  expect(found("planning releases", "release", "planned")).toBe(true);
  expect(found("plan missing", "plans", "x")).toBe(false);
  expect(found("the", "the", "the")).toBe(false);
  expect(found("x", "x", "x")).toBe(false);
});

test("finds a quoted phrase in the message or its topic, in any case", () => {
  expect(found('"Second Thoughts"', "t", "my second thoughts")).toBe(true);
  expect(found('"thoughts second"', "t", "my second thoughts")).toBe(false);
  expect(found('"second thoughts"', "Second thoughts", "none")).toBe(true);
  expect(found('"second thought', "t", "my second thoughts")).toBe(true);
});
