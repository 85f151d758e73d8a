/**
 * Puts requests in order: by phase, and each after the requests that it needs. A circular need is solved by splitting one
 * request in two. Plans of files and `undo` are scheduled here.
 */
import { reachableFrom } from "../../common/reachable.ts";
import { Usage } from "../../errors.ts";
import { argsOf, conditionsOf, type RequestDraft, type RequestPiece, resultOf } from "../sections/requests.ts";

/** `of`: the index of what it belongs to. `title`: its name in messages. */
export type TitledDraft = RequestDraft & { readonly of: number; readonly title: string };

interface Scheduled {
  readonly draft: TitledDraft;
  /** Indexes of the requests that must succeed before it. */
  readonly needs: readonly number[];
}

type Providers = ReadonlyMap<string, readonly number[]>;

function providersOf(drafts: readonly TitledDraft[]): Providers {
  const providers = new Map<string, number[]>();
  for (const [n, { provides = [], pieces = [] }] of drafts.entries()) {
    const facts = new Set([...provides, ...pieces.flatMap((piece) => piece.provides ?? [])]);
    for (const fact of facts) providers.set(fact, [...(providers.get(fact) ?? []), n]);
  }
  return providers;
}

/** Returns for each request the requests it needs. One that needs what it creates or restores itself needs itself. */
function needsOf(drafts: readonly TitledDraft[], providers: Providers): ReadonlySet<number>[] {
  const find = (facts: readonly string[]) => facts.flatMap((fact) => providers.get(fact) ?? []);
  return drafts.map((draft) => {
    const { needs = [], pieces = [], operation } = draft;
    const stated = pieces.flatMap((piece) => piece.needs ?? []);
    return new Set(find([...needs, ...stated, ...conditionsOf(operation, argsOf(draft))]));
  });
}

/** Returns the order, or the first cycle. */
function sorted(
  drafts: readonly TitledDraft[],
  needs: readonly ReadonlySet<number>[],
): { order: number[] } | { cycle: number[] } {
  const byPhase = [...drafts.entries()].sort(([n, one], [m, other]) => one.phase - other.phase || n - m);
  const earlier = new Map(byPhase.map(([n], placeOf) => [n, placeOf]));
  const place = (n: number) => earlier.get(n) ?? 0;
  const order: number[] = [];
  const done = new Set<number>();
  const path: number[] = [];
  const open = new Set<number>();
  const visit = (n: number): number[] | undefined => {
    if (done.has(n)) return undefined;
    if (open.has(n)) return path.slice(path.indexOf(n));
    open.add(n);
    path.push(n);
    for (const each of [...(needs[n] ?? [])].sort((a, b) => place(a) - place(b))) {
      const cycle = visit(each);
      if (cycle) return cycle;
    }
    path.pop();
    open.delete(n);
    done.add(n);
    order.push(n);
    return undefined;
  };
  for (const [n] of byPhase) {
    const cycle = visit(n);
    if (cycle) return { cycle };
  }
  return { order };
}

/** Returns all requests that need this one, directly or not, and itself. */
function dependentsOf(n: number, needs: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  const dependents = new Map<number, number[]>();
  for (const [waiter, all] of needs.entries())
    for (const each of all) dependents.set(each, [...(dependents.get(each) ?? []), waiter]);
  return reachableFrom([n], (each) => dependents.get(each));
}

const manages = "can_manage_group";

/** Splits a request in two. The second has the late pieces. Undefined if one of them would be empty. */
function splitRequest(
  draft: TitledDraft,
  late: readonly RequestPiece[],
): readonly [TitledDraft, TitledDraft] | undefined {
  const { pieces = [], makes } = draft;
  const renames = late.find(({ temporary }) => temporary);
  if (renames) {
    const { temporary = {}, provides = [], needs = [], ...rest } = renames;
    const set = `${draft.of} has a temporary name`;
    const temporaryPiece = { fields: [], args: temporary, provides: [...provides, set] };
    const finalPiece = { ...rest, needs: [...needs, set] };
    return [
      { ...draft, result: "temporary name", pieces: [temporaryPiece] },
      { ...draft, pieces: pieces.map((piece) => (piece === renames ? finalPiece : piece)) },
    ];
  }
  const [first] = late;
  if (!first || (!makes && late.length === pieces.length)) return undefined;
  // The permission to manage comes last: until then the caller manages the group it has created.
  const rest = pieces.filter((piece) => late.includes(piece) || (makes && manages in piece.args));
  return [
    { ...draft, pieces: pieces.filter((piece) => !rest.includes(piece)) },
    {
      of: draft.of,
      title: draft.title,
      phase: draft.phase,
      operation: first.separately?.operation ?? draft.operation,
      args: first.separately ? { user_group_id: makes?.id } : draft.args,
      pieces: rest.map((piece) => ({ ...piece, args: piece.separately?.args ?? piece.args })),
      needs: makes ? [] : (draft.needs ?? []),
      provides: makes ? [] : (draft.provides ?? []),
    },
  ];
}

/** Splits one request of a cycle, preferring the one that most others need. Undefined if none can be split. */
function splitCycle(
  drafts: readonly TitledDraft[],
  cycle: readonly number[],
  needs: readonly ReadonlySet<number>[],
  providers: Providers,
): TitledDraft[] | undefined {
  const count = (n: number) => needs.filter((all) => all.has(n)).length;
  for (const n of [...cycle].sort((a, b) => count(b) - count(a))) {
    const draft = drafts[n];
    if (!draft?.pieces) continue;
    const dependents = dependentsOf(n, needs);
    const late = draft.pieces.filter((piece) =>
      [...(piece.needs ?? []), ...conditionsOf(draft.operation, piece.args)].some((fact) =>
        providers.get(fact)?.some((each) => dependents.has(each)),
      ),
    );
    const parts = splitRequest(draft, late);
    if (parts) return drafts.toSpliced(n, 1, ...parts);
  }
  return undefined;
}

/** Returns the requests in the order in which they are sent. Throws `Usage` if no order exists. */
export function schedule(all: readonly TitledDraft[]): Scheduled[] {
  for (let drafts = [...all]; ; ) {
    const providers = providersOf(drafts);
    const needs = needsOf(drafts, providers);
    // A request that needs itself is always split. This can solve other cycles too.
    const itself = drafts.findIndex((_, n) => needs[n]?.has(n));
    const found = itself < 0 ? sorted(drafts, needs) : { cycle: [itself] };
    if ("order" in found) {
      const places = new Map(found.order.map((n, place) => [n, place]));
      const placesOf = (some: Iterable<number>) => [...some].flatMap((n) => places.get(n) ?? []).sort((a, b) => a - b);
      return found.order.flatMap((n) => {
        const draft = drafts[n];
        return draft ? [{ draft, needs: placesOf(needs[n] ?? []) }] : [];
      });
    }
    const next = splitCycle(drafts, found.cycle, needs, providers);
    const words = (draft: TitledDraft) => `${draft.title} (${resultOf(draft)})`;
    if (!next) {
      const cycle = found.cycle.flatMap((n) => drafts[n] ?? []);
      throw new Usage(`circular dependency: ${cycle.map(words).join(", ")}`, {
        outcome: "not_sent",
        hint: "Apply one of these changes by itself first.",
      });
    }
    drafts = next;
  }
}
