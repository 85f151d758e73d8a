/** Circles of requests are opened by dividing some of them: as few as can be, where there are not too many to try. */
import type { Draft } from "./draft.ts";
import { circlesOf, divided, type Edges, edgesOf } from "./edges.ts";

type Two = readonly [Draft, Draft];

/** Requests of one circle among which all ways are tried, and how many of them are divided at most in one. */
const mostTried = 14;
const mostDivided = 4;

/** Sets of so many of them. */
function* choices<T>(all: readonly T[], size: number): Generator<T[]> {
  if (size === 0) yield [];
  else
    for (const [n, first] of all.entries())
      for (const rest of choices(all.slice(n + 1), size - 1)) yield [first, ...rest];
}

/** The fewest that leave no circle when they are divided. Undefined where that is not found out. */
function fewest(
  drafts: readonly Draft[],
  circle: readonly number[],
  two: ReadonlyMap<number, Two>,
): number[] | undefined {
  const all = [...two.keys()];
  if (all.length > mostTried) return undefined;
  for (let size = 1; size <= Math.min(mostDivided, all.length); size++)
    for (const some of choices(all, size)) {
      const rest = circle.flatMap((n) => (some.includes(n) ? two.get(n)! : [drafts[n]!]));
      if (!circlesOf(edgesOf(rest).map((each) => ({ ...each, weak: new Set() }))).length) return some;
    }
  return undefined;
}

/** Of each circle what is best divided, by number. Where all cannot be tried, that is one of them at a time. */
export function dividedIn(
  drafts: readonly Draft[],
  edges: readonly Edges[],
  circles: readonly number[][],
): ReadonlyMap<number, Two> {
  return new Map(
    circles.flatMap((circle) => {
      const within = new Set(circle);
      const degree = (n: number) => {
        const needed = [...edges[n]!.hard].filter((each) => within.has(each));
        const after = circle.filter((each) => edges[each]!.hard.has(n)).length;
        return needed.includes(n) ? Number.POSITIVE_INFINITY : needed.length * after;
      };
      const two = new Map(
        circle
          .toSorted((a, b) => degree(b) - degree(a) || a - b)
          .flatMap((n): [number, Two][] => {
            const parts = divided(drafts, circle, n);
            return parts ? [[n, parts]] : [];
          }),
      );
      const best = fewest(drafts, circle, two) ?? [...two.keys()].slice(0, 1);
      return best.map((n): [number, Two] => [n, two.get(n)!]);
    }),
  );
}
