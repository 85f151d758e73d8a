/** What comes into a group waits for what must have left another, so that groups go round in no circle meanwhile. */
import { expect, test } from "vitest";
import { createGroup, updateGroup, updateMembers } from "../../src/api/groups.ts";
import type { OrderContext } from "../../src/organization/order/context.ts";
import type { Draft } from "../../src/organization/order/draft.ts";
import { withSubgroups } from "../../src/organization/order/subgroups.ts";

const draft = { of: 0, part: "members", operation: updateMembers };
const moved = (id: number, lists: object, more: object = {}): Draft => ({
  ...draft,
  args: { user_group_id: id },
  pieces: [{ fields: ["subgroups"], args: { ...lists }, ...more }],
});
const comes = (group: number, id: number, more?: object) => moved(id, { add_subgroups: [group] }, more);
const goes = (group: number, id: number, more?: object) => moved(id, { delete_subgroups: [group] }, more);
const made = (id: number, subgroups: number[]): Draft => ({
  ...draft,
  operation: createGroup,
  args: { subgroups },
  pieces: [],
  makes: { member: "group_id", id },
});

const none = [[], []];
test.each<[what: string, within: Record<number, number[]>, drafts: Draft[], facts: unknown[]]>([
  [
    "two change places",
    { 17: [18] },
    [goes(18, 17), comes(17, 18)],
    [
      [[], ["group 18 left group 17"]],
      [["group 18 left group 17"], []],
    ],
  ],
  [
    "the lowest comes above the highest",
    { 17: [18], 18: [19] },
    [goes(18, 17), comes(17, 19)],
    [
      [[], ["group 18 left group 17"]],
      [["group 18 left group 17"], []],
    ],
  ],
  [
    "what is between is there, and gets another",
    { 17: [18], 18: [19] },
    [goes(18, 17), comes(20, 18), comes(17, 19)],
    [[[], ["group 18 left group 17"]], none, [["group 18 left group 17"], []]],
  ],
  [
    "what is between comes by the same plan",
    { 17: [18] },
    [goes(18, 17), comes(17, 20), comes(20, 18)],
    [
      [[], ["group 18 left group 17"]],
      [["group 18 left group 17"], []],
      [["group 18 left group 17"], []],
    ],
  ],
  [
    "what is between is made by the same plan",
    { 17: [18] },
    [goes(18, 17), made(-1, [17]), comes(-1, 18)],
    [[[], ["group 18 left group 17"]], undefined, [["group 18 left group 17"], []]],
  ],
  [
    "what goes is in no circle with what comes",
    { 17: [18], 19: [20] },
    [goes(18, 17), goes(20, 19), comes(17, 18)],
    [
      [[], ["group 18 left group 17"]],
      [[], ["group 20 left group 19"]],
      [["group 18 left group 17"], []],
    ],
  ],
  [
    "there is more to wait for",
    { 17: [18] },
    [goes(18, 17, { provides: ["a"] }), comes(17, 18, { needs: ["b"] })],
    [
      [[], ["a", "group 18 left group 17"]],
      [["b", "group 18 left group 17"], []],
    ],
  ],
  ["nothing comes", { 17: [18] }, [goes(18, 17)], [[[], ["group 18 left group 17"]]]],
  [
    "a group is renamed",
    { 17: [18] },
    [goes(18, 17), { ...moved(17, { name: "x" }), operation: updateGroup }],
    [
      [[], ["group 18 left group 17"]],
      [undefined, undefined],
    ],
  ],
])("where %s", (_, within, drafts, facts) => {
  const all = [17, 18, 19, 20].map((id) => ({ id, members: [], direct_subgroup_ids: within[id] ?? [] }));
  const context = { snapshot: { organization: { realm_user_groups: all } } } as unknown as OrderContext;
  const told = withSubgroups(context, drafts).map(({ pieces: [piece] }) => piece && [piece.needs, piece.provides]);
  expect(told).toStrictEqual(facts);
});
