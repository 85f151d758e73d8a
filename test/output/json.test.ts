import { LosslessNumber } from "lossless-json";
import { describe, expect, test } from "vitest";
import { jsonText } from "../../src/output/json.ts";
import { Secret } from "../../src/world.ts";
import fc from "../property.ts";

describe("jsonText", () => {
  test("says of every JSON value what it is, indented or not", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(jsonText(value))).toEqual(plain);
        expect(JSON.parse(jsonText(value, 2))).toEqual(plain);
      }),
    );
  });

  test("writes what JSON.stringify refuses just as it would", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const marked = jsonText({ big: 1n, value }, indent);
        expect(marked).toBe(jsonText({ big: 1, value }, indent));
      }),
    );
  });

  test("keeps numbers beyond 2^53 exact", () => {
    const text = jsonText({ a: 12345678901234567890n, b: new LosslessNumber("0.10000000000000000001"), c: [1n] });
    expect(text).toBe('{"a":12345678901234567890,"b":0.10000000000000000001,"c":[1]}');
  });

  test("takes an object that only looks like a number for data", () => {
    const data = { isLosslessNumber: true, value: '1,"admin":true' };
    expect(JSON.parse(jsonText(data))).toEqual(data);
  });

  test("is not broken by a hundred thousand levels", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const text = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
      expect(jsonText(JSON.parse(text))).toBe(text);
      expect(jsonText(JSON.parse(text), 2).length).toBeLessThan(1_000_000);
    }
  });

  test("never shows a secret", () => {
    expect(jsonText({ key: new Secret("s3cret"), big: 1n })).toBe('{"key":"[secret]","big":1}');
  });
});
