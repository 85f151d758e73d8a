import { expect, test } from "vitest";
import { readJson } from "../../src/notation/json.ts";

test.each([
  "[1,2.5,-0,1e3]",
  '{"a":9007199254740991}',
  '"9007199254740993"',
  "1.234567890123456789",
  '{"a":1,"a":2}',
  "[1e-400]",
])("%s is what JSON.parse makes of it", (text) => expect(readJson(text)).toEqual({ value: JSON.parse(text) }));

test.each([
  ['{"a":1,\n"b":9007199254740993}', "9007199254740993", 2, 5],
  ['{"a":1,"a":-9007199254740992}', "-9007199254740992", 1, 12],
  ["[1e400]", "1e400", 1, 2],
  ["[12345678901234567890123]", "12345678901234567890123", 1, 2],
])("%s has a number that would be sent as another one", (text, number, line, column) => {
  const wrong = `${number} is beyond 2^53 and cannot be sent exactly`;
  expect(readJson(text)).toEqual({ wrong, line, column });
});

test("what is no JSON is told with its place", () => {
  expect(readJson('{"a":\n7,}')).toMatchObject({ line: 2, column: 3 });
});

const nested = (depth: number, inside: string) => `${"[".repeat(depth)}${inside}${"]".repeat(depth)}`;

test.each(["", "1234567890123456", '"[["'])("nesting is read to 200 levels (%s)", (inside) => {
  expect(readJson(nested(200, inside))).toEqual({ value: JSON.parse(nested(200, inside)) });
  const wrong = "nested deeper than 200 levels";
  expect(readJson(`{"a":\n"[\\"",\n"b":${nested(200, inside)}}`)).toEqual({ wrong, line: 3, column: 204 });
  expect(readJson(nested(100_000, inside))).toEqual({ wrong, line: 1, column: 201 });
});

test("what is no JSON is told as such however deep it is", () => {
  expect(readJson("[".repeat(100_000))).toEqual({ wrong: "not valid JSON", line: 1, column: 1 });
});
