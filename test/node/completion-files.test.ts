import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesFrom, loggedRuns } from "../../src/node/completion-files.ts";
import { directory } from "./directory.ts";

function kept(lines: string[]): string {
  const path = join(directory(), "lines");
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  return path;
}

test("finds the lines that begin with a text", () => {
  const letters = ["a", "b", "ä", "日", "😀", "~", "x".repeat(5000)];
  const lines = letters.flatMap((one) => letters.map((two) => `${one}${two}\twhat it is`)).sort();
  const path = kept(lines);
  for (const prefix of ["", ...letters, "aa", "aab", "zz", "c"])
    expect(linesFrom(path, prefix, 1000)).toEqual(lines.filter((line) => line.startsWith(prefix)));
});

test("continues what was typed, whatever the spelling of its accents", () => {
  const [composed, decomposed] = ["café".normalize("NFC"), "café".normalize("NFD")];
  const path = kept([`${decomposed} one`, `${composed} two`]);
  expect(linesFrom(path, composed, 10)).toEqual([`${composed} one`, `${composed} two`]);
  expect(linesFrom(path, decomposed, 10)).toEqual([`${decomposed} one`, `${decomposed} two`]);
});

test("includes the last of many, so that the lines have no more in common than all", () => {
  const path = kept(["a1", "a2", "a3", "a4", "b"]);
  expect(linesFrom(path, "a", 2)).toEqual(["a1", "a4"]);
  expect(linesFrom(path, "a", 4)).toEqual(["a1", "a2", "a3", "a4"]);
});

test("finds nothing in an empty or missing file", () => {
  expect(linesFrom(join(directory(), "none"), "a", 10)).toEqual([]);
  expect(linesFrom(kept([]), "", 10)).toEqual([]);
});

test("finds the newest runs at the end of a long log", () => {
  const line = (run: number) => JSON.stringify({ time: "t", run: `20260115-${run}`, command: `zulipctl x '${run}'` });
  const path = kept(Array.from({ length: 9000 }, (_, n) => line(Math.floor(n / 3))));
  expect(loggedRuns(path, 2)).toEqual(["20260115-2999\tzulipctl x '2999'", "20260115-2998\tzulipctl x '2998'"]);
  expect(loggedRuns(join(directory(), "none"), 2)).toEqual([]);
});
