/** The texts that faults replace are where the table says. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faults } from "./faults.ts";

const all = faults.map(([rule, ...edits]) => ({ rule, edits }));

test.each(all)("a fault that $rule replaces a text that stands there once", ({ edits }) => {
  for (const [file, text] of edits) {
    const source = readFileSync(new URL(`../../../src/${file}`, import.meta.url), "utf8");
    expect(source.split(text).length, `${file}: ${text}`).toBe(2);
  }
});
