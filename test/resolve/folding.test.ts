import { expect, test } from "vitest";
import { foldChannelName, foldFolderName, strip, upper } from "../../src/common/folding.ts";

test("strips only what Python strips", () => {
  expect(strip("\x1c\x85\u3000staff\x1f\n")).toBe("staff");
  expect(strip("\ufeffgeneral\u200b")).toBe("\ufeffgeneral\u200b");
});

test.each([
  ["ıstanbul", "istanbul"],
  ["ev-ſecret", "ev-secret"],
  ["ς", "σ"],
  ["µ", "μ"],
  ["ПАПКА", "папка"],
  ["école", "ÉCOLE"],
  ["ᾳ", "ᾼ"],
  ["ᾀ", "ᾈ"],
  ["staff\x85", "\x1cSTAFF"],
])("treats the channel names %j and %j as equal", (one, other) => {
  expect(foldChannelName(one)).toBe(foldChannelName(other));
});

test.each([
  ["straße", "STRASSE"],
  ["ﬁx", "fix"],
  ["\u212a", "k"],
  ["İ", "i"],
  ["ẞ", "ß"],
  ["e\u0301cole", "école"],
  ["\ufeffgeneral", "general"],
  ["ᾳ", "αι"],
])("treats the channel names %j and %j as different", (one, other) => {
  expect(foldChannelName(one)).not.toBe(foldChannelName(other));
});

test.each([
  ["\u212a", "k"],
  ["İ", "ı"],
  ["STRAẞE", "straße"],
  ["Σς", "σσ"],
  ["\u212b", "\xe5"],
])("treats the folder names %j and %j as equal", (one, other) => {
  expect(foldFolderName(one)).toBe(foldFolderName(other));
});

test("the upper case of a text has as many characters as the text", () => {
  const others: string[] = [];
  for (let code = 0; code < 0x20000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    if ([...upper(character)].length !== 1) others.push(character);
  }
  expect(others).toEqual([]);
});
