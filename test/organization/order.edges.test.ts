/** Circles among requests, by number. */
import { expect, test } from "vitest";
import { circlesOf } from "../../src/organization/order/edges.ts";

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
