import { expect, test } from "vitest";
import { didYouMean } from "../src/common/suggestions.ts";

test.each([
  ["m", ["n"], undefined],
  ["N", ["n"], "Did you mean: n?"],
  ["nn", ["n"], "Did you mean: n?"],
  ["chanel", ["channel", "folder"], "Did you mean: channel?"],
  ["xyz", ["channel"], undefined],
])("for %s out of %j suggests %s", (word, names, suggestion) => {
  expect(didYouMean(word, names)).toBe(suggestion);
});
