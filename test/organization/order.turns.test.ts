/** What each request of a plan waits for by rights, and which has no turn at all: by number, of drafts as short as can be. */
import { expect, test } from "vitest";
import { createGroup, updateGroup, updateMembers } from "../../src/api/groups.ts";
import { updateOrganization } from "../../src/api/organization.ts";
import { reactivateUser } from "../../src/api/people.ts";
import type { OrderContext } from "../../src/organization/order/context.ts";
import { argsOf, type Draft } from "../../src/organization/order/draft.ts";
import { edgesOf } from "../../src/organization/order/edges.ts";
import { asRead } from "../../src/organization/order/expecting.ts";
import { rightWords } from "../../src/organization/order/rights.ts";
import { turns } from "../../src/organization/order/turns.ts";
import { fresh } from "../run.ts";
import { group, set } from "./differences.ts";
import { draft } from "./draft.ts";
import { snapshotIn } from "./snapshots.ts";

const me = 8;
const [nobody, designers, writers, makers] = [9, 17, 18, 19];
type Facts = Pick<Draft, "needs" | "provides" | "follows" | "pieces">;

/** Takes the right to manage the group. */
const describes = (id: number, facts?: Partial<Facts>) =>
  draft(updateGroup, { user_group_id: id, description: "x" }, facts);
const managedBy = (id: number, facts?: Partial<Facts>) =>
  draft(updateOrganization, { can_manage_all_groups: { new: id } }, facts);
const madeBy = (id: number, facts?: Partial<Facts>) =>
  draft(updateOrganization, { can_create_groups: { new: id } }, facts);
const makes = (facts?: Partial<Facts>) => ({
  ...draft(createGroup, { name: "x", members: [] }, facts),
  makes: { member: "id", id: -1 },
});
const moves = (id: number, args: object, facts?: Partial<Facts>) =>
  draft(updateMembers, { user_group_id: id, ...args }, facts);
const joins = (facts?: Partial<Facts>) => moves(designers, { add: [me] }, facts);
const leaves = (facts?: Partial<Facts>) => moves(writers, { delete: [me] }, facts);

const leavesInPart = (id: number, subgroups: number[], facts?: Partial<Facts>) =>
  moves(
    id,
    {},
    {
      pieces: [
        { fields: ["members"], args: { delete: [me] } },
        { fields: ["subgroups"], args: { add_subgroups: subgroups } },
      ],
      ...facts,
    },
  );

const needs = (...facts: string[]) => ({ needs: facts });
const provides = (...facts: string[]) => ({ provides: facts });

/** The caller is one of the writers, who leave as they like; writers may join the designers; all else is nobody's. */
async function told(drafts: readonly Draft[], managing: number, making = nobody): Promise<string[]> {
  const sandbox = fresh({ level: 442 });
  const { state } = sandbox;
  set(state.organization.permissions, { can_manage_all_groups: managing, can_create_groups: making });
  for (const { is_system_group, settings } of state.groups.values())
    if (!is_system_group)
      set(settings, {
        can_manage_group: nobody,
        can_add_members_group: nobody,
        can_remove_members_group: nobody,
        can_join_group: nobody,
        can_leave_group: nobody,
      });
  for (const [name, members] of Object.entries({ designers: [12], writers: [me], makers: [12] }))
    set(group(state, name), { members: new Set(members), subgroups: new Set() });
  group(state, "designers").settings.can_join_group = writers;
  group(state, "writers").settings.can_leave_group = writers;
  const context = { snapshot: await snapshotIn(sandbox), me } as OrderContext;
  const found = turns(context, drafts, edgesOf(drafts));
  if ("replaced" in found)
    return [...found.replaced].map(
      ([n, all]) => `${n} is ${all.map((each) => JSON.stringify(argsOf(each))).join(", then ")}`,
    );
  return found.edges.map(({ rights, soft }, n) => {
    const lack = found.lacking.get(n);
    const words = [
      ...(rights.size ? [`needs ${[...rights].sort()}`] : []),
      ...(soft.size ? [`follows ${[...soft].sort()}`] : []),
      ...(lack ? [`lacks ${rightWords(lack)}`] : []),
    ];
    return words.join("; ");
  });
}

const manage = "lacks can_manage_group or can_manage_all_groups";
const joining = { add: [me], add_subgroups: [makers] };

test.each<[what: string, managing: number, drafts: Draft[], waits: string[], making?: number]>([
  ["they may never", nobody, [describes(makers)], [manage]],
  [
    "they leave, and may not do the rest while they are there",
    nobody,
    [leavesInPart(writers, [makers])],
    ["lacks can_manage_group or can_add_members_group or can_manage_all_groups"],
  ],
  ["they may all the time", writers, [describes(makers), joins()], ["", ""]],
  ["they may once they have come", designers, [joins(), describes(makers)], ["", "needs 0"]],
  [
    "they may once they have come, by a request that stands later",
    designers,
    [describes(makers), joins()],
    ["needs 1", ""],
  ],
  ["they may once it is theirs", nobody, [describes(makers), managedBy(writers)], ["needs 1", ""]],
  ["they may until it is theirs no more", writers, [managedBy(designers), describes(makers)], ["needs 1", ""]],
  [
    "they may until they have gone",
    writers,
    [leaves(), describes(makers), describes(designers)],
    ["needs 1,2", "", ""],
  ],
  [
    "it passes from group to group",
    writers,
    [leaves(), managedBy(designers), joins(), describes(makers)],
    ["needs 2,3; follows 2", "follows 0", "", ""],
  ],
  [
    "they come, it is needed, and they go",
    nobody,
    [managedBy(writers), describes(makers), leaves(needs("a")), describes(designers, provides("a"))],
    ["", "needs 0", "needs 1,3; follows 0", "needs 0"],
  ],
  [
    "what would make it theirs waits for it",
    nobody,
    [describes(makers, provides("a")), managedBy(writers, needs("a"))],
    [manage, ""],
  ],
  [
    "it goes for a while",
    writers,
    [leaves(), managedBy(designers, provides("a")), joins(needs("a")), describes(makers, needs("a"))],
    ["needs 2; follows 2", "", "follows 1", "needs 2"],
  ],
  [
    "it goes for a while, and something else is never theirs",
    writers,
    [leaves(), managedBy(designers, provides("a")), joins(needs("a")), describes(makers, needs("a")), makes()],
    ["needs 2; follows 2", "", "follows 1", "needs 2", "lacks can_create_groups"],
  ],
  [
    "two rights go for a while",
    writers,
    [
      leaves(),
      managedBy(designers, provides("a")),
      joins(needs("a", "b")),
      describes(makers, needs("a")),
      madeBy(designers, provides("b")),
      makes(needs("b")),
    ],
    ["needs 2; follows 2", "", "follows 1,4", "needs 2", "", "needs 2"],
    writers,
  ],
  [
    "each list of it has a right of its own, of which one comes later",
    nobody,
    [moves(designers, joining), managedBy(designers)],
    ["needs 1; follows 1", ""],
  ],
  [
    "each list of it has a right of its own, of which one came before",
    nobody,
    [managedBy(designers), moves(designers, joining)],
    ["", "needs 0; follows 0"],
  ],
  [
    "each list of it has a right of its own, of which one goes later",
    designers,
    [moves(designers, joining), managedBy(makers)],
    ["", "needs 0; follows 0"],
  ],
  [
    "each list of it has a right of its own, and another way to one comes",
    designers,
    [moves(designers, joining), managedBy(writers)],
    ["", "needs 0; follows 0"],
  ],
  [
    "two of several lists",
    nobody,
    [moves(designers, joining), managedBy(designers), moves(designers, { add: [me, 9], delete_subgroups: [makers] })],
    ["needs 1; follows 1", "", "needs 0; follows 0"],
  ],
])("where %s", async (_, managing, drafts, waits, making) => {
  expect(await told(drafts, managing, making)).toEqual(waits);
});

const apart = {
  pieces: [
    { fields: ["x"], args: { can_manage_all_groups: { new: designers } } },
    { fields: ["y"], args: { description: "x" } },
  ],
};
const asItWas = { provides: [asRead, "a"] };

test.each<[what: string, drafts: Draft[], waits: string[]]>([
  [
    "takes a right that is needed, in part",
    [draft(updateOrganization, {}, { ...apart, ...provides("a") }), describes(makers, needs("a"))],
    ['0 is {"description":"x"}, then {"can_manage_all_groups":{"new":17}}'],
  ],
  [
    "takes a right that was needed before, in part",
    [draft(updateOrganization, {}, { ...apart, ...needs("a") }), describes(makers, provides("a"))],
    ["needs 1", ""],
  ],
  [
    "takes a right while somebody waits to come back",
    [
      draft(updateOrganization, { can_manage_all_groups: { new: designers, old: writers } }, asItWas),
      describes(makers, needs("a")),
      draft(reactivateUser, { user_id: 15 }, needs("a")),
    ],
    ['0 is {"can_manage_all_groups":{"new":17}}'],
  ],
  [
    "leaves a group, and could do the rest before",
    [leavesInPart(writers, [makers])],
    ['0 is {"user_group_id":18,"add_subgroups":[19]}, then {"user_group_id":18,"delete":[8]}'],
  ],
  [
    "takes a right when somebody has come back",
    [
      draft(updateOrganization, { can_manage_all_groups: { new: designers, old: writers } }, asItWas),
      describes(makers, needs("a")),
      draft(reactivateUser, { user_id: 15 }),
    ],
    ["", manage, ""],
  ],
  [
    "takes a right, and nobody comes back",
    [
      draft(updateOrganization, { can_manage_all_groups: { new: designers, old: writers } }, asItWas),
      describes(makers, needs("a")),
    ],
    ["", manage],
  ],
])("a request that %s", async (_, drafts, waits) => {
  expect(await told(drafts, writers)).toEqual(waits);
});
