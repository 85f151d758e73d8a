/** Suggestions for misspelled names, and notices. */
import { expect, test } from "vitest";
import { Findings, similarNamesOrAddresses, suggestion } from "../../src/organization/compare/findings.ts";

test.each<[wanted: string, names: string[], near: string[]]>([
  ["design", ["designs", "designer", "general"], ["designs"]],
  ["DESIGN", ["desing", "Designs"], ["Designs"]],
  ["abcd", ["abce", "abcf", "abcg", "abch", "xyz"], ["abce", "abcf", "abcg"]],
  ["abcdefghijkl", ["abcdefghwxyz"], []],
  ["bo@example.com", ["jo@example.com", "al@example.com"], ["jo@example.com"]],
  ["corra@x.example", ["cora@X.example", "corra@y.example"], ["cora@X.example", "corra@y.example"]],
])("near %s of %j: %j", (wanted, names, near) => {
  expect(similarNamesOrAddresses(wanted, names)).toEqual(near);
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

test("says once what is true of several people", () => {
  const findings = new Findings();
  const says = ["is invited", "people are invited"] as const;
  for (const [at, name] of ["a", "b", "c", "d", "e", "f", "a"].entries())
    findings.noticeAbout(name, says, ["people", at]);
  findings.noticeAbout("a", ["has a bot", "people have bots"], ["bots", 0]);
  expect(findings.notices).toEqual([
    { path: ["people", 0], message: "6 people are invited: a, b, c, d, e and 1 more" },
    { path: ["bots", 0], message: "a has a bot" },
  ]);
});
