/** Requests that the server goes about list by list, with what each list takes of the caller. */
import { expect, test } from "vitest";
import { updateGroup, updateMembers } from "../../src/api/groups.ts";
import type { OrderContext } from "../../src/organization/order/context.ts";
import { argsOf, type Draft } from "../../src/organization/order/draft.ts";
import { rightsOf, rightWords } from "../../src/organization/order/rights.ts";
import { leavingLater, stepsOf } from "../../src/organization/order/stepwise.ts";

const me = 8;
const context = { snapshot: { feature_level: 442 }, me } as OrderContext;
const moves = (args: object, pieces: object[] = []): Draft => ({
  of: 0,
  part: "members",
  operation: updateMembers,
  args: { user_group_id: 17, ...args },
  pieces: pieces.map((each) => ({ fields: ["members"], args: { ...each } })),
});

const manages = "can_manage_group or can_manage_all_groups";
const adds = "can_manage_group or can_add_members_group or can_manage_all_groups";
const removes = "can_manage_group or can_remove_members_group or can_manage_all_groups";
const joins = "can_manage_group or can_add_members_group or can_join_group or can_manage_all_groups";
const leaves = "can_manage_group or can_remove_members_group or can_leave_group or can_manage_all_groups";

test.each<[draft: Draft, steps: [args: object, takes: string[]][]]>([
  [moves({ add: [me] }), [[{ add: [me] }, [joins]]]],
  [moves({ add: [9], delete: [12] }), [[{ add: [9], delete: [12] }, [adds, removes]]]],
  [
    { ...moves({ description: "x", can_manage_group: { new: 18 } }), operation: updateGroup },
    [[{ description: "x", can_manage_group: { new: 18 } }, [manages]]],
  ],
  [
    moves({ delete_subgroups: [18], add_subgroups: [19], delete: [me], add: [9] }),
    [
      [{ add: [9] }, [adds]],
      [{ delete: [me] }, [leaves]],
      [{ add_subgroups: [19] }, [adds]],
      [{ delete_subgroups: [18] }, [manages]],
    ],
  ],
  [
    moves({}, [{ delete: [12] }, { add: [me] }]),
    [
      [{ add: [me] }, [joins]],
      [{ delete: [12] }, [removes]],
    ],
  ],
])("%j", (draft, steps) => {
  const taken = rightsOf(draft, context).map((right) => ({ right, users: [0], by: new Set<number>() }));
  const told = stepsOf(context, draft, taken).map((step) => {
    const { user_group_id, ...args } = argsOf(step.draft);
    expect(user_group_id).toBe(17);
    return [args, [...new Set(step.takes.map(({ right }) => rightWords(right)))]];
  });
  expect(told).toEqual(steps);
});

test("what takes the caller out of the group goes later", () => {
  const [others, mine] = [{ add_subgroups: [18], delete: [12] }, { delete: [9, me] }];
  const later = leavingLater(moves({}, [others, mine]), me)!;
  expect(later.map((each) => argsOf(each))).toEqual([
    { user_group_id: 17, ...others },
    { user_group_id: 17, ...mine },
  ]);
  expect(leavingLater(moves({}, [others]), me)).toBeUndefined();
});
