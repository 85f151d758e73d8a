import { expect, test } from "vitest";
import { readJson } from "../../src/notation/json.ts";

test.each(["[1,2.5,-0,1e3]", '"9007199254740993"', '{"a":1,"a":2}'])("%s is what JSON.parse makes of it", (text) =>
  expect(readJson(text)).toEqual({ value: JSON.parse(text) }),
);

test("what is not JSON is told with its place", () => {
  expect(readJson('{"a":\n7,}')).toMatchObject({ line: 2, column: 3 });
});
