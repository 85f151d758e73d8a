import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { BadExpression, readExpression } from "../../src/notation/regular-expression.ts";
import { readRecords } from "../records.ts";

const verdict = (pattern: string): string | string[] => {
  try {
    const { groups, source } = readExpression(pattern);
    RE2JS.compile(source);
    return [...groups].sort();
  } catch (error) {
    if (error instanceof BadExpression) return error.message;
    throw error;
  }
};

test("accepts the same of 1,500 random patterns as RE2, mostly with the same messages", () => {
  const references = readRecords<{ p: string; groups?: Record<string, number>; error?: string }>(
    "references/re2-patterns",
  );
  const all = references.map(({ p, groups = {}, error }) => ({
    p,
    real: error ?? Object.keys(groups).sort(),
    here: verdict(p),
  }));
  expect(all).toHaveLength(1500);
  expect(all.filter(({ real, here }) => typeof real !== typeof here)).toEqual([]);
  const different = all.filter(({ real, here }) => JSON.stringify(real) !== JSON.stringify(here));
  expect(different.every(({ real }) => typeof real === "string")).toBe(true);
  expect(different.length).toBeLessThan(15);
});

test("gives a shared name to the leftmost group, and allows letters beyond ASCII", () => {
  const { groups, source, aliases } = readExpression("(?P<é>a)(?<é>b)|(?P<n>\\C)");
  expect(groups).toEqual(["é", "n"]);
  const matcher = RE2JS.compile(source).matcher("ab");
  expect(matcher.find()).toBe(true);
  expect(matcher.group(aliases.get("é")!)).toBe("a");
});
