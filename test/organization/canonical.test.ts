/** The form in which values are compared. */
import { expect, test } from "vitest";
import { isNothing, same, sorted } from "../../src/organization/canonical.ts";
import { nearest, suggestion } from "../../src/organization/compare/findings.ts";
import { arranged } from "../../src/organization/compare/profiles.ts";

test("lists have ids by size, then what is made by name, each once", () => {
  expect(sorted([{ new: "b" }, 10, 9, { new: "B" }, { new: "a" }, 10, { new: "b" }])).toEqual([
    9,
    10,
    { new: "B" },
    { new: "a" },
    { new: "b" },
  ]);
  expect([sorted([]), sorted([3, 3, 1])]).toEqual([[], [1, 3]]);
});

test.each<[one: unknown, other: unknown, are: boolean]>([
  [1, 1, true],
  [1, "1", false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [[], {}, false],
  [[{ new: "a" }], [{ new: "a" }], true],
  [[{ new: "a" }], [{ new: "b" }], false],
  [{ users: [1], groups: [] }, { groups: [], users: [1] }, true],
  [{ users: [1] }, { users: [1], groups: [] }, false],
  [{ a: undefined }, { b: undefined }, false],
])("%j and %j: the same is %s", (one, other, are) => {
  expect(same(one, other)).toBe(are);
});

test("nothing is an empty text, an empty list, or none", () => {
  expect([undefined, null, "", []].map(isNothing)).toEqual([true, true, true, true]);
  expect([0, false, " ", [0], {}].map(isNothing)).toEqual([false, false, false, false, false]);
});

test("those listed share out the places that they hold", () => {
  expect(arranged([1, 2, 3, 4, 5], [5, 1, 3])).toEqual([5, 2, 1, 4, 3]);
  expect(arranged([1, 2], [])).toEqual([1, 2]);
});

test.each<[wanted: string, names: string[], near: string[]]>([
  ["design", ["designs", "designer", "general"], ["designs"]],
  ["DESIGN", ["desing", "Designs"], ["Designs"]],
  ["abcd", ["abce", "abcf", "abcg", "abch", "xyz"], ["abce", "abcf", "abcg"]],
  ["abcdefghijkl", ["abcdefghwxyz"], []],
  ["bo@example.com", ["jo@example.com", "al@example.com"], ["jo@example.com"]],
  ["corra@x.example", ["cora@X.example", "corra@y.example"], ["cora@X.example", "corra@y.example"]],
])("near %s of %j: %j", (wanted, names, near) => {
  expect(nearest(wanted, names)).toEqual(near);
});

test("what was perhaps meant is asked for", () => {
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
