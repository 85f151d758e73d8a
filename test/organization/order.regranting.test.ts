/** Which rights may come and go in the course of requests: who takes each, and by which of them it comes or goes. */
import { expect, test } from "vitest";
import { updateChannel } from "../../src/api/channels.ts";
import { createGroup, updateGroup, updateMembers } from "../../src/api/groups.ts";
import { updateOrganization } from "../../src/api/organization.ts";
import { subscribe, unsubscribe } from "../../src/api/subscriptions.ts";
import type { OrderContext } from "../../src/organization/order/context.ts";
import type { Draft } from "../../src/organization/order/draft.ts";
import { usesOf } from "../../src/organization/order/regranting.ts";
import type { State } from "../../src/sandbox/index.ts";
import type { AnyOperation } from "../../src/wire/operation.ts";
import { fresh } from "../run.ts";
import { group, set } from "./differences.ts";
import { draft } from "./draft.ts";
import { snapshotIn } from "./snapshots.ts";

const me = 8;
const [nobody, designers, writers, makers] = [9, 17, 18, 19];
const [open, staff] = [1, 5];

const describes = (id: number) => draft(updateGroup, { user_group_id: id, description: "x" });
const grants = (id: number, name: string) => draft(updateGroup, { user_group_id: id, [name]: { new: writers } });
const managedBy = (id: number) => draft(updateOrganization, { can_manage_all_groups: { new: id } });
const moves = (id: number, args: object) => draft(updateMembers, { user_group_id: id, ...args });
const apart = (id: number, args: object) =>
  draft(updateMembers, { user_group_id: id }, { pieces: [{ fields: ["subgroups"], args: { ...args } }] });
const makes = (args: object) => draft(createGroup, { name: "x", ...args }, { makes: { member: "id", id: -1 } });
const people = (operation: AnyOperation, id: number, who: number) =>
  draft(operation, { stream_id: id, principals: [who] });
const opens = (id: number, args: object) => draft(updateChannel, { stream_id: id, ...args });

/** The caller is one of the writers; makers are among the designers; all is nobody's. */
function given({ organization, groups, channels }: State, managing: number): void {
  set(organization.permissions, { can_manage_all_groups: managing, can_create_groups: writers });
  const all = ["manage", "add_members", "remove_members", "join", "leave"].map((name) => [`can_${name}_group`, nobody]);
  for (const { is_system_group, settings } of groups.values())
    if (!is_system_group) Object.assign(settings, Object.fromEntries(all));
  for (const [name, members, subgroups] of [
    ["designers", [12], [makers]],
    ["writers", [me], []],
    ["makers", [12], []],
  ] as const)
    set(group({ groups } as State, name), { members: new Set(members), subgroups: new Set(subgroups) });
  for (const id of [open, staff])
    Object.assign(channels.get(id)!.settings, { can_add_subscribers_group: nobody, can_subscribe_group: nobody });
  channels.get(open)!.subscribers.delete(me);
}

async function told(drafts: readonly Draft[], managing: number, outside: boolean): Promise<string[]> {
  const sandbox = fresh({ level: 442 });
  given(sandbox.state, managing);
  const { subscribers } = sandbox.state.channels.get(staff)!;
  if (outside) subscribers.delete(me);
  else subscribers.add(me);
  const context = { snapshot: await snapshotIn(sandbox), me } as OrderContext;
  return usesOf(context, drafts).map(({ right, users, by }) => {
    const what = "channel" in right ? `channel ${right.channel}` : (right.group ?? right.organization);
    return `${what}: ${users} by ${[...by].sort().join() || "none"}`;
  });
}

test.each<[what: string, managing: number, drafts: Draft[], uses: string[]]>([
  ["what they have all the time", writers, [describes(makers), describes(designers)], []],
  ["what they have all the time, whoever manages one group", writers, [grants(makers, "can_manage_group")], []],
  [
    "what nothing gives",
    nobody,
    [describes(makers), describes(designers), describes(makers)],
    ["19: 0,2 by none", "17: 1 by none"],
  ],
  ["what is granted for all groups", writers, [describes(makers), managedBy(designers)], ["19: 0 by 1"]],
  [
    "what is granted for a group",
    nobody,
    [describes(makers), grants(makers, "can_manage_group"), describes(designers)],
    ["19: 0,1 by 1", "17: 2 by none"],
  ],
  ["what is granted in vain", nobody, [describes(makers), grants(makers, "can_join_group")], ["19: 0,1 by none"]],
  [
    "what is granted to join",
    nobody,
    [moves(makers, { add: [me] }), grants(makers, "can_join_group")],
    ["19: 0 by 1", "19: 1 by none"],
  ],
  [
    "where they leave a group",
    writers,
    [describes(makers), moves(writers, { delete: [me] })],
    ["19: 0 by 1", "18: 1 by 1"],
  ],
  ["where they come into a group that has nothing to do with it", writers, [moves(makers, { add: [me] })], []],
  [
    "where they come into a group of a group that is to have it",
    nobody,
    [managedBy(designers), moves(makers, { add: [me] }), describes(writers)],
    ["19: 1 by 0,1", "18: 2 by 0,1"],
  ],
  [
    "where they come into a group that goes out of one that is to have it",
    nobody,
    [managedBy(designers), moves(designers, { delete_subgroups: [makers] }), moves(makers, { add: [me] })],
    ["17: 1 by 0,1,2", "19: 2 by 0,1,2"],
  ],
  [
    "where they come into a group that goes out of the one that has it",
    designers,
    [managedBy(nobody), apart(designers, { delete_subgroups: [makers] }), moves(makers, { add: [me] })],
    ["17: 1 by 0,1,2", "19: 2 by 0,1,2"],
  ],
  [
    "where they come into a group that comes into the one that has it",
    writers,
    [moves(writers, { add_subgroups: [designers] }), moves(makers, { add: [me] })],
    ["18: 0 by 0,1", "19: 1 by 0,1"],
  ],
  [
    "where they come into a group of one that is made",
    nobody,
    [makes({ members: [], subgroups: [designers] }), managedBy(-1), moves(makers, { add: [me] })],
    ["19: 2 by 1,2"],
  ],
  ["a channel that is open", nobody, [people(subscribe, open, 9)], []],
  [
    "a channel that is open and said to be so",
    nobody,
    [people(subscribe, open, 9), opens(open, { is_private: false })],
    [],
  ],
  ["a channel that is made", nobody, [people(subscribe, -1, 9), managedBy(designers)], []],
  [
    "a channel that closes",
    nobody,
    [people(subscribe, open, 9), opens(open, { is_private: true }), people(subscribe, open, me)],
    ["channel 1: 0,1,2 by 1,2"],
  ],
  ["a channel that they are in", nobody, [people(subscribe, staff, 9), opens(staff, { is_private: true })], []],
  ["a channel that others leave", nobody, [people(subscribe, staff, 9), people(unsubscribe, staff, 12)], []],
  [
    "a channel that they leave",
    nobody,
    [people(subscribe, staff, 9), people(unsubscribe, staff, me), opens(open, { is_web_public: false })],
    ["channel 5: 0 by 1"],
  ],
])("%s", async (_, managing, drafts, uses) => {
  expect(await told(drafts, managing, false)).toEqual(uses);
});

test.each<[what: string, drafts: Draft[], uses: string[]]>([
  ["is not opened", [people(subscribe, staff, 9), opens(open, { is_private: false })], ["channel 5: 0 by none"]],
  ["is opened", [people(subscribe, staff, 9), opens(staff, { is_private: false })], ["channel 5: 0,1 by 1"]],
  [
    "is to let in a group into which they come",
    [
      opens(staff, { can_add_subscribers_group: { new: designers } }),
      moves(makers, { add: [me] }),
      moves(writers, { add: [9, me] }),
      people(subscribe, staff, 9),
    ],
    ["channel 5: 0,3 by 0,1", "19: 1 by 2", "18: 2 by 2"],
  ],
])("a channel that they are not in, and that %s", async (_, drafts, uses) => {
  expect(await told(drafts, writers, true)).toEqual(uses);
});
