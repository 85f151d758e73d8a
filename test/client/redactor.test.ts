/** Whatever a page does to a text when it quotes it, no secret is left in it. */

import { describe, expect, test } from "vitest";
import { Redactor } from "../../src/client/redactor.ts";
import fc from "../property.ts";

const points = (text: string) => [...text];
const hex = (code: number) => code.toString(16);
const bytes = (text: string) => [...Buffer.from(text)].map((byte) => hex(byte).padStart(2, "0"));
const units = (text: string) => [...Array(text.length).keys()].map((at) => hex(text.charCodeAt(at)).padStart(4, "0"));
const named: Record<string, string> = { '"': "&quot;", "&": "&amp;", "'": "&#39;", "<": "&lt;", ">": "&gt;" };
const html = (text: string) => text.replace(/["&'<>]/g, (c) => named[c]!);
const form = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);

/** How a page may write each character of a text. */
const ways: Record<string, (point: string) => string> = {
  plain: (point) => point,
  "percent-encoded": (point) => encodeURIComponent(point),
  "lower-case percent-encoded": (point) => encodeURIComponent(point).replace(/%../g, (found) => found.toLowerCase()),
  "percent-encoded all": (point) =>
    bytes(point)
      .map((byte) => `%${byte}`)
      .join(""),
  "percent-encoded twice": (point) => encodeURIComponent(encodeURIComponent(point)),
  form,
  HTML: html,
  "HTML twice": (point) => html(html(point)),
  "decimal references": (point) => `&#${point.codePointAt(0)};`,
  "hexadecimal references": (point) => `&#x${hex(point.codePointAt(0)!).toUpperCase()};`,
  "padded references": (point) => `&#x000${hex(point.codePointAt(0)!)};`,
  JSON: (point) => JSON.stringify(point).slice(1, -1),
  "JSON twice": (point) => JSON.stringify(JSON.stringify(point).slice(1, -1)).slice(1, -1),
  "\\u": (point) =>
    units(point)
      .map((unit) => `\\u${unit}`)
      .join(""),
  "\\U": (point) =>
    units(point)
      .map((unit) => `\\u${unit.toUpperCase()}`)
      .join(""),
  "\\x": (point) =>
    bytes(point)
      .map((byte) => `\\x${byte}`)
      .join(""),
  "\\u{}": (point) => `\\u{${hex(point.codePointAt(0)!)}}`,
};

const gaps = [
  "",
  "\u200b",
  "\u200d",
  "\u00ad",
  "\ufeff",
  "\u2060",
  "<wbr>",
  "&shy;",
  "&#8203;",
  "&#x200B;",
  "&ZeroWidthSpace;",
];

const password = fc.oneof(
  fc.string({ unit: "grapheme-ascii", minLength: 5, maxLength: 24 }),
  fc.string({ unit: "grapheme", minLength: 5, maxLength: 12 }),
  fc
    .array(fc.constantFrom(..."\"'&<>%\\/+= ;#x25au\t\n{}()[]*?.|^$-é漢😀"), { minLength: 5, maxLength: 16 })
    .map((all) => all.join("")),
);
const around = fc.constantFrom("", "x", "<p>password=", '"', " ", "&amp;", "%25", "\\");

describe("no secret is left", () => {
  test.each(Object.entries(ways))("%s, with anything invisible between", (_, write) => {
    fc.assert(
      fc.property(password, fc.constantFrom(...gaps), around, (secret, gap, before) => {
        const said = points(secret).map(write).join(gap);
        // What stands before may become part of a reference or an escape, and is masked with it then.
        expect(new Redactor([secret]).text(`${before} ${said} after`)).toContain("[secret] after");
        expect(new Redactor([secret]).text(`${before} ${said} after`)).not.toContain(said);
      }),
      { numRuns: 150 },
    );
  });

  test.each([
    [" %00 5", "+%2500+5"],
    ["<&lt;>", "&lt;&amp;lt;&gt;"],
    ["&amp;&", "&amp;amp;&amp;"],
    ["%2541", "%252541"],
  ])("%s, of which %s may be read otherwise too", (secret, said) => {
    expect(new Redactor([secret]).text(`a ${said} b`)).toBe("a [secret] b");
  });

  test("each character in a way of its own", () => {
    fc.assert(
      fc.property(password, fc.infiniteStream(fc.constantFrom(...Object.values(ways))), (secret, all) => {
        const said = points(secret)
          .map((point) => all.next().value!(point))
          .join("");
        expect(new Redactor([secret]).text(`<${said}>`)).toBe("<[secret]>");
      }),
      { numRuns: 150 },
    );
  });

  test("base64 and base64url, padded or not, wrapped, escaped, and amid other bytes", () => {
    const encodings = ["base64", "base64url"] as const;
    fc.assert(
      fc.property(
        password,
        fc.string(),
        fc.string(),
        fc.constantFrom(...encodings),
        fc.nat(3),
        (secret, a, b, as, how) => {
          const whole = Buffer.from(a + secret + b).toString(as);
          const said = [whole, whole.replace(/=+$/, ""), whole.replace(/(.{4})/g, "$1\n"), encodeURIComponent(whole)][
            how
          ]!;
          const left = new Redactor([secret]).text(said);
          expect(left).toContain("[secret]");
          expect(left.length).toBeLessThanOrEqual(said.length - Math.floor((Buffer.from(secret).length * 8) / 6) + 8);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("an account with its key, as a header carries both", () => {
    const pair = "ada@chat.example:abcdefghijklmnopqrstuvwxyz?>~12";
    const redactor = new Redactor(["abcdefghijklmnopqrstuvwxyz?>~12"], [pair]);
    for (const as of ["base64", "base64url"] as const)
      for (const text of [Buffer.from(pair).toString(as), Buffer.from(pair).toString(as).replace(/=+$/, "")])
        expect(redactor.text(`Authorization: Basic ${text}, next`)).toBe("Authorization: Basic [secret], next");
    expect(redactor.text("ada@chat.example is no secret")).toBe("ada@chat.example is no secret");
  });
});

test("what is no secret stays", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (said) => {
      expect(new Redactor(["correct horse battery"]).text(said)).toBe(said);
    }),
  );
  expect(new Redactor(["abc"]).text("abc")).toBe("abc");
  expect(new Redactor([]).text("anything")).toBe("anything");
});

test.each([
  ["backslashes", "\\".repeat(300_000), '"\\"\\"\\"\\"'],
  ["backslashes alone", "\\".repeat(100_000), "\\".repeat(12)],
  ["percent signs", "%25".repeat(100_000), "%25%25%25%25%25%25"],
  ["ampersands", "&amp;".repeat(60_000), "&&&&&&&&amp;&"],
  ["invisible characters", `a${"\u200b".repeat(300_000)}`, "aaaaaaaa"],
  ["nearly the secret", "aaaaaaaa".repeat(40_000), `${"a".repeat(30)}b`],
  ["spaces", " ".repeat(300_000), "          x"],
])("reads a page full of %s", (_, said, secret) => {
  expect(new Redactor([secret]).text(said)).not.toContain(secret);
});
