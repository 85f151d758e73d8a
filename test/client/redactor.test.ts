import { describe, expect, test } from "vitest";
import { Redactor } from "../../src/client/redactor.ts";
import fc from "../property.ts";

const form = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
const spellings: Record<string, (text: string) => string> = {
  exact: (text) => text,
  "a URL": encodeURIComponent,
  "a URL in lower case": (text) => encodeURIComponent(text).replace(/%../g, (found) => found.toLowerCase()),
  "a form": form,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
};

const password = fc.oneof(
  fc.string({ unit: "grapheme-ascii", minLength: 5, maxLength: 24 }),
  fc.string({ unit: "grapheme", minLength: 5, maxLength: 12 }),
  fc
    .array(fc.constantFrom(..."\"'&<>%\\/+= ;#x25au\t\n{}()[]*?.|^$-é漢😀"), { minLength: 5, maxLength: 16 })
    .map((all) => all.join("")),
);

describe("masks a secret", () => {
  test.each(Object.entries(spellings))("as in %s", (_, write) => {
    fc.assert(
      fc.property(password, (secret) => {
        expect(new Redactor([secret]).text(`<p>${write(secret)}</p>`)).toBe("<p>[secret]</p>");
      }),
      { numRuns: 150 },
    );
  });

  test("in base64 and base64url, with or without padding, among other bytes", () => {
    const encodings = fc.constantFrom("base64" as const, "base64url" as const);
    fc.assert(
      fc.property(password, fc.string(), fc.string(), encodings, fc.nat(2), (secret, a, b, encoding, how) => {
        const whole = Buffer.from(a + secret + b).toString(encoding);
        const said = [whole, whole.replace(/=+$/, ""), encodeURIComponent(whole)][how] ?? "";
        const left = new Redactor([secret]).text(said);
        expect(left).toContain("[secret]");
        expect(left.length).toBeLessThanOrEqual(said.length - Math.floor((Buffer.from(secret).length * 8) / 6) + 8);
      }),
      { numRuns: 200 },
    );
  });

  test("together with the account, as in a header", () => {
    const pair = "ada@chat.example:abcdefghijklmnopqrstuvwxyz?>~12";
    const redactor = new Redactor(["abcdefghijklmnopqrstuvwxyz?>~12"], [pair]);
    for (const encoding of ["base64", "base64url"] as const)
      expect(redactor.text(`Basic ${Buffer.from(pair).toString(encoding)}, next`)).toBe("Basic [secret], next");
    expect(redactor.text("ada@chat.example is no secret")).toBe("ada@chat.example is no secret");
  });
});

test("leaves other text unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (said) => {
      expect(new Redactor(["correct horse battery"]).text(said)).toBe(said);
    }),
  );
  expect(new Redactor(["abc"]).text("abc")).toBe("abc");
  expect(new Redactor([]).text("anything")).toBe("anything");
});
