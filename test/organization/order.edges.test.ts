/** What goes before what by its facts, and circles of that, by number. */
import { expect, test } from "vitest";
import { updateGroup } from "../../src/api/groups.ts";
import type { Draft } from "../../src/organization/order/draft.ts";
import { circlesOf, edgesOf, parted } from "../../src/organization/order/edges.ts";
import { asRead } from "../../src/organization/order/expecting.ts";

const none = new Set<number>();
const waits = (...all: number[][]) =>
  all.map((each) => ({ hard: new Set(each), rights: none, soft: none, weak: none }));

test.each<[waits: number[][], circles: number[][]]>([
  [[[], [0], [1, 0]], []],
  [[[0]], [[0]]],
  [[[1], [1]], [[1]]],
  [[[1], [0]], [[0, 1]]],
  [
    [[1], [2], [0, 3], [4], [3]],
    [
      [3, 4],
      [0, 1, 2],
    ],
  ],
  [[[1, 2], [3], [3], [0]], [[0, 1, 2, 3]]],
  [[[1], [2], [1], [0]], [[1, 2]]],
])("of requests that wait for %j", (edges, circles) => {
  expect(circlesOf(waits(...edges)).map((circle) => circle.toSorted((a, b) => a - b))).toEqual(circles);
});

const piece = (field: string) => ({ fields: [field], args: { [field]: { new: 18 } } });

test("one request is two where something of it is late, and both need and bring about what it does", () => {
  const [join, leave] = [piece("can_join_group"), piece("can_leave_group")];
  const one: Draft = {
    of: 3,
    part: "settings",
    operation: updateGroup,
    args: { user_group_id: 17 },
    pieces: [join, leave],
    needs: ["a"],
    provides: ["b"],
  };
  const later = { of: 3, part: "settings later", operation: updateGroup, args: { user_group_id: 17 }, pieces: [join] };
  const [first, rest] = parted(one, [join])!;
  expect(first).toEqual({ ...one, pieces: [leave], divided: 1 });
  expect(rest).toEqual({ ...later, needs: ["a"], provides: ["b"] });
  const [, again] = parted({ ...first, pieces: [join, leave] }, [join])!;
  expect(again.part).toBe("settings later 2");
  expect([parted(one, []), parted(one, [join, leave]), parted(first, [leave])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("what a request needs must be done, what it follows over, and what it reads had better be over", () => {
  const draft = (facts: Partial<Draft>): Draft => ({
    of: 0,
    part: "x",
    operation: updateGroup,
    args: { user_group_id: 17 },
    pieces: [],
    ...facts,
  });
  const mentions = piece("can_mention_group");
  const edges = edgesOf([
    draft({ provides: ["a", "b", "group 18 is in use"] }),
    draft({ needs: ["a", "mine"], follows: ["b", "mine", "c", asRead], provides: ["mine", asRead] }),
    draft({ pieces: [{ ...mentions, needs: ["a"], follows: ["b"], provides: ["c", asRead] }] }),
    draft({ own: true, provides: ["c"] }),
    draft({ needs: ["group 18 was named", "nothing"], follows: ["nothing"], own: true }),
    draft({ pieces: [mentions], provides: ["group 18 is in use"] }),
  ]);
  const told = edges.map(({ hard, soft, weak, rights }) => [hard, soft, weak, rights].map((some) => [...some].sort()));
  expect(told).toEqual([
    [[], [], [], []],
    [[0], [0, 2, 3], [2], []],
    [[0, 5], [0], [], []],
    [[], [0, 1, 2, 5], [], []],
    [[2, 5], [0, 1, 2, 5], [], []],
    // What it brings back itself it cannot name.
    [[0, 5], [], [], []],
  ]);
});
