import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { programSize } from "../../src/notation/program-size.ts";
import { BadExpression, readExpression } from "../../src/notation/regular-expression.ts";
import { readReferences } from "../references.ts";

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

test("1,500 random patterns are judged as RE2 itself judges them, in its words", () => {
  const asked = readReferences<{ p: string; groups?: Record<string, number>; error?: string }>("re2-patterns");
  const differences = asked.flatMap(({ p, groups, error }) => {
    const real = error ?? Object.keys(groups!).sort();
    const here = verdict(p);
    return JSON.stringify(real) === JSON.stringify(here) ? [] : [{ p, real, here }];
  });
  expect(asked).toHaveLength(1500);
  expect(differences).toEqual([]);
});

test("of groups that share a name the leftmost has it, and names may have letters beyond ASCII", () => {
  const { groups, source, aliases } = readExpression("(?P<é>a)(?<é>b)|(?P<n>\\C)");
  expect(groups).toEqual(["é", "n"]);
  const matcher = RE2JS.compile(source).matcher("ab");
  expect(matcher.find()).toBe(true);
  expect(matcher.group(aliases.get("é")!)).toBe("a");
});

test("a program that needs more than RE2 has is too large", () => {
  expect(verdict("(\\pL{100}){10}")).toBe("pattern too large - compile failed");
  expect(verdict("\\pL{400}")).toEqual([]);
  expect(verdict(".{1000}")).toEqual([]);
  expect(verdict("(\\pL\\pN){500}")).toBe("pattern too large - compile failed");
});

// RE2 was asked how many of each it can hold.
test.each([
  ["\\pL", 1567],
  ["\\pN", 353],
  ["\\p{Greek}", 99],
  ["\\p{Han}", 123],
  ["\\pS", 626],
  ["[一-龥]", 12],
  [".", 12],
  ["\\pZ", 22],
])("the size of %s is known within six per cent", (pattern, size) => {
  // Every program begins and ends with some instructions.
  const here = programSize(`${pattern}${pattern}`) - programSize(pattern);
  expect(Math.abs(here - size) / size).toBeLessThan(0.06);
});
