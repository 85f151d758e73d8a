import { expect, test } from "vitest";
import { htmlDifference } from "../../src/sandbox/html-difference.ts";

const [inserted, deleted] = ["inserted", "deleted"].map((kind) => `<span class="highlight_text_${kind}">`);

test.each([
  ["the same text", "<p>a b</p>", "<p>a b</p>", "<p>a b</p>"],
  ["a new word", "<p>a b</p>", "<p>a c b</p>", `<p>a ${inserted}c</span> b</p>`],
  ["another word", "<p>a b c</p>", "<p>a x c</p>", `<p>a ${inserted}x</span> ${deleted}b</span> c</p>`],
  ["words at the end", "<p>a b c</p>", "<p>a b</p>", `<p>a b ${deleted}c</span> </p>`],
  ["everything", "<p>a</p>", "<p>x</p>", `<p>${inserted}x</span></p> <p>${deleted}a</span></p>`],
  ["emphasis alone", "<p>a b</p>", "<p>a <strong>b</strong></p>", "<p>a <strong>b</strong></p>"],
  [
    "a new paragraph",
    "<p>a b c</p>\n<p>d e f</p>",
    "<p>a b c</p>\n<p>x y</p>\n<p>d e f</p>",
    `<p>a b c</p> <p>${inserted}x y</span></p> <p>d e f</p>`,
  ],
])("marks the words that differ: %s", (_, before, now, html) => {
  expect(htmlDifference(now, before)).toBe(`<div>${html}</div>`);
});
