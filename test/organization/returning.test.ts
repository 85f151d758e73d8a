/** What those who have come back stand in again, and by the file should not; and who is reached by what. */
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Difference } from "../../src/organization/difference.ts";
import type { Content } from "../../src/organization/place.ts";
import { reached, reachOf } from "../../src/organization/reach.ts";
import { regained, returningIn } from "../../src/organization/returning.ts";
import { fresh } from "../run.ts";
import { snapshotIn } from "./snapshots.ts";

const cora = 11;

test.each<[text: string, names: string[], returning?: number[]]>([
  ["channels: [{ name: design, subscribers: [iris@sandbox.example] }]", ["design"]],
  ["channels: [{ name: design, subscribers: [iris@sandbox.example, cora@sandbox.example] }]", []],
  ["channels: [{ name: design, subscribers: { remove: [cora@sandbox.example] } }]", ["design"]],
  ["channels: [{ name: design, subscribers: { remove: [cora@sandbox.example] } }]", [], []],
  ["channels: [{ name: design, description: x, folder: null }]", []],
  ["channels: [{ name: design, description: x, subscribers: [iris@sandbox.example] }]", ["design"]],
  ["groups: [{ name: designers, members: [adam@sandbox.example] }, { name: writers, members: [] }]", ["designers"]],
  ["groups: [{ name: writers, can_manage_group: nobody }]", ["writers"], [8]],
  ["groups: [{ name: writers, can_manage_group: { users: [iris@sandbox.example, otis@sandbox.example] } }]", [], [8]],
  ["groups: [{ name: new, description: x, members: [cora@sandbox.example] }]", []],
  ["channels: [{ name: design, folder: null }, { name: general, folder: Projects }]", []],
])("%s", async (text, names, returning = [cora]) => {
  const snapshot = await snapshotIn(fresh({ level: 478 }));
  const content = parse(text) as Content;
  expect(regained(snapshot, content, new Set(returning)).map(({ name }) => name)).toEqual(names);
});

test("what would be removed has nobody in it", async () => {
  const snapshot = await snapshotIn(fresh({ level: 478 }));
  const content = parse("complete: [linkifiers]\nlinkifiers: [{ pattern: '#(?P<id>[0-9]+)' }]") as Content;
  expect(regained(snapshot, content, new Set([cora]))).toEqual([]);
});

test("those come back who are brought back, and groups do not count", () => {
  const one = (section: "people" | "groups", id: number, action: "reactivate" | "update"): Difference => ({
    section,
    name: "x",
    id,
    action,
    fields: [],
  });
  const all = [one("people", 15, "reactivate"), one("people", 12, "update"), one("groups", 17, "reactivate")];
  expect([...returningIn(all)]).toEqual([15]);
});

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
