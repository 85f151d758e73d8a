/** Single points of an order: what exactly is sent. */
import { expect, test } from "vitest";
import { parse } from "yaml";
import { compare } from "../../src/organization/compare.ts";
import type { Content } from "../../src/organization/content.ts";
import { orderRequests, type Step } from "../../src/organization/order.ts";
import { fresh } from "../run.ts";
import { snapshotIn } from "./snapshots.ts";

const here = "organization: https://chat.example\n";

async function stepsOf(text: string): Promise<Step[]> {
  const snapshot = await snapshotIn(fresh({ level: 478 }));
  const { differences, problems, refused } = compare(snapshot, parse(text) as Content);
  expect([problems, refused]).toEqual([[], []]);
  return orderRequests(snapshot, differences, { verifyWith: "zulipctl org plan" });
}

const sent = (steps: readonly Step[]) =>
  steps.map(({ part, fields, change: { operation, args } }) => [part, operation.name, args, fields]);

test.each<[what: string, text: string, told: unknown[]]>([
  [
    "all of a person goes at once, each field of the profile once",
    "people: [{ email: cora@sandbox.example, full_name: Cora X, role: moderator, profile: { Phone: '1', About me: x } }]",
    [
      [
        "update",
        "users.update",
        {
          user_id: 11,
          full_name: "Cora X",
          role: 300,
          profile_data: [
            { id: 1, value: "1" },
            { id: 2, value: "x" },
          ],
        },
        ["full_name", "role", "profile"],
      ],
    ],
  ],
  [
    "who comes back is added alone, since they may be there already",
    "people: [{ email: dora@sandbox.example, active: true }]\ngroups: [{ name: designers, members: { add: [dora@sandbox.example, iris@sandbox.example] } }]",
    [
      ["members", "group.members", { user_group_id: 17, add: [8] }, ["members"]],
      ["reactivate", "users.reactivate", { user_id: 15 }, ["active"]],
      ["member 15", "group.members", { user_group_id: 17, add: [15] }, ["members"]],
    ],
  ],
  [
    "a permission of people of whom one comes back expects nothing",
    "people: [{ email: dora@sandbox.example, active: true }]\ngroups: [{ name: designers, can_mention_group: { users: [dora@sandbox.example, iris@sandbox.example] } }]",
    [
      ["reactivate", "users.reactivate", { user_id: 15 }, ["active"]],
      [
        "settings",
        "group.update",
        { user_group_id: 17, can_mention_group: { new: { direct_members: [8, 15], direct_subgroups: [] } } },
        ["can_mention_group"],
      ],
    ],
  ],
])("%s", async (_, text, told) => {
  expect(sent(await stepsOf(text))).toEqual(told);
});

test("a name that is given up and taken again means the new one", async () => {
  const text = `${here}folders: [{ name: Projects }, { id: 1, name: Work }]\nchannels: [{ name: design, folder: Projects }]`;
  const steps = await stepsOf(text);
  const { makes } = steps.find(({ part }) => part === "create")!.change;
  expect(steps.find(({ part }) => part === "access")!.change.args.folder_id).toBe(makes!);
});
