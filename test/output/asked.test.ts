import { expect, test } from "vitest";
import { asksJson } from "../../src/output/asked.ts";

test.each([
  ["--json", true],
  ["-o json", true],
  ["-ojson", true],
  ["-qojson", true],
  ["-nyo json", true],
  ["--output json", true],
  ["--output=json", true],
  ["--jq .id", true],
  ["-o csv", false],
  ["-p ojson", false],
  ["folder create json", false],
])("%s asks for errors as JSON: %s", (words, asked) => {
  expect(asksJson(words.split(" "))).toBe(asked);
});
