/** Long samples, patterns and templates take no long time. */

import { describe, expect, test } from "vitest";
import { judge } from "../../src/notation/linkifier.ts";
import { linkify } from "../../src/notation/linkify.ts";
import { readUrlTemplate } from "../../src/notation/url-template.ts";

const template = "https://x.example/{n}";
/** Seconds of processor time. */
function seconds(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  return process.cpuUsage(began).user / 1e6;
}

describe("no long time", () => {
  test("a message as long as servers take, every character of it a match", () => {
    const links = () => linkify("a ".repeat(5000), [{ pattern: "(?P<n>[a-z])", url_template: template }]);
    expect(links()).toHaveLength(5000);
    expect(seconds(links)).toBeLessThan(3);
  });

  test("a text that is too long is refused", () => {
    const links = () => linkify("issue 1 ".repeat(20_000), [{ pattern: "issue (?P<n>[0-9])", url_template: template }]);
    expect(seconds(() => expect(links).toThrow("too long to test with this pattern"))).toBeLessThan(10);
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
