/**
 * Turns differences into requests and puts them in order: by phase, and each after the requests that it needs. A circular
 * need is solved by splitting one request in two. Requests that give the caller a right go first, and those that take
 * one go last. A missing right ends the run midway: the next run does the rest.
 */

import { reachableFrom } from "../common/reachable.ts";
import { type Change, change } from "../engine/change.ts";
import { Usage } from "../errors.ts";
import { largestPortion } from "../model/kinds/lists.ts";
import type { Difference } from "./difference.ts";
import { differenceTitle, sections } from "./file.ts";
import { phases } from "./order/phases.ts";
import type { Prediction } from "./prediction.ts";
import { hasAccounts, isSettings } from "./section-names.ts";
import {
  argsOf,
  conditionsOf,
  type RequestContext,
  type RequestDraft,
  type RequestPiece,
  resultOf,
} from "./sections/requests.ts";

/** One request. */
export interface RequestStep {
  /** The index of the difference it belongs to. */
  readonly of: number;
  readonly change: Change;
  /** Indexes of steps that must succeed before it. */
  readonly needs: readonly number[];
}

function draftsOf(context: RequestContext, difference: Difference): RequestDraft[] {
  const { section, action } = difference;
  const { requests } = sections[section];
  if ("fields" in difference) return requests.update(context, difference);
  if (difference.action === "remove") return requests.remove?.(context, difference) ?? [];
  if (difference.action !== "reorder") return requests.create?.(context, difference) ?? [];
  if (isSettings(section)) throw new Error(`cannot ${action} ${section}`);
  const request = requests.reorder?.(context.ids.all(section, difference.to));
  return request ? [{ phase: phases.orders, result: "put in order", ...request }] : [];
}

function changeOf(draft: Request, verifyWith: string): Change {
  const { operation, title, makes, member = makes?.member, newChannel, ifChanged } = draft;
  return {
    ...change(operation, argsOf(draft), {
      target: title,
      done: "{what}.",
      words: { what: resultOf(draft) },
      verifyWith,
    }),
    ...(member !== undefined && { ids: member }),
    ...(makes && { provisionalId: makes.id }),
    ...(newChannel !== undefined && { newChannel }),
    ...(ifChanged && { ifChanged }),
  };
}

interface OrderOptions {
  /** The command that shows the remaining differences. */
  readonly verifyWith: string;
  /** The largest number of people in one request. The default is what servers finish in time. */
  readonly portion?: number | undefined;
}

/** Returns the requests in the order in which they are sent. */
export function orderRequests(
  { before, ids, rights, differences }: Prediction,
  { verifyWith, portion = largestPortion }: OrderOptions,
): RequestStep[] {
  const { snapshot } = before;
  const context: RequestContext = {
    snapshot,
    ids,
    me: snapshot.organization.user_id,
    rights,
    reactivated: new Set(
      differences.flatMap((one) =>
        hasAccounts(one.section) && one.action === "reactivate" && one.id !== undefined ? [one.id] : [],
      ),
    ),
    portion,
  };
  const drafts = differences.flatMap((difference, of) =>
    draftsOf(context, difference).map((draft) => ({ ...draft, of, title: differenceTitle(difference) })),
  );
  return schedule(drafts).map(({ draft, needs }) => ({
    of: draft.of,
    change: changeOf(draft, verifyWith),
    needs,
  }));
}

/** Sorts differences by their first requests. */
export function inStartOrder(found: readonly Difference[], steps: readonly RequestStep[]) {
  const order = [...new Set(steps.map(({ of }) => of))];
  const places = new Map(order.map((of, place) => [of, place]));
  const stated = new Set<number>();
  return {
    differences: order.flatMap((of) => found[of] ?? []),
    steps: steps.map((step): RequestStep => {
      const effects = stated.has(step.of) ? [] : (found[step.of]?.effects ?? []);
      stated.add(step.of);
      const change = effects.length ? { ...step.change, judged: effects } : step.change;
      return { ...step, change, of: places.get(step.of) ?? step.of };
    }),
  };
}

/** `of`: the index of the difference. `title`: its name in messages. */
type Request = RequestDraft & { readonly of: number; readonly title: string };

interface Scheduled {
  readonly draft: Request;
  /** Indexes of the requests that must succeed before it. */
  readonly needs: readonly number[];
}

type Providers = ReadonlyMap<string, readonly number[]>;

function providersOf(drafts: readonly Request[]): Providers {
  const providers = new Map<string, number[]>();
  for (const [n, { provides = [], pieces = [] }] of drafts.entries()) {
    const facts = new Set([...provides, ...pieces.flatMap((piece) => piece.provides ?? [])]);
    for (const fact of facts) providers.set(fact, [...(providers.get(fact) ?? []), n]);
  }
  return providers;
}

/** Returns for each request the requests it needs. One that needs what it creates or restores itself needs itself. */
function needsOf(drafts: readonly Request[], providers: Providers): ReadonlySet<number>[] {
  const find = (facts: readonly string[]) => facts.flatMap((fact) => providers.get(fact) ?? []);
  return drafts.map((draft) => {
    const { needs = [], pieces = [], operation } = draft;
    const stated = pieces.flatMap((piece) => piece.needs ?? []);
    return new Set(find([...needs, ...stated, ...conditionsOf(operation, argsOf(draft))]));
  });
}

/** Returns the order, or the first cycle. */
function sorted(
  drafts: readonly Request[],
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
function splitRequest(draft: Request, late: readonly RequestPiece[]): readonly [Request, Request] | undefined {
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
  drafts: readonly Request[],
  cycle: readonly number[],
  needs: readonly ReadonlySet<number>[],
  providers: Providers,
): Request[] | undefined {
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

function schedule(all: readonly Request[]): Scheduled[] {
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
    const words = (draft: Request) => `${draft.title} (${resultOf(draft)})`;
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
