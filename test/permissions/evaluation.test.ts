import { expect, test } from "vitest";
import { evaluate } from "../../src/permissions/evaluation.ts";
import { readRecording, recordings } from "./recordings.ts";

test("agrees with real servers about every account and permission", () => {
  let cases = 0;
  const wrong: string[] = [];
  for (const number of recordings) {
    const { snapshot, cells } = readRecording(number);
    const evaluation = evaluate(snapshot);
    for (const { scope, target, permission, may, may_not } of cells) {
      const cell = evaluation.cell(scope, target, permission);
      const check = (user: number, expected: boolean) => {
        cases++;
        const answer = cell && evaluation.isAllowed(user, cell);
        if (answer !== expected) wrong.push(`${number}: ${user} ${scope} ${target} ${permission}: ${answer}`);
      };
      for (const user of may) check(user, true);
      for (const user of may_not) check(user, false);
    }
  }
  expect(wrong).toEqual([]);
  expect(cases).toBe(43_986);
});

test("gives either ways or missing requirements, never both", () => {
  const wrong: unknown[] = [];
  for (const number of recordings) {
    const evaluation = evaluate(readRecording(number).snapshot);
    for (const cell of evaluation.cells())
      for (const { user_id } of evaluation.accounts) {
        const ways = evaluation.paths(user_id, cell).length > 0;
        const missing = evaluation.missing(user_id, cell).length > 0;
        if (ways === missing || ways !== evaluation.isAllowed(user_id, cell)) wrong.push({ number, user_id, cell });
      }
  }
  expect(wrong).toEqual([]);
});
