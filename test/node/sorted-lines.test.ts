import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesFrom } from "../../src/node/sorted-lines.ts";
import { directory } from "./directory.ts";

function kept(lines: string[]): string {
  const path = join(directory(), "lines");
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  return path;
}

const common = (lines: string[]): string => {
  const [first = "", last = ""] = [lines[0], lines.at(-1)];
  let length = 0;
  while (length < first.length && first[length] === last[length]) length++;
  return first.slice(0, length);
};

test("the lines that begin with a text are those that a look at every line finds", () => {
  const letters = ["a", "b", "ä", "日", "😀", "~", "x".repeat(5000)];
  const lines = [
    ...new Set(
      letters.flatMap((one) => letters.flatMap((two) => letters.map((three) => `${one}${two}${three}\twhat it is`))),
    ),
  ].sort();
  const path = kept(lines);
  for (const prefix of ["", ...letters, ...letters.flatMap((one) => letters.map((two) => one + two)), "aab", "zz", "c"])
    expect(linesFrom(path, prefix, 1000)).toEqual(lines.filter((line) => line.startsWith(prefix)));
});

test("of many, some are given, which begin alike no longer than all do", () => {
  const lines = Array.from({ length: 50_000 }, (_, n) => `person${n}@chat.example\tPerson ${n}`).sort();
  const path = kept(lines);
  for (const prefix of ["", "person1", "person22", "person4999"]) {
    const all = lines.filter((line) => line.startsWith(prefix));
    const some = linesFrom(path, prefix, 100);
    expect(some.length).toBe(Math.min(100, all.length));
    expect(common(some)).toBe(common(all));
    expect(all).toEqual(expect.arrayContaining(some));
  }
});

test("no file, and an empty one, give none", () => {
  expect(linesFrom(join(directory(), "none"), "a", 10)).toEqual([]);
  expect(linesFrom(kept([]), "a", 10)).toEqual([]);
});
