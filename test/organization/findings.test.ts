/** Suggestions for misspelled names. */
import { expect, test } from "vitest";
import { similarNames, suggestion } from "../../src/organization/compare/findings.ts";

test.each<[wanted: string, names: string[], near: string[]]>([
  ["design", ["designs", "designer", "general"], ["designs"]],
  ["DESIGN", ["desing", "Designs"], ["Designs"]],
  ["abcd", ["abce", "abcf", "abcg", "abch", "xyz"], ["abce", "abcf", "abcg"]],
  ["abcdefghijkl", ["abcdefghwxyz"], []],
  ["bo@example.com", ["jo@example.com", "al@example.com"], ["jo@example.com"]],
  ["corra@x.example", ["cora@X.example", "corra@y.example"], ["cora@X.example", "corra@y.example"]],
])("near %s of %j: %j", (wanted, names, near) => {
  expect(similarNames(wanted, names)).toEqual(near);
});

test("suggests similar names", () => {
  expect(["abcd", "abd", "zzz"].map((word) => suggestion(word, ["abce", "abcf", "abcg"]))).toEqual([
    "; did you mean abce, abcf or abcg?",
    "",
    "",
  ]);
  expect([suggestion("abcd", ["abce"]), suggestion("abcd", ["abce", "abcf"])]).toEqual([
    "; did you mean abce?",
    "; did you mean abce or abcf?",
  ]);
});
