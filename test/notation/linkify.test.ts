import { describe, expect, test } from "vitest";
import { linkify, safeUrl } from "../../src/notation/linkify.ts";
import { readRecords } from "../records.ts";

interface Recorded {
  case: string;
  form: { content?: string };
  status: number;
  body: { rendered?: string };
}

const recorded = readRecords<Recorded>("recorded/linkifier-matches");

const P = "P611-(?P<n>[0-9]+)";
const plain = { pattern: P, url_template: "https://e.example/{n}" };

/** Returns the linkifiers of a recorded case. */
function linkifiers(name: string): { pattern: string; url_template: string }[] {
  if (name.includes("linkifiers in this order"))
    return [plain, { pattern: "P611-(?P<m>[0-9]+)-x", url_template: "https://m.example/{m}" }];
  if (name.includes("overlapping text"))
    return [
      { pattern: "P611a P611b", url_template: "https://e.example/ab" },
      { pattern: "P611b P611c", url_template: "https://e.example/bc" },
    ];
  const group = /group is named (\w+)/.exec(name)?.[1];
  if (group) return [{ pattern: `P611-(?P<${group}>[0-9]+)`, url_template: `https://e.example/{${group}}` }];
  const template = /render: template (\S+),/.exec(name)?.[1];
  if (template) return [{ pattern: "P611-(?P<n>[^ ]+)", url_template: `https://e.example/${template}` }];
  const [, pattern, url_template] = /one linkifier (.*?) -> (.*?)(?:; .*)?$/.exec(
    name.replace("{;n}{#n}", "{\u0000n}{#n}"),
  )!;
  return [{ pattern: pattern!, url_template: url_template!.replace("\u0000", ";") }];
}

const text = (html: string) =>
  html
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");

/** Returns the links in a rendered message, without those of Markdown. */
const linked = (html: string) =>
  [...html.matchAll(/<a href="([^"]*)">(.*?)<\/a>/g)]
    .map(([, url, shown]) => ({ url: text(url!), text: text(shown!) }))
    .filter(({ url }) => !url.startsWith("https://x.example"));

/** Servers make links to their own messages and files relative. */
const relative = (url: string) => url.replace(/^https:\/\/chat\.example\/(?=#|user_uploads\/)/, "");

const rendered = recorded.filter(({ status, body }) => status === 200 && body.rendered !== undefined);

describe("makes the links that servers make", () => {
  test("has 126 recorded messages", () => expect(rendered.length).toBe(126));

  test.each(rendered)("$case", ({ case: name, form, body }) => {
    const links = linkify(form.content!, linkifiers(name));
    expect(links.map(({ url, text }) => ({ url: relative(url), text }))).toEqual(linked(body.rendered!));
    for (const { start, end, text } of links) expect(form.content!.slice(start, end)).toBe(text);
  });
});

test("gives the place and the linkifier of each link", () => {
  const later = { pattern: "D(?P<d>[0-9]+)", url_template: "d.example/{d}" };
  expect(linkify("see D7, P611-12", [plain, later])).toEqual([
    { start: 4, end: 6, text: "D7", url: "http://d.example/7", linkifier: 1 },
    { start: 8, end: 15, text: "P611-12", url: "https://e.example/12", linkifier: 0 },
  ]);
});

test("matches items, cells and paragraphs apart, and no code blocks", () => {
  const start = { pattern: "^D(?P<d>[0-9]+)$", url_template: "https://d.example/{d}" };
  const urls = (message: string) => linkify(message, [start]).map(({ url }) => url.slice(18));
  expect(urls("* D1\n* D2\n\nD3\n\n> D4\n\n# D5")).toEqual(["1", "2", "3", "4", "5"]);
  expect(urls("D1\nD2")).toEqual([]);
  expect(urls("```\nD1\n\nD2\n```\nD3")).toEqual(["3"]);
  expect(urls("|D1|D2|\n|-|-|\n| D3 | x |")).toEqual(["1", "2", "3"]);
});

test("refuses a pattern that matches empty text", () => {
  expect(() => linkify("P611z", [{ pattern: "(?P<n>P611z)?", url_template: "https://e.example/{n}" }])).toThrow(
    "The pattern (?P<n>P611z)? matches empty text",
  );
});

test("makes URLs safe as servers do", () => {
  expect(safeUrl("JavaScript:alert(1)")).toBeUndefined();
  expect(safeUrl("data:text/html,x")).toBeUndefined();
  expect(safeUrl("localhost:9991/7")).toBeUndefined();
  expect(safeUrl("e.example/7")).toBe("http://e.example/7");
  expect(safeUrl("HTTPS://E.example/7?#")).toBe("https://E.example/7");
  expect(safeUrl("ada@e.example")).toBe("mailto:ada@e.example");
  expect(safeUrl("/x/7")).toBe("/x/7");
  expect(safeUrl("#7")).toBe("#7");
});

test("refuses a text that is too long", () => {
  const linkifier = { pattern: "issue (?P<n>[0-9])", url_template: "https://x.example/{n}" };
  expect(() => linkify("issue 1 ".repeat(20_000), [linkifier])).toThrow("too long to test with this pattern");
});
