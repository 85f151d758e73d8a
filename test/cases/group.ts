import { createGroup, deactivateGroup, updateGroup, updateMembers } from "../../src/api/groups.ts";
import type { groupNoun } from "../../src/commands/group.ts";
import { type CasesOf, change, read, since, usage } from "./case.ts";

const members = (id: number) => [
  `GET /user_groups/${id}/members?direct_member_only=true`,
  `GET /user_groups/${id}/subgroups?direct_subgroup_only=true`,
];
const groups = "GET /user_groups?include_deactivated_groups=true";

export const cases: CasesOf<typeof groupNoun> = {
  create: change(createGroup, {
    lines: [
      {
        typed: "testers --description 'Who tests' --add 11,12",
        sends: "POST /user_groups/create name=testers&description=Who+tests&members=%5B11%2C12%5D",
        prints: "Created group 20.\n",
        json: '{"group_id":20}\n',
        ids: "20\n",
        made: ({ groups }) => groups.get(20)?.members.size === 2,
        ignoring: { params: ["description"], code: 1 },
      },
      {
        typed: "testers --add-subgroups writers,17 --can-join-group role:members --can-manage-group user:8,group:17",
        sends: [
          groups,
          "POST /user_groups/create name=testers&description=&members=%5B%5D&subgroups=%5B18%2C17%5D&can_join_group=14" +
            "&can_manage_group=%7B%22direct_members%22%3A%5B8%5D%2C%22direct_subgroups%22%3A%5B17%5D%7D",
        ],
        made: ({ groups }) => groups.get(20)?.subgroups.size === 2,
      },
    ],
    refused: [
      {
        typed: "designers --description Other",
        says: 'group "designers" exists with another description ("Who draws"). To change it: --or-update, or zulipctl group update designers',
      },
      { typed: "testers", as: 600, says: "Not allowed for guest users" },
    ],
  }),

  update: change(updateGroup, {
    lines: [
      {
        typed: "17 --new-name drawers --description 'They draw'",
        sends: "PATCH /user_groups/17 name=drawers&description=They+draw",
        prints: 'Updated group 17: name set to "drawers"; description set to "They draw".\n',
        json: "{}\n",
        made: ({ groups }) => groups.get(17)!.name === "drawers" && groups.get(17)!.description === "They draw",
        ignoring: { params: ["name", "description"], code: 1 },
      },
      {
        typed: "designers --can-join-group role:members --expect can_join_group=nobody",
        sends: [groups, "PATCH /user_groups/17 can_join_group=%7B%22new%22%3A14%2C%22old%22%3A9%7D"],
        prints: 'Updated group "designers": can_join_group set to role:members.\n',
        made: ({ groups }) => groups.get(17)!.settings.can_join_group === 14,
      },
    ],
    wire: Object.entries({
      "17 --description ''": "PATCH /user_groups/17 description=",
      "17 --can-manage-group user:8 --expect can-manage-group=user:9":
        "PATCH /user_groups/17 can_manage_group=%7B%22new%22%3A%7B%22direct_members%22%3A%5B8%5D%2C%22direct_subgroups%22%3A%5B%5D%7D%2C%22old%22%3A%7B%22direct_members%22%3A%5B9%5D%2C%22direct_subgroups%22%3A%5B%5D%7D%7D",
    }),
    refused: [
      ...usage({
        "17": 'group update requires at least one flag that says what to change\nRun "zulipctl group update --help" for usage.',
        "17 --expect can_join_group=12": "--expect can_join_group requires --can-join-group",
      }),
      { typed: "17 --description x", as: "otis@sandbox.example", says: "Insufficient permission" },
      { typed: "99 --description x", says: "Invalid user group" },
      {
        typed: "17 --new-name x --can-join-group 12 --expect can-join-group=12",
        code: 6,
        says: "'old' value does not match the expected value.",
      },
    ],
  }),
  members: change(updateMembers, {
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
      {
        typed: "makers",
        sends: [groups, ...members(19), "GET /users?user_ids=%5B10%5D"],
        prints: "ID\tNAME\tEMAIL\tROLE\tSTATE\n10\tMona Moderator\tmona@sandbox.example\tmoderator\t\n",
        notes: "These are the direct members. Group makers also has the members of its subgroups designers, writers.\n",
      },
      { typed: "19 --quiet", sends: [members(19)[0]!, "GET /users?user_ids=%5B10%5D"] },
      {
        typed: "19 --json",
        sends: [members(19)[0]!, "GET /users?user_ids=%5B10%5D"],
      },
      {
        typed: "17 --add @none --delete @none",
        files: { none: "\n" },
        sends: [],
        prints: "No changes.\n",
        json: "{}\n",
      },
      {
        typed: "makers --recursive --jq '.[] | [.user_id, .through]'",
        given: ({ groups }) => void groups.get(18)!.members.add(11),
        sends: [groups, "GET /user_groups/19/members", "GET /users?user_ids=%5B9%2C10%2C11%2C12%5D", groups],
        prints: "[9,[17]]\n[10,[19]]\n[11,[17,18]]\n[12,[18]]\n",
      },
      { typed: "17 -o ids", sends: members(17).slice(0, 1), prints: "9\n11\n" },
      {
        typed: "19 --recursive --fields id,name,through",
        sends: ["GET /user_groups/19/members", "GET /users?user_ids=%5B9%2C10%2C11%2C12%5D", groups],
        prints:
          "ID\tNAME\tTHROUGH\n9\tAdam Admin\tdesigners\n10\tMona Moderator\tdirect\n" +
          "11\tCora Member\tdesigners\n12\tOtis Member\twriters\n",
        ids: "9\n10\n11\n12\n",
      },
    ],
    wire: Object.entries({
      "19 --add 8,9 --delete 10 --add-subgroups 14 --delete-subgroups 18":
        "POST /user_groups/19/members delete=%5B10%5D&add=%5B8%2C9%5D&delete_subgroups=%5B18%5D&add_subgroups=%5B14%5D",
      "17": [...members(17), "GET /users?user_ids=%5B9%2C11%5D"],
      "designers,writers --add 8": [
        groups,
        "POST /user_groups/17/members add=%5B8%5D",
        "POST /user_groups/18/members add=%5B8%5D",
      ],
    }),
    refused: [
      ...usage({
        "designers --add-subgroups writers --delete-subgroups 18":
          "--add-subgroups and --delete-subgroups both name group 18",
        "designers --add-subgroups @writers":
          "--add-subgroups: file not found: writers\nWrite a name that begins with @ as @@writers.",
        "designers --add 'name:Nobody Known'":
          '--add: user "Nobody Known" not found, or not visible to this account\nAvailable: Iris Owner (8, iris@sandbox.example), Adam Admin (9, adam@sandbox.example), Mona Moderator (10, mona@sandbox.example), Cora Member (11, cora@sandbox.example), Otis Member (12, otis@sandbox.example), Gwen Guest (13, gwen@sandbox.example), Beep Bot (14, beep-bot@sandbox.example), Dora Departed (15, dora@sandbox.example, deactivated).',
        "17 --recursive --add 8": "--recursive cannot be combined with --add",
        "17 --set 9 --add 12": "--set cannot be combined with --add",
        "17 --set-subgroups 18 --delete 12": "--set-subgroups cannot be combined with --delete",
        "17 --set 9 --add-subgroups 18": "--set cannot be combined with --add-subgroups",
      }),
      {
        typed: "designers --add 11",
        says: "User 11 is already a member of this group\nMembers already: Cora Member (11). To send only what differs, add: --if-changed",
      },
      { typed: "designers --add 12", as: "otis@sandbox.example", says: "Insufficient permission" },
      {
        typed: "designers --add-subgroups makers",
        says: "User group 17 is already a subgroup of one of the passed subgroups.",
      },
    ],
  }),

  list: read({
    lines: [{ typed: "", sends: "GET /user_groups", ids: "17\n18\n19\n" }],
    wire: Object.entries({
      "--system": "GET /user_groups",
      "--deactivated": groups,
    }),
  }),

  show: read({
    lines: [
      {
        typed: "19",
        sends: [groups, "GET /users?user_ids=%5B10%2C8%5D", groups],
        prints:
          "FIELD\tVALUE\nID\t19\nName\tmakers\nDescription\tDesigners and writers\nKind\tmade by people\nState\tactive\n" +
          "Members\t10 (Mona Moderator)\nSubgroups\t17 (designers), 18 (writers)\nCreator\t8 (Iris Owner)\n" +
          "Created\t2026-01-15 12:00Z\ncan_add_members_group\tuser 8 (Iris Owner)\ncan_join_group\t9 (role:nobody)\n" +
          "can_leave_group\t15 (role:everyone)\ncan_manage_group\tuser 8 (Iris Owner)\n" +
          "can_mention_group\t15 (role:everyone)\ncan_remove_members_group\t9 (role:nobody)\n",
      },
      { typed: "19 --jq .members", sends: groups, prints: "[10]\n" },
    ],
    refused: [
      {
        typed: "99",
        says: "group 99 not found, or not visible to this account\nList them with: zulipctl group list --system --deactivated",
      },
    ],
  }),

  deactivate: change(deactivateGroup, {
    several: true,
    lines: [
      {
        typed: "19 --yes",
        sends: "POST /user_groups/19/deactivate",
        prints: "Deactivated group 19.\n",
        json: '[{"operation":"group.deactivate","target":"19","outcome":"done","answer":{}}]\n',
        made: ({ groups }) => groups.get(19)!.deactivated,
      },
    ],
    refused: [
      ...usage({
        "19": "confirmation required: stdin is not a terminal. Deactivate group 19 on chat.example? Nobody can mention deactivated groups. It has 1 member. Pass --yes to confirm.",
      }),
      { typed: "19 --yes", as: "otis@sandbox.example", says: "Insufficient permission" },
    ],
  }),

  reactivate: change(updateGroup, {
    several: true,
    lines: [
      {
        typed: "19",
        given: ({ groups }) => {
          groups.get(19)!.deactivated = true;
        },
        sends: [groups, "PATCH /user_groups/19 deactivated=false"],
        prints: "Reactivated group 19.\n",
        made: ({ groups }) => !groups.get(19)!.deactivated,
        ignoring: { params: ["deactivated"], code: 1 },
      },
    ],
    refused: [...since(386, { "19": "group reactivate" })],
  }),
};
