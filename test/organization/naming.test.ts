/** Names of things in files and in messages. */

import { expect, test } from "vitest";
import type { GroupSetting } from "../../src/model/permission.ts";
import { whoShape } from "../../src/organization/attribute-shapes.ts";
import type { Difference } from "../../src/organization/difference.ts";
import { nobodyIn, permissionValue } from "../../src/organization/id-values.ts";
import { namingOf, plainName } from "../../src/organization/naming.ts";
import { differenceTitle } from "../../src/organization/section-registry.ts";
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
const deactivated = [person(11, "Away", { delivery_email: "away@x.example" })];
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

async function naming() {
  const { organization, ...snapshot } = await snapshotIn(fresh());
  const withGroups = {
    ...organization,
    realm_users: people,
    realm_non_active_users: deactivated,
    realm_user_groups: groups,
  };
  const changed = { ...snapshot, organization: withGroups } as Snapshot;
  const { inFile } = namingOf(changed, { isExport: true });
  return (setting: GroupSetting) => inFile({ shape: whoShape }, permissionValue(setting, nobodyIn(changed)));
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each<[what: string, setting: GroupSetting, told: unknown]>([
  ["a group", 2, "writers"],
  ["role:nobody", 1, "nobody"],
  ["a group named nobody", 4, { groups: ["nobody"] }],
  ["an unknown group", 77, "id:77"],
  ["a group whose name looks like another reference", 5, "name:@all"],
  ["one group in the long form", { direct_members: [], direct_subgroups: [2] }, "writers"],
  ["nobody in the long form", { direct_members: [], direct_subgroups: [1] }, "nobody"],
  ["neither people nor groups", { direct_members: [], direct_subgroups: [] }, "nobody"],
  ["people", { direct_members: [8, 9], direct_subgroups: [] }, { users: ["adam@x.example", "zoe@x.example"] }],
  ["groups", { direct_members: [], direct_subgroups: [2, 3] }, { groups: ["makers", "writers"] }],
  [
    "people and a group",
    { direct_members: [8], direct_subgroups: [2] },
    { users: ["zoe@x.example"], groups: ["writers"] },
  ],
  ["only active people", { direct_members: [11, 8], direct_subgroups: [] }, { users: ["zoe@x.example"] }],
  ["deactivated people and a group", { direct_members: [11], direct_subgroups: [2] }, "writers"],
])("%s", async (_, setting, told) => {
  expect(plain((await naming())(setting))).toStrictEqual(told);
});

test("adds name: only to names that could be another reference", () => {
  expect(["@a", "id:7", "name:x", "a@b", "my id:7", "x"].map(plainName)).toEqual([
    ...["name:@a", "name:id:7", "name:name:x", "a@b", "my id:7", "x"],
  ]);
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
  expect(differenceTitle({ section, name, ...(action !== undefined && { action }) })).toBe(called);
});
