/**
 * From what differs to the requests that make it so, and what each of them waits for.
 *
 * No plan has fewer requests than this lower bound: one for each thing that is made, one for each transaction or reason
 * for refusal that a changed thing has (`order/channels.ts`, `order/settings.ts`), one for each circle of names, and one
 * for each group that must leave something to a later request so that groups in a circle can be made one after the other.
 * It is met but in three cases: a request that would take away a right that is needed still is divided
 * (`order/turns.ts`), in circles of very many not all ways are tried (`order/circles.ts`), and whoever comes back goes
 * into each group by a request of their own (`order/groups.ts`).
 */
import { type Change, change } from "../engine/change.ts";
import { calledIn } from "./called.ts";
import type { Refusal } from "./compare/findings.ts";
import { mustDiffer } from "./compare/full-names.ts";
import type { Difference } from "./difference.ts";
import { channelDrafts, newChannelDrafts } from "./order/channels.ts";
import { dividedIn } from "./order/circles.ts";
import { collectionDrafts } from "./order/collections.ts";
import { largestPortion, type OrderContext } from "./order/context.ts";
import { argsOf, type Draft, fieldsOf } from "./order/draft.ts";
import { before, circlesOf, type Edges, edgesOf, waitersOf } from "./order/edges.ts";
import { unexpecting, withExpectations } from "./order/expecting.ts";
import { groupDrafts, newGroupDrafts } from "./order/groups.ts";
import { Ids } from "./order/ids.ts";
import { asidesOf } from "./order/names.ts";
import { invitationDrafts, personDrafts } from "./order/people.ts";
import { type Right, rightWords } from "./order/rights.ts";
import { newUserDrafts, settingDrafts } from "./order/settings.ts";
import { Standing } from "./order/standing.ts";
import { withSubgroups } from "./order/subgroups.ts";
import { type Turns, turns } from "./order/turns.ts";
import { turnsOf } from "./order/way.ts";
import type { Snapshot } from "./snapshot.ts";

/** One request. */
export interface Step {
  /** Which of the differences it belongs to. */
  readonly of: number;
  /** What it is called among the requests of that difference. */
  readonly part: string;
  readonly fields: readonly string[];
  readonly change: Change;
  /** Steps, by their place in the order, that must be done before it, and those that must only be over. */
  readonly needs: readonly number[];
  readonly follows: readonly number[];
  /** Why the server would certainly refuse it: completes a sentence that begins with the thing. */
  readonly refused?: string;
}

function draftsOf(context: OrderContext, difference: Difference, of: number): Draft[] {
  const { section, action } = difference;
  if (section === "settings" || section === "new_users") {
    if (!("fields" in difference)) throw new Error(`cannot ${action} settings`);
    return section === "settings" ? settingDrafts(context, of, difference) : newUserDrafts(of, difference);
  }
  if (section === "people" || section === "groups" || section === "channels") {
    if (action === "invite") return invitationDrafts(context, of, difference);
    if (action === "create")
      return section === "groups" ? newGroupDrafts(context, of, difference) : newChannelDrafts(context, of, difference);
    if (!("fields" in difference)) throw new Error(`cannot ${action} ${section}`);
    const make = { people: personDrafts, groups: groupDrafts, channels: channelDrafts }[section];
    return make(context, of, difference);
  }
  return collectionDrafts(context, of, { ...difference, section });
}

const lackWords = (snapshot: Snapshot, right: Right): string =>
  `takes ${rightWords(right)}, which ${
    new Standing(snapshot).holds(right)
      ? "the same plan takes it from this account first: apply that change separately"
      : "this account does not have"
  }`;

/** What the server would certainly refuse of these requests, each thing once. */
export function refusedIn(steps: readonly Step[], differences: readonly (Difference | undefined)[]): Refusal[] {
  const all = new Map<string, Refusal>();
  for (const { of, refused: says } of steps) {
    const { section, name } = differences[of]!;
    if (says !== undefined) all.set(`${of} ${says}`, { section, name, says });
  }
  return [...all.values()];
}

interface Open {
  readonly drafts: readonly Draft[];
  readonly edges: readonly Edges[];
}

const replacing = (drafts: readonly Draft[], some: ReadonlyMap<number, readonly Draft[]>): Draft[] =>
  drafts.flatMap((draft, n) => some.get(n) ?? [draft]);

/** Requests and edges without circles. A circle is opened where one of its requests can be divided, at as few as that takes. */
function opened(all: readonly Draft[]): Open {
  let drafts = all;
  let edges = edgesOf(drafts);
  for (;;) {
    const circles = circlesOf(edges.map((each) => ({ ...each, weak: new Set() })));
    if (!circles.length) {
      const regardless = waitedFor(drafts, edges);
      if (!regardless.size) return { drafts, edges };
      drafts = replacing(drafts, regardless);
      edges = edgesOf(drafts);
      continue;
    }
    const replaced = dividedIn(drafts, edges, circles);
    if (replaced.size) {
      drafts = replacing(drafts, replaced);
      edges = edgesOf(drafts);
      continue;
    }
    const without = withoutWishes(edges, circles);
    if (!without) throw new Error(`circular dependency: ${circles[0]!.map((n) => wordsOf(drafts[n]!)).join(", ")}`);
    edges = without;
  }
}

/** What somebody's coming back would have to wait for, and itself waits for that: it goes whatever the permission is then. */
function waitedFor(drafts: readonly Draft[], edges: readonly Edges[]): Map<number, readonly Draft[]> {
  const circles = circlesOf(edges).map((circle) => new Set(circle));
  const waited = circles.flatMap((circle) =>
    [...circle].flatMap((n) => [...edges[n]!.weak].filter((m) => circle.has(m))),
  );
  return new Map(waited.map((n) => [n, [unexpecting(drafts[n]!)]]));
}

const wordsOf = ({ of, part, operation }: Draft): string => `${of} ${part} (${operation.name})`;

/** Inside of circles, what must only be over is given up. Undefined where there is none. */
function withoutWishes(edges: readonly Edges[], circles: readonly number[][]): Edges[] | undefined {
  const circle = new Map(circles.flatMap((all, n) => all.map((each): [number, number] => [each, n])));
  const kept = (n: number, some: ReadonlySet<number>) =>
    new Set([...some].filter((other) => !circle.has(n) || circle.get(other) !== circle.get(n)));
  const left = edges.map((each, n) => ({ ...each, soft: kept(n, each.soft) }));
  return left.some(({ soft }, n) => soft.size < edges[n]!.soft.size) ? left : undefined;
}

/** The same, with turns that the caller's rights leave. */
function inTurn(context: OrderContext, all: readonly Draft[]): Open & { readonly lacking: Turns["lacking"] } {
  for (let drafts = all; ; ) {
    const open = opened(drafts);
    const found = turns(context, open.drafts, open.edges);
    if ("edges" in found) return { drafts: open.drafts, ...found };
    drafts = replacing(open.drafts, found.replaced);
  }
}

/** Numbers of drafts, each after what goes before it; else as they come. */
function sorted(edges: readonly Edges[]): number[] {
  const open = edges.map(before);
  const waiters = waitersOf(open);
  const order: number[] = [];
  let ready = [...open.keys()].filter((n) => !open[n]!.size);
  while (ready.length) {
    const next: number[] = [];
    for (const n of ready) {
      order.push(n);
      for (const waiter of waiters.get(n) ?? []) {
        open[waiter]!.delete(n);
        if (!open[waiter]!.size) next.push(waiter);
      }
    }
    ready = next.sort((a, b) => a - b);
  }
  return order;
}

function changeOf(draft: Draft, difference: Difference, verifyWith: string): Change {
  const { operation, makes, newChannel, does, ifChanged } = draft;
  const fields = [...new Set(fieldsOf(draft))];
  const made = change(operation, argsOf(draft) as never, {
    target: calledIn(difference),
    done: "{what}.",
    words: { what: does ?? fields.join(", ") },
    verifyWith,
  });
  return {
    ...made,
    ...(makes && { ids: makes.member, makes: makes.id }),
    ...(newChannel !== undefined && { newChannel }),
    ...(ifChanged && { ifChanged }),
  };
}

export interface OrderOptions {
  /** The command that shows what differs still. */
  readonly verifyWith: string;
  /** People in one request at most; as many as servers take in time where absent. */
  readonly portion?: number | undefined;
}

/** The requests in an order in which they could go one after the other. */
export function ordered(
  snapshot: Snapshot,
  differences: readonly (Difference | undefined)[],
  { verifyWith, portion = largestPortion }: OrderOptions,
): Step[] {
  const there = differences.filter((each) => each !== undefined);
  const uniqueNames = mustDiffer(snapshot, there);
  const context: OrderContext = {
    snapshot,
    ids: new Ids(snapshot, differences),
    me: snapshot.organization.user_id,
    uniqueNames,
    asides: asidesOf(differences, { uniqueNames }),
    turns: turnsOf(differences),
    portion,
    returning: new Set(
      there.flatMap((each) => (each.section === "people" && each.action === "reactivate" ? [each.id!] : [])),
    ),
  };
  if (there.some(({ prune }) => prune)) throw new Error("only with --prune");
  const all = differences.flatMap((difference, of) => (difference ? draftsOf(context, difference, of) : []));
  const { drafts, edges, lacking } = inTurn(context, withExpectations(withSubgroups(context, all)));
  const order = sorted(edges);
  const places = new Map(order.map((n, place) => [n, place]));
  const placesOf = (some: ReadonlySet<number>) => [...some].map((n) => places.get(n)!).sort((a, b) => a - b);
  return order.map((n) => {
    const draft = drafts[n]!;
    const { hard, rights } = edges[n]!;
    const needs = new Set([...hard, ...rights]);
    const lack = lacking.get(n);
    return {
      of: draft.of,
      part: draft.part,
      fields: [...new Set(fieldsOf(draft))],
      change: changeOf(draft, differences[draft.of]!, verifyWith),
      needs: placesOf(needs),
      follows: placesOf(new Set([...before(edges[n]!)].filter((each) => !needs.has(each)))),
      // Who comes back may be where they are to be: then it makes no difference.
      ...(lack && !lack.doubtful && !draft.ifChanged && { refused: lackWords(snapshot, lack) }),
    };
  });
}
