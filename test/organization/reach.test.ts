/** Who is reached by groups and permissions. */
import { expect, test } from "vitest";
import { reached, reachOf } from "../../src/organization/group-members.ts";
import { fresh } from "../run.ts";
import { snapshotIn } from "./snapshots.ts";

test("what can be got to is found once, also in a circle", () => {
  const next = new Map([
    [1, [2, 3]],
    [2, [1]],
    [3, [4]],
  ]);
  expect([...reached([1], (each) => next.get(each))].toSorted()).toEqual([1, 2, 3, 4]);
  expect([...reached([4, 4], (each) => next.get(each))]).toEqual([4]);
});

test.each<[what: string, setting: Parameters<ReturnType<typeof reachOf>["people"]>[0], people: number[]]>([
  ["a group", 17, [9, 11]],
  ["a group with groups in it", 19, [9, 10, 11, 12]],
  ["nobody", 9, []],
  ["a group that is not there", 99, []],
  ["a group alone, said at length", { direct_members: [], direct_subgroups: [17] }, [9, 11]],
  ["people", { direct_members: [8, 9], direct_subgroups: [] }, [8, 9]],
  ["people and groups", { direct_members: [8], direct_subgroups: [17, 18] }, [8, 9, 11, 12]],
  ["groups", { direct_members: [], direct_subgroups: [17, 18] }, [9, 11, 12]],
])("who is reached by %s", async (_, setting, people) => {
  const reach = reachOf(await snapshotIn(fresh({ level: 478 })));
  for (const __ of [1, 2]) expect([...reach.people(setting)].toSorted((a, b) => a - b)).toEqual(people);
});
