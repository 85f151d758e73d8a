/** From facts to edges: who brings about what somebody else needs goes before. Where that goes round, requests are divided. */
import { numbered } from "./context.ts";
import { argsOf, type Draft, factsOf, type Piece } from "./draft.ts";
import { asRead } from "./expecting.ts";
import { factsOfArgs } from "./mentions.ts";

/** By number, what goes before a draft. Where it goes round, the last of these are given up first. */
export interface Edges {
  /** What must be done. */
  readonly hard: ReadonlySet<number>;
  /** What gives the caller a right that is needed, or needs one that it takes away, which must be done too: `turns.ts` finds it. */
  readonly rights: ReadonlySet<number>;
  /** What must only be over. */
  readonly soft: ReadonlySet<number>;
  /** What had better be over. */
  readonly weak: ReadonlySet<number>;
}

export const before = ({ hard, rights, soft, weak }: Edges): Set<number> =>
  new Set([...hard, ...rights, ...soft, ...weak]);

/** By number, those that wait for it. */
export function waitersOf(open: readonly ReadonlySet<number>[]): Map<number, number[]> {
  const waiters = new Map<number, number[]>();
  for (const [n, all] of open.entries())
    for (const each of all) {
      const some = waiters.get(each);
      if (some) some.push(n);
      else waiters.set(each, [n]);
    }
  return waiters;
}

const isWeak = (fact: string): boolean => fact === asRead;

const own = (draft: Draft, kind: "needs" | "provides" | "follows"): string[] => [
  ...factsOf(draft, kind),
  ...factsOfArgs(draft.operation, argsOf(draft))[kind],
];

export function edgesOf(drafts: readonly Draft[]): Edges[] {
  const providers = new Map<string, number[]>();
  for (const [n, draft] of drafts.entries())
    for (const fact of new Set(own(draft, "provides"))) providers.set(fact, [...(providers.get(fact) ?? []), n]);
  const those = (n: number, facts: readonly string[], self: boolean): Set<number> =>
    new Set(facts.flatMap((fact) => (providers.get(fact) ?? []).filter((each) => self || each !== n)));
  const others = drafts.flatMap((draft, n) => (draft.own ? [] : [n]));
  return drafts.map((draft, n) => {
    // What a request makes or brings back it cannot name: then it waits for itself.
    const hard = those(n, factsOfArgs(draft.operation, argsOf(draft)).needs, true);
    const [needs, follows] = [own(draft, "needs"), own(draft, "follows")];
    for (const each of those(n, needs, false)) hard.add(each);
    const soft = those(
      n,
      follows.filter((fact) => !isWeak(fact)),
      false,
    );
    if (draft.own) for (const other of others) soft.add(other);
    return { hard, rights: new Set(), soft, weak: those(n, follows.filter(isWeak), false) };
  });
}

/** The circles: numbers of drafts each of which waits for all others of its circle. */
export function circlesOf(edges: readonly Edges[]): number[][] {
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const stack: number[] = [];
  const on = new Set<number>();
  const found: number[][] = [];
  const next = edges.map((each) => [...before(each)]);
  for (const start of edges.keys()) {
    if (index.has(start)) continue;
    const calls: { at: number; edge: number }[] = [];
    const enter = (at: number) => {
      index.set(at, index.size);
      low.set(at, index.get(at)!);
      stack.push(at);
      on.add(at);
      calls.push({ at, edge: 0 });
    };
    enter(start);
    while (calls.length) {
      const call = calls.at(-1)!;
      const { at } = call;
      const to = next[at]![call.edge++];
      if (to !== undefined) {
        if (!index.has(to)) enter(to);
        else if (on.has(to)) low.set(at, Math.min(low.get(at)!, index.get(to)!));
        continue;
      }
      calls.pop();
      const above = calls.at(-1);
      if (above) low.set(above.at, Math.min(low.get(above.at)!, low.get(at)!));
      if (low.get(at) !== index.get(at)) continue;
      const circle: number[] = [];
      for (;;) {
        const each = stack.pop()!;
        on.delete(each);
        circle.push(each);
        if (each === at) break;
      }
      if (circle.length > 1 || next[at]!.includes(at)) found.push(circle);
    }
  }
  return found;
}

/** Those pieces of a draft that wait for a draft of the circle. */
function waiting(drafts: readonly Draft[], circle: readonly number[], n: number): Piece[] {
  const draft = drafts[n]!;
  const given = new Set(circle.flatMap((each) => own(drafts[each]!, "provides")));
  return draft.pieces.filter(({ args, needs = [], follows = [] }) =>
    [...factsOfArgs(draft.operation, args).needs, ...needs, ...follows].some((fact) => given.has(fact)),
  );
}

const manages = "can_manage_group";

/** One request as two, of which the later one says what had to wait. Undefined where there is nothing to divide. */
export function divided(drafts: readonly Draft[], circle: readonly number[], n: number): [Draft, Draft] | undefined {
  return parted(drafts[n]!, waiting(drafts, circle, n));
}

/** One request as two, of which the second says what is late. Undefined where that leaves nothing to one of them. */
export function parted(draft: Draft, pieces: readonly Piece[]): [Draft, Draft] | undefined {
  const created = draft.makes !== undefined;
  if (!pieces.length || (!created && pieces.length === draft.pieces.length)) return undefined;
  // Who may manage it is said last: until then the caller may, who has made it.
  const late = created
    ? [...pieces, ...draft.pieces.filter((piece) => manages in piece.args && !pieces.includes(piece))]
    : pieces;
  const { divided = 0 } = draft;
  const first = { ...draft, pieces: draft.pieces.filter((piece) => !late.includes(piece)), divided: divided + 1 };
  const [{ alone }] = late as [Piece];
  const made = draft.makes?.id;
  const rest: Draft = {
    of: draft.of,
    part: numbered(created ? "settings" : `${draft.part} later`, divided),
    operation: alone?.operation ?? draft.operation,
    args: alone ? { user_group_id: made } : draft.args,
    pieces: late.map((piece) => ({ ...piece, args: piece.alone?.args ?? piece.args })),
    needs: [...(draft.makes ? [] : (draft.needs ?? []))],
    provides: draft.makes ? [] : (draft.provides ?? []),
  };
  return [first, rest];
}
