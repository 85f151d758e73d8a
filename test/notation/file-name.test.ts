import { expect, test } from "vitest";
import { fileName } from "../../src/notation/file-name.ts";

test.each([
  ["budget.csv", "budget.csv"],
  ["Grüße 1.bin", "Grüße 1.bin"],
  ["報告書.pdf", "報告書.pdf"],
  ["../../etc/passwd", "passwd"],
  ["..\\..\\boot.ini", "boot.ini"],
  ["a/", "a"],
  ["/", "none"],
  ["..", "none"],
  [".", "none"],
  ["", "none"],
  ["\u202e\u200b", "none"],
  [".bashrc", "_bashrc"],
  ["...x", "___x"],
  ["-rf", "_rf"],
  ["a\nb\x1b[31mc", "a bc"],
  ["a\0b", "ab"],
  ["a:b*c?.txt", "a_b_c_.txt"],
  ["con", "_con"],
  ["NUL.txt", "_NUL.txt"],
  ["com1.tar.gz", "_com1.tar.gz"],
  ["console.txt", "console.txt"],
  ["name. . ", "name"],
])("saves %j as %j", (said, kept) => {
  expect(fileName(said, "none")).toBe(kept);
});

test("cuts long names before their ending, by bytes, never within a character", () => {
  const name = fileName(`${"ü".repeat(300)}.tar`, "none");
  expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(255);
  expect(name).toMatch(/^ü{125}\.tar$/);
});
