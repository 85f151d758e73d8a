import { updateMembers } from "../../src/api/groups.ts";
import type { group } from "../../src/commands/group.ts";
import { type CasesOf, change, read } from "./case.ts";

const members = (id: number) => [
  `GET /user_groups/${id}/members?direct_member_only=true`,
  `GET /user_groups/${id}/subgroups?direct_subgroup_only=true`,
];
const groups = "GET /user_groups?include_deactivated_groups=true";

export const cases: CasesOf<typeof group> = {
  members: change(updateMembers, {
    takes: [
      "<group>",
      "--add <user>...",
      "--delete <user>...",
      "--set <user>...",
      "--add-subgroups <group>...",
      "--delete-subgroups <group>...",
      "--set-subgroups <group>...",
      "--if-changed",
    ],
    lines: [
      {
        typed: "17 --add 8,10",
        sends: "POST /user_groups/17/members add=%5B8%2C10%5D",
        made: ({ groups }) => {
          const { members } = groups.get(17)!;
          return (Number(members.has(8)) + Number(members.has(10))) / 2;
        },
        ignoring: { params: ["add"], code: 1 },
      },
      {
        typed: "designers --add otis@sandbox.example,8",
        sends: [groups, "GET /users", "POST /user_groups/17/members add=%5B12%2C8%5D"],
        shows:
          "POST https://chat.example/api/v1/user_groups/17/members  group.members\n" +
          "  user_group_id = 17 (designers)\n  add = [12 (Otis Member),8 (Iris Owner)]\n",
        made: ({ groups }) => groups.get(17)!.members.has(12),
      },
      { typed: "designers", sends: [groups, ...members(17), "GET /users?user_ids=%5B9%2C11%5D"] },
      { typed: "17 -o ids", sends: members(17).slice(0, 1), prints: "9\n11\n" },
    ],
    wire: [
      [
        "156 --add 8,9 --delete 10 --add-subgroups 14 --delete-subgroups 15",
        "POST /user_groups/156/members delete=%5B10%5D&add=%5B8%2C9%5D&delete_subgroups=%5B15%5D&add_subgroups=%5B14%5D",
      ],
      ["17", [...members(17), "GET /users?user_ids=%5B9%2C11%5D"]],
    ],
    refused: [
      { typed: "designers --add 11", says: "User 11 is already a member of this group" },
      { typed: "designers --delete 12", says: "There is no member '12' in this user group" },
      { typed: "designers --add 999", says: "Invalid user ID: 999" },
      { typed: "999 --add 8", says: "Invalid user group" },
      { typed: "role:moderators --add 8", says: "Insufficient permission" },
      { typed: "designers --add 12", as: "otis@sandbox.example", says: "Insufficient permission" },
      { typed: "17 --add 13", as: 600, says: "Not allowed for guest users" },
      { typed: "17 --add 13", as: "beep-bot@sandbox.example", says: "This endpoint does not accept bot requests." },
      {
        typed: "designers --add-subgroups makers",
        says: "User group 17 is already a subgroup of one of the passed subgroups.",
      },
    ],
  }),

  list: read({
    takes: ["--system", "--deactivated"],
    lines: [{ typed: "", sends: "GET /user_groups", ids: "17\n18\n19\n" }],
    wire: [
      ["--system", "GET /user_groups"],
      ["--deactivated", groups],
    ],
  }),
};
