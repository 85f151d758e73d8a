/** The faults that the simulation puts into undo still fit the program. Whether it finds them takes minutes. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faults } from "../simulation/undo/faults.ts";

test.each(faults)("an undo that $rule has a text that stands there once", ({ edits }) => {
  for (const [file, text] of edits) {
    const source = readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8");
    expect(source.split(text).length, `${file}: ${text}`).toBe(2);
  }
});
