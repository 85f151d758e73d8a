import { expect, test } from "vitest";
import { readJson } from "../../src/notation/read-json.ts";

test.each(["[1,2.5,-0,1e3]", '"9007199254740993"', '{"a":1,"a":2}'])("reads %s like JSON.parse", (text) =>
  expect(readJson(text)).toEqual({ value: JSON.parse(text) }),
);

test("names the place of an error", () => {
  expect(readJson('{"a":\n7,}')).toMatchObject({ line: 2, column: 3 });
});
