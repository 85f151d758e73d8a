import { expect, test } from "vitest";
import { garbled } from "../../src/node/arguments.ts";

const bytes =
  (...words: string[]) =>
  () =>
    words.map((word) => Buffer.from(word, "latin1"));
const typed = "\u00EF\u00BF\u00BD";

test("words without a replacement character are not looked into", () => {
  const never = () => {
    throw new Error("looked");
  };
  expect(garbled(["a", "Müller", "\u{1F600}"], never)).toBeUndefined();
});

test("a replacement character that was typed is text", () => {
  expect(garbled(["a", "x\uFFFDy"], bytes("a", `x${typed}y`))).toBeUndefined();
});

test.each([
  ["Latin-1", "M\uFFFDller", "M\xFCller"],
  ["beside one that was typed", "\uFFFDM\uFFFD", `${typed}M\xFC`],
  ["a surrogate in UTF-8", "\uFFFD\uFFFD\uFFFD", "\xED\xA0\x80"],
  ["cut short", "\uFFFD", "\xE2\x82"],
])("bytes that are not UTF-8 are found: %s", (_, word, held) => {
  expect(garbled(["\uFFFD", word], bytes(typed, held))).toBe(1);
});

test.each([
  ["nothing", () => undefined],
  ["too little", bytes("a")],
  ["something else", bytes("zulip", "ctl")],
])("where the system tells %s, a replacement character counts as lost", (_, held) => {
  expect(garbled(["a", "\uFFFD"], held)).toBe(1);
});
