/** Long samples, patterns and templates take no long time, and the quick way finds what the server's way finds. */

import { describe, expect, test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { judge } from "../../src/notation/linkifier.ts";
import { linkify } from "../../src/notation/linkify.ts";
import { readUrlTemplate } from "../../src/notation/url-template.ts";
import fc from "../property.ts";

const template = "https://x.example/{n}";
/** Seconds of processor time. */
function seconds(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  return process.cpuUsage(began).user / 1e6;
}

test("a match reaches over no other: going on behind it finds the same as beginning anew", () => {
  const piece = fc.constantFrom("a", "b", "1", " ", ",", "(", "\n", "é", "\u2003", "<", "ab", "\u0002");
  const pattern = fc.constantFrom(
    "[ab]+",
    "a?b+",
    "a*b",
    "\\w+",
    "\\pL",
    "a\\b",
    "\\Bb",
    "(?i)AB?",
    "b$",
    "^a",
    "(a|b1)+",
    "1|a1?",
  );
  fc.assert(
    fc.property(pattern, fc.array(piece, { maxLength: 20 }), (given, pieces) => {
      const text = pieces.join("");
      const links = (source: string) => {
        try {
          return linkify(text, [{ pattern: `(?P<n>${source})`, url_template: template }]);
        } catch (error) {
          if (error instanceof Usage) return error.message.replace(source, "");
          throw error;
        }
      };
      // The other one can match a comma, so that it is searched for as the server does.
      const found = links(`(?:${given})|,é{9}`);
      expect(links(`(?:${given})|é{99}`)).toEqual(typeof found === "string" ? expect.any(String) : found);
    }),
    { numRuns: 2000 },
  );
});

describe("no long time", () => {
  test("a message as long as servers take, every character of it a match", () => {
    const links = () => linkify("a ".repeat(5000), [{ pattern: "(?P<n>[a-z])", url_template: template }]);
    expect(links()).toHaveLength(5000);
    expect(seconds(links)).toBeLessThan(3);
  });

  test("20,000 words", () => {
    const links = () => linkify("word ".repeat(20_000), [{ pattern: "(?P<n>[a-z]+)", url_template: template }]);
    expect(seconds(links)).toBeLessThan(5);
  });

  test("a pattern whose matches may hold white space is tried as far as that goes quickly", () => {
    const links = (count: number) => () =>
      linkify("issue 1 ".repeat(count), [{ pattern: "issue (?P<n>[0-9])", url_template: template }]);
    expect(links(100)()).toHaveLength(100);
    expect(seconds(() => expect(links(20_000)).toThrow("too long to test with this pattern"))).toBeLessThan(10);
  });

  test.each([
    ["opening braces", "{".repeat(50_000)],
    ["opening braces and a closing one", `${"{".repeat(50_000)}}`],
    ["closing braces", "}".repeat(50_000)],
    ["expressions", "{n}".repeat(16_000)],
    ["variables", `{${"n,".repeat(25_000)}n}`],
    ["percent signs", "%".repeat(50_000)],
  ])("a template of %s", (_, url_template) => {
    expect(seconds(() => judge({ pattern: "(?P<n>a)", url_template }))).toBeLessThan(3);
  });

  test.each([
    ["opening parentheses", "(".repeat(50_000)],
    ["parentheses", "(".repeat(25_000) + ")".repeat(25_000)],
    ["brackets", "[".repeat(50_000)],
    ["alternatives", "a|".repeat(25_000)],
    ["repetitions", "a*".repeat(25_000)],
    ["classes", "[[:".repeat(16_000)],
    ["braces", "a{".repeat(25_000)],
  ])("a pattern of %s", (_, pattern) => {
    expect(seconds(() => judge({ pattern, url_template: "x" }))).toBeLessThan(5);
  });
});

test("a brace inside a default belongs to it", () => {
  expect(readUrlTemplate("{a={b}c")?.expand({})).toBe("%7Bbc");
  expect(readUrlTemplate("{a}}")).toBeUndefined();
  expect(readUrlTemplate("{a")).toBeUndefined();
  expect(readUrlTemplate("{}")).toBeUndefined();
});
