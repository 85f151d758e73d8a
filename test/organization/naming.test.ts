/** What things are called: in files, in their order there, and in messages. */
import { expect, test } from "vitest";
import type { GroupSetting } from "../../src/api/group-setting.ts";
import { addressOf } from "../../src/api/users.ts";
import type { Difference } from "../../src/organization/difference.ts";
import { calledIn, labelOf } from "../../src/organization/file.ts";
import { byText, Commented, namingOf, plainName } from "../../src/organization/naming.ts";
import type { Person, Snapshot } from "../../src/organization/snapshot.ts";
import { fresh } from "../run.ts";
import { snapshotIn } from "./snapshots.ts";

const person = (user_id: number, full_name: string, rest: Partial<Person>): Person => ({
  user_id,
  full_name,
  email: `user${user_id}@chat.example`,
  is_bot: false,
  ...rest,
});

const people = [
  person(8, "Zoe", { delivery_email: "zoe@x.example" }),
  person(9, "Adam", { delivery_email: "adam@x.example" }),
  person(10, "Hidden", { delivery_email: null }),
];
const away = [person(11, "Away", { delivery_email: "away@x.example" })];
const groups = [
  [1, "role:nobody"],
  [2, "writers"],
  [3, "makers"],
  [4, "nobody"],
  [5, "@all"],
].map(([id, name]) => ({
  id: Number(id),
  name: String(name),
  description: "",
  members: [],
  direct_subgroup_ids: [],
  is_system_group: false,
}));

async function naming(folders: Snapshot["channel_folders"] = []) {
  const { organization, ...snapshot } = await snapshotIn(fresh());
  const told = { ...organization, realm_users: people, realm_non_active_users: away, realm_user_groups: groups };
  return namingOf({ ...snapshot, organization: told, channel_folders: folders } as Snapshot);
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each<[what: string, setting: GroupSetting, told: unknown]>([
  ["a group", 2, "writers"],
  ["the group of nobody", 1, "nobody"],
  ["a group that is called nobody", 4, { groups: ["nobody"] }],
  ["a group that nobody knows", 77, "id:77"],
  ["a group whose name would be read as something else", 5, "name:@all"],
  ["a group alone, said at length", { direct_members: [], direct_subgroups: [2] }, "writers"],
  ["nobody, said at length", { direct_members: [], direct_subgroups: [1] }, "nobody"],
  ["neither people nor groups", { direct_members: [], direct_subgroups: [] }, { users: [] }],
  ["people", { direct_members: [8, 9], direct_subgroups: [] }, { users: ["adam@x.example", "zoe@x.example"] }],
  ["groups", { direct_members: [], direct_subgroups: [2, 3] }, { groups: ["makers", "writers"] }],
  [
    "people and a group",
    { direct_members: [8], direct_subgroups: [2] },
    { users: ["zoe@x.example"], groups: ["writers"] },
  ],
  ["those who are not away", { direct_members: [11, 8], direct_subgroups: [] }, { users: ["zoe@x.example"] }],
  ["those who are away, and a group", { direct_members: [11], direct_subgroups: [2] }, { groups: ["writers"] }],
])("%s", async (_, setting, told) => {
  expect(plain((await naming()).who(setting))).toStrictEqual(told);
});

test("somebody whose address is hidden is a number, with the name beside it, and somebody unknown the number alone", async () => {
  const { person, people } = await naming();
  expect(plain(people([10, 8, 11, 9]))).toEqual(["adam@x.example", "id:10", "zoe@x.example"]);
  expect([person(10), person(77), person(8)]).toEqual([new Commented("id:10", "Hidden"), "id:77", "zoe@x.example"]);
});

test("groups by their names, in order", async () => {
  const { group, groups } = await naming();
  expect([group(2), groups([2, 1, 3])]).toEqual(["writers", ["makers", "role:nobody", "writers"]]);
});

test("folders and channels by their names, where there are any", async () => {
  const { folder, channel, options } = await naming([{ id: 3, name: "Work", description: "", is_archived: false }]);
  expect([folder(3), folder(4), channel(2), channel(99)]).toEqual(["Work", undefined, "general", undefined]);
  expect((await naming(null)).folder(3)).toBe(undefined);
  expect(options([{ key: "1", text: "Red" }])).toEqual(["Red"]);
});

test.each<[what: string, told: Partial<Person>, address: string | undefined]>([
  ["the one that is told", { delivery_email: "a@x.example", email: "b@x.example" }, "a@x.example"],
  ["none where it is hidden", { delivery_email: null, email: "b@x.example" }, undefined],
  ["the only one of older servers", { email: "b@x.example" }, "b@x.example"],
  ["none where that stands in place of another", { email: "user7@chat.example" }, undefined],
  ["that of somebody else's number", { email: "user71@chat.example" }, "user71@chat.example"],
])("the address is %s", (_, told, address) => {
  expect(addressOf(person(7, "x", told))).toBe(address);
});

test("names that are none of the file's words stay as they are", () => {
  expect(["@a", "id:7", "name:x", "a@b", "my id:7", "x"].map(plainName)).toEqual([
    ...["name:@a", "name:id:7", "name:name:x", "a@b", "my id:7", "x"],
  ]);
});

test("references stand in the order of their characters", () => {
  const sorted = ["b", "B", new Commented("id:7", "A"), "a", "ä", "a"].toSorted(byText);
  expect(sorted.map((each) => `${plain(each)}`)).toEqual(["B", "a", "a", "b", "id:7", "ä"]);
  expect([byText("a", "a"), byText("a", "b"), byText("b", "a")]).toEqual([0, -1, 1]);
});

test.each<[section: Difference["section"], name: string, action: string | undefined, called: string]>([
  ["channels", "design", "update", "channel design"],
  ["profile_fields", "Team", "create", "profile field Team"],
  ["people", "ada@x.example", undefined, "person ada@x.example"],
  ["settings", "settings", "update", "settings"],
  ["new_users", "new_users", "update", "settings of new people"],
  ["linkifiers", "linkifiers", "reorder", "order of linkifiers"],
  ["profile_fields", "profile_fields", "reorder", "order of profile fields"],
])("%s %s, %s", (section, name, action, called) => {
  expect(calledIn({ section, name, ...(action !== undefined && { action }) })).toBe(called);
});

test("a value of somebody's profile is called by its field", () => {
  expect(labelOf({ field: "profile", of: { field: 3, name: "Team" }, to: "x" })).toBe("profile Team");
  expect(labelOf({ field: "description", to: "x" })).toBe("description");
});
