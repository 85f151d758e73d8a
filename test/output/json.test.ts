import { expect, test } from "vitest";
import { jsonText } from "../../src/output/json.ts";
import { Secret } from "../../src/world.ts";
import fc from "../property.ts";

test("says of every JSON value what it is, indented or not", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain = JSON.parse(JSON.stringify(value));
      expect(JSON.parse(jsonText(value))).toEqual(plain);
      expect(JSON.parse(jsonText(value, 2))).toEqual(plain);
    }),
  );
});

test("never shows a secret", () => {
  expect(jsonText({ key: new Secret("s3cret") })).toBe('{"key":"[secret]"}');
});
