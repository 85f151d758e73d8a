/**
 * Turns that the caller's own rights leave: what takes a right goes while the caller has it, before what the plan takes it
 * away with, or after what it gives it with. They are found by going through the requests one by one, always with one that
 * can be done and takes nothing away that is needed still.
 */
import type { OrderContext } from "./context.ts";
import type { Draft, Piece } from "./draft.ts";
import { before, type Edges, parted, waitersOf } from "./edges.ts";
import { standsAsRead, unexpecting } from "./expecting.ts";
import { type Use, usesOf } from "./regranting.ts";
import type { Right } from "./rights.ts";
import { Standing } from "./standing.ts";
import { lackIn, leavingLater, type RightStep, stepsOf } from "./stepwise.ts";

export interface Turns {
  /** With what goes before by rights. */
  readonly edges: readonly Edges[];
  /** What has no turn in which the caller may do it, with the right that lacks. */
  readonly lacking: ReadonlyMap<number, Right>;
}

/** Other requests in the stead of some, by number: with those it is tried anew. */
export type Replaced = ReadonlyMap<number, readonly Draft[]>;

interface Course {
  readonly order: readonly number[];
  /** What could go next, but the caller may not do it, or would lose by it what is needed still. */
  readonly lacks: readonly number[];
  readonly takes: readonly number[];
}

/** As many ways are tried where it does not go on. */
const mostTries = 40;

class Search {
  readonly #context: OrderContext;
  readonly #drafts: readonly Draft[];
  readonly #edges: readonly Edges[];
  readonly #uses: readonly Use[];
  /** By number of the draft, the uses that it is one of, and those that it may change. */
  readonly #taken: ReadonlyMap<number, readonly Use[]>;
  readonly #changed: ReadonlyMap<number, readonly Use[]>;
  /** By number of the draft, where it has several. */
  readonly #steps: ReadonlyMap<number, readonly RightStep[]>;
  #tries = 0;

  constructor(context: OrderContext, drafts: readonly Draft[], edges: readonly Edges[], uses: readonly Use[]) {
    this.#context = context;
    this.#drafts = drafts;
    this.#edges = edges;
    this.#uses = uses;
    const by = (numbers: (use: Use) => Iterable<number>) => {
      const all = new Map<number, Use[]>();
      for (const use of uses) for (const n of numbers(use)) all.set(n, [...(all.get(n) ?? []), use]);
      return all;
    };
    this.#taken = by(({ users }) => users);
    this.#changed = by(({ by }) => by);
    const steps = [...this.#taken].map(([n, taken]) => [n, stepsOf(context, drafts[n]!, taken)] as const);
    this.#steps = new Map(steps.filter(([, all]) => all.length > 1));
  }

  found(): Turns | Replaced {
    const forced = new Set<number>();
    const lacking = new Map<number, Right>();
    for (;;) {
      const course = this.#course(forced, lacking);
      const { lacks, takes } = course;
      if (!lacks.length && !takes.length) return { edges: this.#withRights(course.order), lacking };
      const never = lacks.filter((n) => this.#never(course.order, n));
      for (const n of never) lacking.set(n, this.#lackAfter(course.order, n)!.right);
      if (never.length) continue;
      const way = this.#wayOut(forced, lacking, takes, 3);
      if (way) return { edges: this.#withRights(way), lacking };
      const replaced = this.#replaced(course);
      if (replaced) return replaced;
      if (takes.length) forced.add(takes[0]!);
      else for (const n of lacks) lacking.set(n, this.#lackAfter(course.order, n)!.right);
    }
  }

  /** As far as it goes. What is `forced` goes whatever it takes away, and what is `lacking` anything goes although it lacks a right. */
  #course(forced: ReadonlySet<number>, lacking: ReadonlyMap<number, Right>): Course {
    const standing = new Standing(this.#context.snapshot);
    const open = this.#edges.map(before);
    const waiters = waitersOf(open);
    const left = new Map(this.#uses.map((use) => [use, use.users.length]));
    const order: number[] = [];
    let ready = [...open.keys()].filter((n) => !open[n]!.size);
    for (;;) {
      const next: number[] = [];
      const [lacks, takes]: [number[], number[]] = [[], []];
      for (const n of ready) {
        const draft = this.#drafts[n]!;
        if (!lacking.has(n) && this.#lack(standing, n)) {
          lacks.push(n);
          continue;
        }
        if (this.#changed.has(n) && !forced.has(n) && this.#takesAway(standing, n, left, order)) {
          takes.push(n);
          continue;
        }
        standing.do(draft);
        order.push(n);
        for (const use of this.#taken.get(n) ?? []) left.set(use, left.get(use)! - 1);
        for (const waiter of waiters.get(n) ?? []) {
          open[waiter]!.delete(n);
          if (!open[waiter]!.size) next.push(waiter);
        }
      }
      if (lacks.length + takes.length === ready.length) return { order, lacks, takes };
      ready = [...next, ...lacks, ...takes].sort((a, b) => a - b);
    }
  }

  /** What it lacks, as things stand. */
  #lack(standing: Standing, n: number): Use | undefined {
    const steps = this.#steps.get(n);
    return steps ? lackIn(standing, steps) : this.#taken.get(n)?.find(({ right }) => !standing.holds(right));
  }

  #takesAway(standing: Standing, n: number, left: ReadonlyMap<Use, number>, order: readonly number[]): boolean {
    const mine = new Set(this.#taken.get(n));
    const changed = this.#changed.get(n)!;
    const had = changed.filter((use) => left.get(use)! > (mine.has(use) ? 1 : 0) && standing.holds(use.right));
    const could = [...this.#steps.keys()].filter(
      (user) => user !== n && !order.includes(user) && !this.#lack(standing, user),
    );
    const undo = standing.do(this.#drafts[n]!);
    const lost = had.some(({ right }) => !standing.holds(right)) || could.some((user) => this.#lack(standing, user));
    undo();
    return lost;
  }

  /** An order of all, in which something is taken away for a while that comes back before it is needed. */
  #wayOut(
    forced: ReadonlySet<number>,
    lacking: ReadonlyMap<number, Right>,
    takes: readonly number[],
    depth: number,
  ): readonly number[] | undefined {
    for (const n of takes) {
      if (this.#tries++ > mostTries) return undefined;
      const more = new Set([...forced, n]);
      const course = this.#course(more, lacking);
      if (!course.lacks.length && !course.takes.length) return course.order;
      const way = depth > 1 ? this.#wayOut(more, lacking, course.takes, depth - 1) : undefined;
      if (way) return way;
    }
    return undefined;
  }

  /** Where it does not go on, with requests that ask for less at once. */
  #replaced({ order, lacks, takes }: Course): Replaced | undefined {
    // Who comes back need not wait for a permission that is changed without regard to what it was.
    const back = this.#drafts.some(({ operation }, n) => operation.name === "users.reactivate" && !order.includes(n));
    const expecting = back ? takes.find((n) => standsAsRead(this.#drafts[n]!)) : undefined;
    if (expecting !== undefined) return new Map([[expecting, [unexpecting(this.#drafts[expecting]!)]]]);
    const standing = this.#standingAfter(order);
    for (const n of lacks) {
      const two = this.#steps.has(n) && leavingLater(this.#drafts[n]!, this.#context.me);
      if (two && !lackIn(standing, stepsOf(this.#context, two[0], this.#taken.get(n)!))) return new Map([[n, two]]);
    }
    const left = new Map(this.#uses.map((use) => [use, use.users.filter((n) => !order.includes(n)).length]));
    for (const n of takes) {
      const had = this.#changed.get(n)!.filter((use) => left.get(use)! > 0 && standing.holds(use.right));
      const takesAway = (piece: Piece) => {
        const undo = standing.do({ ...this.#drafts[n]!, pieces: [piece] });
        const lost = had.some(({ right }) => !standing.holds(right));
        undo();
        return lost;
      };
      const two = parted(this.#drafts[n]!, this.#drafts[n]!.pieces.filter(takesAway));
      if (two) return new Map([[n, two]]);
    }
    return undefined;
  }

  #standingAfter(order: readonly number[]): Standing {
    const standing = new Standing(this.#context.snapshot);
    for (const each of order) standing.do(this.#drafts[each]!);
    return standing;
  }

  /** What it lacks when these are done. */
  #lackAfter(order: readonly number[], n: number): Use | undefined {
    return this.#lack(this.#standingAfter(order), n);
  }

  /** Whether it takes the right from the caller where something before it, which gives it in another way, was refused. */
  #lostWithout(order: readonly number[], n: number, refused: number, right: Right): boolean {
    const standing = this.#standingAfter(order.slice(0, order.indexOf(n)).filter((each) => each !== refused));
    const had = standing.holds(right);
    standing.do(this.#drafts[n]!);
    return had && !standing.holds(right);
  }

  /** Whether nothing that is left could give it what it lacks. */
  #never(order: readonly number[], n: number): boolean {
    const done = new Set(order);
    return [...this.#lackAfter(order, n)!.by].every((each) => done.has(each));
  }

  /**
   * What takes a right waits for what gives it, and what takes it away for what takes it: if that is not done, the next run
   * needs the right to do it. What changes it goes in this order.
   */
  #withRights(order: readonly number[]): Edges[] {
    const more = this.#edges.map(({ rights, soft, ...each }) => ({
      ...each,
      rights: new Set(rights),
      soft: new Set(soft),
    }));
    const standing = new Standing(this.#context.snapshot);
    const known = new Map(this.#uses.map((use) => [use, { gain: -1, change: -1, users: [] as number[] }]));
    /** Of those of several steps, what let all of them pass. */
    const gains = new Map<number, number>();
    const done = new Set<number>();
    for (const n of order) {
      for (const use of this.#taken.get(n) ?? []) {
        const { gain, change, users } = known.get(use)!;
        if (gain >= 0) more[n]!.rights.add(gain);
        if (change >= 0 && this.#steps.has(n)) more[n]!.soft.add(change);
        users.push(n);
      }
      if (gains.has(n)) more[n]!.rights.add(gains.get(n)!);
      done.add(n);
      const changed = this.#changed.get(n) ?? [];
      const had = changed.map(({ right }) => standing.holds(right));
      const waiting = changed.length ? [...this.#steps.keys()].filter((user) => !done.has(user)) : [];
      const lacking = waiting.filter((user) => this.#lack(standing, user));
      standing.do(this.#drafts[n]!);
      for (const user of lacking) if (!this.#lack(standing, user)) gains.set(user, n);
      for (const [at, use] of changed.entries()) {
        const one = known.get(use)!;
        if (one.change >= 0) more[n]!.soft.add(one.change);
        one.change = n;
        const has = standing.holds(use.right);
        if (has && !had[at]) one.gain = n;
        const lost = had[at] && !has;
        const takes = (user: number) =>
          lost ||
          this.#steps.has(user) ||
          (had[at] && use.by.has(user) && this.#lostWithout(order, n, user, use.right));
        for (const user of one.users) if (user !== n && takes(user)) more[n]!.rights.add(user);
        if (lost) one.gain = -1;
      }
    }
    return more;
  }
}

/** What goes before by rights, or what must be asked for otherwise so that all have a turn. */
export function turns(
  context: OrderContext,
  drafts: readonly Draft[],
  edges: readonly Edges[],
): Turns | { readonly replaced: Replaced } {
  const uses = usesOf(context, drafts);
  if (!uses.length) return { edges, lacking: new Map() };
  const found = new Search(context, drafts, edges, uses).found();
  return "edges" in found ? found : { replaced: found };
}
