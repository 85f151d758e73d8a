import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { hasHazards } from "../../src/output/sanitize.ts";
import { yamlText as yaml } from "../../src/output/yaml.ts";
import fc, { anyCharacter } from "../property.ts";

describe("YAML", () => {
  const meant = "no yes on y ~ null true 1e3 0x1f 0o17 1_000 12:30 2026-11-21 <<".split(" ");
  test.each([...meant, ""])("%j stays text also in YAML 1.1", (text) => {
    const written = yaml({ text });
    expect(written).toBe(`text: "${text}"\n`);
    expect(parse(written, { version: "1.1" })).toEqual({ text });
  });

  test.each(["@x", "- x", "a: b", "#c", "!t", "*a", "{a", "|", " lead"])("%j is quoted", (text) => {
    expect(yaml([text])).toBe(`- "${text}"\n`);
  });

  test("an equals sign is quoted for YAML 1.1", () => {
    expect(yaml({ text: "=" })).toBe('"text": "="\n');
  });

  test("keeps its value and has no hazards", () => {
    const key = fc.oneof(fc.string(), fc.constantFrom("=", "no", "__proto__", "\u009b", "\u202e"));
    const leaf = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom(..."a\n\r\t\u0085\u2028\u200b\u{e0041}: -#'\"\\=") }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, true, false),
    );
    const value = fc.letrec((tie) => ({
      node: fc.oneof({ depthSize: "small" }, leaf, fc.array(tie("node")), fc.dictionary(key, tie("node"))),
    })).node;
    fc.assert(
      fc.property(value, (node) => {
        const written = yaml([node]);
        expect(hasHazards(written)).toBe(false);
        expect(JSON.stringify(parse(written))).toBe(JSON.stringify([node]));
      }),
      { numRuns: 120 },
    );
  });
});
