import { expect, test } from "vitest";
import { judgementOf } from "../../src/permissions/judgement.ts";
import { readRecording, recordings } from "./recordings.ts";

test("the rules say of every account and permission what a real server did", () => {
  let judged = 0;
  const wrong: string[] = [];
  for (const number of recordings) {
    const { snapshot, cells } = readRecording(number);
    const judgement = judgementOf(snapshot);
    for (const { scope, target, permission, may, may_not } of cells) {
      const cell = judgement.cell(scope, target, permission);
      const check = (user: number, expected: boolean) => {
        judged++;
        const told = cell && judgement.may(user, cell);
        if (told !== expected) wrong.push(`${number}: ${user} ${scope} ${target} ${permission}: ${told}`);
      };
      for (const user of may) check(user, true);
      for (const user of may_not) check(user, false);
    }
  }
  expect(wrong).toEqual([]);
  expect(judged).toBe(38_193);
});

test("whoever may has a way, whoever may not lacks something, and nobody has both", () => {
  for (const number of recordings) {
    const judgement = judgementOf(readRecording(number).snapshot);
    for (const cell of judgement.cells())
      for (const { user_id } of judgement.accounts) {
        const ways = judgement.ways(user_id, cell).length > 0;
        const lacks = judgement.lacks(user_id, cell).length > 0;
        if (ways === lacks || ways !== judgement.may(user_id, cell))
          throw new Error(
            `${number}: ${user_id} ${cell.scope} ${cell.target_id} ${cell.permission}: ${ways}, ${lacks}`,
          );
      }
  }
});
