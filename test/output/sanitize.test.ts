import { describe, expect, test } from "vitest";
import { escaped, hasHazards, sanitizeLine, sanitizeLines, sanitizeText } from "../../src/output/sanitize.ts";
import fc, { anyCharacter } from "../property.ts";

/** Code points that must never reach a terminal, independent of the pattern in the source. */
const hazards =
  /\u034f|[\0-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/u;
const forbidden = (text: string, { lines = false } = {}): string[] =>
  [...text].filter((sign) => !(lines && sign === "\n") && hazards.test(sign));

/** All code units. Hazardous ones are frequent. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(
        ..."\u001b\u009b\u009d\u0090[]PX^_m;0?\u0007\\ \r\n\t\u200b\u202e\u2028\ufeff\ud83d\udc00\u{e0041}",
      ),
      fc.constantFrom(
        "\u001b[31m",
        "\u001b]0;title\u0007",
        "\u001b]8;;http://x\u001b\\",
        "\u001bP1$r\u009c",
        "\u001bc",
      ),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => pieces.join(""));

describe("sanitizeLine", () => {
  test.each([
    ["Ada Lovelace", "Ada Lovelace"],
    ["Zoë 王 שלום 👋🏽 ❤️", "Zoë 王 שלום 👋🏽 ❤️"],
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u009b31mred", "red"],
    ["a\u001b]0;title\u0007b", "ab"],
    ["a\u001b]8;;https://evil.example\u001b\\b", "ab"],
    ["a\u009dtitle\u009cb", "ab"],
    ["a\u0090payload\u001b\\b", "ab"],
    ["a\u001b]never closed, and the rest stays", "anever closed, and the rest stays"],
    ["a\u001b\u001b[31m[32mb", "a[32mb"],
    ["one\r\ntwo\nthree\tfour\u2028five\u0085six", "one two three four five six"],
    ["bell\u0007 back\b\u007f", "bell back"],
    ["evil\u202Etxt.exe", "eviltxt.exe"],
    ["ad\u200Bmin\uFEFF", "admin"],
    ["x\u{E0041}\u{E007F}y", "xy"],
    ["half \ud83d pair", "half \uFFFD pair"],
    ["\u06DD\u0600", "\u06DD\u0600"],
    ["葛\u{E0100}", "葛\u{E0100}"],
  ])("%j becomes %j", (text, expected) => {
    expect(sanitizeLine(text)).toBe(expected);
  });

  test("removes all hazards", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(forbidden(sanitizeLine(text))).toEqual([]);
        expect(sanitizeLine(sanitizeLine(text))).toBe(sanitizeLine(text));
        expect(hasHazards(sanitizeLine(text))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test("removes every hazardous code unit", () => {
    const units = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    expect(units.filter((unit) => forbidden(sanitizeLine(unit)).length)).toEqual([]);
  });
});

describe("sanitizeLines", () => {
  test("keeps only line ends", () => {
    expect(sanitizeLines("one\r\n\u001b[1mtwo\n\nthr\ree\u202E")).toBe("one\ntwo\n\nthr ee");
    fc.assert(
      fc.property(hostile, (text) => {
        expect(forbidden(sanitizeLines(text), { lines: true })).toEqual([]);
      }),
    );
  });
});

describe("sanitizeText", () => {
  test("keeps what programs need, and nothing that controls a terminal", () => {
    expect(sanitizeText("a\tb\nc\r\nd\re 👩\u200D💻 \u001b[31mx\u202Ey\u009b1mz")).toBe("a\tb\nc\nd\ne 👩\u200D💻 xyz");
    fc.assert(
      fc.property(hostile, (text) => {
        expect(sanitizeText(text)).not.toMatch(
          /[\0-\x08\x0B-\x1F\x7F-\x9F\u2028-\u202E\u2066-\u2069\u200E\u200F]|\p{Cs}/u,
        );
      }),
    );
  });
});

describe("escaped", () => {
  test("escapes hazards in JSON without changing the value", () => {
    expect(escaped('"\u009b\u202e\u200d\u{e0041}\u007f"')).toBe('"\\u009b\\u202e\\u200d\\udb40\\udc41\\u007f"');
    fc.assert(
      fc.property(hostile, (text) => {
        const json = escaped(JSON.stringify([text], undefined, 2));
        expect(JSON.parse(json)).toEqual([text]);
        expect(forbidden(json, { lines: true })).toEqual([]);
      }),
    );
  });
});
