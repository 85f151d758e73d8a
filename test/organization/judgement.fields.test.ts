/** Attributes and lists that are looked at once more: as planned before, so already, or another by now. */
import { describe, expect, test } from "vitest";
import type { Difference, FieldChange } from "../../src/organization/difference.ts";
import { inProfile as valueIn } from "../../src/organization/judgement/profile.ts";
import type { State } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { create, crew, crewIsThere, crewMade, group, judged, type Meanwhile, update } from "./looking.ts";
import { snapshotIn } from "./snapshots.ts";

describe("an attribute of something that is there", () => {
  const described = (from: unknown, to: unknown) =>
    update("channels", 1, "design", [{ field: "description", from, to }]);

  test.each<[what: string, difference: Difference, says: string, meanwhile?: Meanwhile]>([
    [
      "as it was planned from",
      described("Sketches and **drafts**", "x"),
      'update channels design (1); description: "Sketches and **drafts**" → "x"',
    ],
    ["as it is to be", described("Before", "Sketches and **drafts**"), "done"],
    ["neither", described("Before", "x"), 'it now has another description: "Sketches and **drafts**"'],
    [
      "of which the server did not tell what it was",
      described(undefined, "x"),
      'update channels design (1); description: "Sketches and **drafts**" → "x"',
    ],
    [
      "none, which is told as nothing at all",
      update("channels", 2, "general", [{ field: "folder", from: null, to: 1 }]),
      "update channels general (2); folder: null → 1",
    ],
    [
      "that this server does not tell, and which is to be empty",
      update("linkifiers", 1, "#(?P<id>[0-9]+)", [{ field: "example_input", from: undefined, to: "" }]),
      "done",
      { level: 442 },
    ],
    [
      "that this server does not tell, and which is to be something",
      update("linkifiers", 1, "#(?P<id>[0-9]+)", [{ field: "example_input", from: undefined, to: "#1" }]),
      'update linkifiers #(?P<id>[0-9]+) (1); example_input: undefined → "#1"',
      { level: 442 },
    ],
    [
      "that this server does not tell, and did not",
      update("linkifiers", 1, "#(?P<id>[0-9]+)", [{ field: "example_input", from: null, to: "#1" }]),
      'update linkifiers #(?P<id>[0-9]+) (1); example_input: undefined → "#1"',
      { level: 442 },
    ],
    [
      "that this server does not tell, and told before",
      update("linkifiers", 1, "#(?P<id>[0-9]+)", [{ field: "example_input", from: "#2", to: "#1" }]),
      "it now has another example_input: none",
      { level: 442 },
    ],
    [
      "a setting",
      update("settings", undefined, "settings", [{ field: "name", from: "Sandbox", to: "x" }]),
      'update settings settings (undefined); name: "Sandbox" → "x"',
    ],
    [
      "a setting that changed meanwhile",
      update("settings", undefined, "settings", [{ field: "name", from: "Before", to: "x" }]),
      'it now has another name: "Sandbox"',
    ],
    [
      "a setting of new people",
      update("new_users", undefined, "new_users", [{ field: "enter_sends", from: false, to: true }]),
      "update new_users new_users (undefined); enter_sends: false → true",
    ],
    [
      "a setting of new people that is so",
      update("new_users", undefined, "new_users", [{ field: "enter_sends", from: true, to: false }]),
      "done",
    ],
    [
      "some so, some as planned from",
      update("channels", 1, "design", [
        { field: "is_private", from: true, to: false },
        { field: "folder", from: 1, to: null },
      ]),
      "update channels design (1); folder: 1 → null",
    ],
    [
      "one as planned from, one neither",
      update("channels", 1, "design", [
        { field: "folder", from: 1, to: null },
        { field: "is_private", from: true, to: 7 },
      ]),
      "it now has another is_private: false",
    ],
  ])("%s", async (_, difference, says, meanwhile) => {
    expect(await judged([difference], meanwhile)).toEqual([says]);
  });

  const inProfile = (field: number, from: unknown, to: unknown, id = 11) =>
    update("people", id, "Cora", [{ field: "profile", of: { field, name: "F" }, from, to }]);

  test.each<[what: string, difference: Difference, says: string, given?: (state: State) => void]>([
    ["a text", inProfile(2, "I *draw*.", "x"), 'update people Cora (11); profile 2: "I *draw*." → "x"'],
    ["a text that is so", inProfile(2, "x", "I *draw*."), "done"],
    ["a text that is another", inProfile(2, "x", "y"), 'it now has another profile F: "I *draw*."'],
    ["people", inProfile(4, [8], [9]), "update people Cora (11); profile 4: [8] → [9]"],
    [
      "people in another order",
      inProfile(4, [9], [8, 12]),
      "done",
      ({ users }) => void users.get(11)!.profile.set(4, "[12,8]"),
    ],
    ["no people", inProfile(4, null, [8], 12), "update people Cora (12); profile 4: null → [8]"],
    [
      "a list of nobody, which is none",
      inProfile(4, null, [8]),
      "update people Cora (11); profile 4: null → [8]",
      ({ users }) => void users.get(11)!.profile.set(4, "[]"),
    ],
    ["none", inProfile(1, null, "x", 12), 'update people Cora (12); profile 1: null → "x"'],
    ["none, as it is to be", inProfile(1, "x", null, 12), "done"],
    [
      "an empty text, which is none",
      inProfile(1, null, "x"),
      'update people Cora (11); profile 1: null → "x"',
      ({ users }) => void users.get(11)!.profile.set(1, ""),
    ],
  ])("in a profile: %s", async (_, difference, says, given) => {
    expect(await judged([difference], given && { given })).toEqual([says]);
  });

  test("in a profile: people as a list, and nobody as one", async () => {
    const snapshot = await snapshotIn(fresh({ level: 478 }));
    const told = (value: unknown) => {
      const [person] = snapshot.organization.realm_users;
      const realm_users = [{ ...person!, profile_data: { 4: { value } } }];
      const organization = { ...snapshot.organization, realm_users };
      return valueIn({ ...snapshot, organization }, person!.user_id, 4);
    };
    expect([[12, 8], [], "[12, 8]", "[]", "8", "", null].map(told)).toEqual([
      [8, 12],
      null,
      [8, 12],
      null,
      null,
      null,
      null,
    ]);
  });

  test("in a profile, of a field that the plan makes", async () => {
    const field = create("profile_fields", "Team", { name: "Team", type: "short_text" });
    const value = update("people", 12, "Otis", [
      { field: "profile", of: { field: { new: "Team" }, name: "Team" }, from: null, to: "x" },
    ]);
    expect((await judged([field, value]))[1]).toBe('update people Otis (12); profile {"new":"Team"}: null → "x"');
    const given = ({ profile_fields, users }: State) => {
      profile_fields.push({ ...profile_fields[0]!, id: 5, order: 5, name: "Team" });
      users.get(12)!.profile.set(5, "y");
    };
    const known = { made: new Map([[0, 5]]) };
    const [made, conflicting] = await judged([field, value], { given, known });
    expect([made, conflicting]).toEqual(["done, 5", 'it now has another profile Team: "y"']);
    const to = update("people", 11, "Cora", [
      { field: "profile", of: { field: { new: "Team" }, name: "Team" }, from: null, to: "x" },
    ]);
    expect((await judged([field, to], { given, known }))[1]).toBe('update people Cora (11); profile 5: null → "x"');
  });
});

describe("a list is judged by its elements", () => {
  const members = (from: number[], to: number[]) => update("groups", 17, "designers", [{ field: "members", from, to }]);

  test.each<[what: string, from: number[], to: number[], says: string]>([
    ["who is to come, and who is to go", [9, 11], [9, 12], "members: [9,11] → [9,12]"],
    ["who has come meanwhile stays", [11], [12], "members: [9,11] → [9,12]"],
    ["who has gone meanwhile is not put back", [9, 11, 13], [9, 11, 12, 13], "members: [9,11] → [9,11,12]"],
    ["who has come already", [9], [9, 11], "done"],
    ["who has gone already", [9, 11, 12], [9, 11], "done"],
    ["only who is to go", [9, 11], [9], "members: [9,11] → [9]"],
    ["only who is to come", [9, 11], [9, 11, 12], "members: [9,11] → [9,11,12]"],
    ["who has gone is to go, and has come is to come", [9, 12], [9, 11], "done"],
  ])("%s", async (_, from, to, says) => {
    const one = says === "done" ? says : `update groups designers (17); ${says}`;
    expect(await judged([members(from, to)])).toEqual([one]);
  });

  test("what the plan makes is an element too", async () => {
    const subgroups = update("groups", 19, "makers", [{ field: "subgroups", from: [17, 18], to: [17, crew] }]);
    expect((await judged([crewMade, subgroups]))[1]).toBe(
      'update groups makers (19); subgroups: [17,18] → [17,{"new":"crew"}]',
    );
    const is = (state: State) => {
      crewIsThere(state);
      group(state, "makers").subgroups.add(20);
    };
    expect(await judged([crewMade, subgroups], { given: is })).toEqual([
      "done, 20",
      "update groups makers (19); subgroups: [17,18,20] → [17,20]",
    ]);
  });

  test("a list of which nothing is known begins empty", async () => {
    const subscribers: FieldChange = { field: "subscribers", to: [8, 9] };
    expect(await judged([update("channels", 4, "staff", [subscribers])])).toEqual(["done"]);
    expect(await judged([update("channels", 5, "council", [subscribers])])).toEqual([
      "update channels council (5); subscribers: [8,10,11] → [8,10,11,9]",
    ]);
  });
});
