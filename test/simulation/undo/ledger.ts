/** Who changed what, as the server saw it. Nothing in it comes from what zulipctl keeps. */
import type { SandboxState } from "../../../src/sandbox/state.ts";
import type { Ran } from "./machine.ts";
import { type View, viewOf } from "./view.ts";

/** A run, or somebody else. */
export type By = Ran | "other";

export interface Write {
  /** By the ledger's counter. */
  readonly at: number;
  readonly key: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly by: By;
}

/** Returns whether two values are equal. Orders are, if what both have is in the same order. */
export function isSame(key: string, one: string | undefined, other: string | undefined): boolean {
  if (!key.startsWith("orders|") || one === undefined || other === undefined) return one === other;
  const [ids, others]: unknown[][] = [JSON.parse(one), JSON.parse(other)];
  const shared = (list: unknown[] = [], than: unknown[] = []) => JSON.stringify(list.filter((id) => than.includes(id)));
  return shared(ids, others) === shared(others, ids);
}

/** Whether something was taken out of an order and came back: it is another one of the same name. */
export function isAddedAgain(key: string, writes: readonly Write[]): boolean {
  const idsOf = (text = "[]"): unknown[] => JSON.parse(text);
  const isAgain = (id: unknown, at: number) => writes.some((write) => write.at > at && idsOf(write.to).includes(id));
  return (
    key.startsWith("orders|") &&
    writes.some(({ at, from, to }) => idsOf(from).some((id) => !idsOf(to).includes(id) && isAgain(id, at)))
  );
}

export function differences(before: View, after: View): Pick<Write, "key" | "from" | "to">[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({ key, from: before.get(key), to: after.get(key) }))
    .filter(({ from, to }) => from !== to);
}

export class Ledger {
  now = 0;
  readonly writes: Write[] = [];
  /** What requests without an answer would have changed. */
  readonly possible: Write[] = [];
  #view: View;
  readonly #state: SandboxState;

  constructor(state: SandboxState) {
    this.#state = state;
    this.#view = viewOf(state);
  }

  get view(): View {
    return this.#view;
  }

  /** Counts a step, and returns its number. */
  tick(): number {
    this.now++;
    return this.now;
  }

  /** Notes what changed since the last call. */
  record(by: By): void {
    const at = this.tick();
    const view = viewOf(this.#state);
    for (const each of differences(this.#view, view)) this.writes.push({ at, by, ...each });
    this.#view = view;
  }

  /** Notes what a request would change that never arrived. `then`: the organization after it. */
  suppose(by: By, then: SandboxState): void {
    for (const each of differences(this.#view, viewOf(then))) this.possible.push({ at: this.now, by, ...each });
  }

  of(key: string): Write[] {
    return this.writes.filter((write) => write.key === key);
  }

  /** Returns the value of a key at a moment. */
  valueAt(key: string, at: number): string | undefined {
    const all = this.of(key);
    const last = all.findLast((write) => write.at <= at);
    if (last) return last.to;
    const [first] = all;
    return first ? first.from : this.#view.get(key);
  }
}

interface Taken {
  readonly undo: Ran;
  readonly block: readonly Write[];
  /** What stood under it. */
  readonly under: number;
}

/** Joins what one actor wrote without anybody else between. */
function joined(writes: readonly Write[]): Write[] {
  const all: Write[] = [];
  for (const write of writes) {
    const last = all.at(-1);
    if (last?.by === write.by) all[all.length - 1] = { ...last, to: write.to };
    else all.push(write);
  }
  return all.filter(({ key, from, to }) => !isSame(key, from, to));
}

const meansRun = (undo: Ran, by: By | undefined): boolean =>
  by !== undefined && by !== "other" && undo.means?.includes(by) === true;

/** What an undo of an undo brought back. */
interface Restored {
  readonly undo: Ran;
  readonly taken: Taken;
}

export interface Standing {
  /** The changes of a key that were not taken back, the oldest first. */
  readonly stack: readonly Write[];
  /** What an undo took back last, if nothing came since. */
  readonly taken?: Taken | undefined;
  /** Whose undo of it somebody has changed since. */
  readonly lost: readonly Taken[];
  /** What an undo of an undo brought back last, if nothing came since. */
  readonly restored?: Restored | undefined;
  /** What undos of undos brought back that somebody has changed since. */
  readonly changed: readonly Restored[];
}

/** Leaves out what was taken back, with the undo that did it. */
export function standing(writes: readonly Write[]): Standing {
  const stack: Write[] = [];
  const taken: Taken[] = [];
  const changed: Restored[] = [];
  let restored: Restored | undefined;
  for (const write of joined(writes)) {
    const { by, key, to } = write;
    const undo = by !== "other" && by.means ? by : undefined;
    if (undo && restored && meansRun(undo, restored.undo) && isSame(key, restored.taken.block[0]?.from, to)) {
      stack.length = restored.taken.under;
      taken.push(restored.taken);
      restored = undefined;
      continue;
    }
    if (restored) changed.push(restored);
    restored = undefined;
    let under = stack.length;
    while (undo && under > 0 && meansRun(undo, stack[under - 1]?.by)) under--;
    if (undo && under < stack.length && isSame(key, stack[under]?.from, to)) {
      taken.push({ undo, block: stack.splice(under), under });
      continue;
    }
    const last = taken.at(-1);
    const isOn = last !== undefined && last.under === stack.length;
    if (undo && isOn && meansRun(undo, last.undo) && isSame(key, last.block.at(-1)?.to, to)) {
      stack.push(...last.block);
      restored = { undo, taken: last };
      taken.pop();
      continue;
    }
    stack.push(write);
  }
  const last = taken.at(-1);
  const isLast = last !== undefined && last.under === stack.length;
  return { stack, taken: isLast ? last : undefined, lost: isLast ? taken.slice(0, -1) : taken, restored, changed };
}

/** What runs hold of a key. */
export interface Claim {
  /** Nobody else has changed it since. */
  readonly isOwned: boolean;
  /** The value before them. */
  readonly back: string | undefined;
  /** When they changed it first. */
  readonly began: number;
  /** An undo took it back, and somebody has changed it since. */
  readonly isTaken?: boolean;
}

/** Returns what runs hold of a key. Undefined if they hold nothing, or it was taken back. */
export function claimOf({ stack, taken, lost, restored, changed }: Standing, runs: readonly Ran[]): Claim | undefined {
  const isTheirs = (by: By | undefined) => by !== undefined && by !== "other" && runs.includes(by);
  if (taken && isTheirs(taken.undo))
    return { isOwned: true, back: taken.block.at(-1)?.to, began: taken.block[0]?.at ?? 0 };
  if (restored && isTheirs(restored.undo)) {
    const [first] = restored.taken.block;
    return { isOwned: true, back: first?.from, began: first?.at ?? 0 };
  }
  const top = stack.findLastIndex(({ by }) => isTheirs(by));
  if (top < 0) {
    const old = lost.findLast(({ undo }) => isTheirs(undo));
    if (old) return { isOwned: false, back: old.block.at(-1)?.to, began: 0 };
    const redone = changed.findLast(({ undo }) => isTheirs(undo))?.taken.block[0];
    if (redone) return { isOwned: false, back: redone.from, began: redone.at };
    const own = lost.findLast(({ block }) => block.some(({ by }) => isTheirs(by)));
    return own && { isOwned: false, back: own.block[0]?.from, began: 0, isTaken: true };
  }
  let first = top;
  while (isTheirs(stack[first - 1]?.by)) first--;
  // Together they changed nothing.
  if (first < top && isSame(stack[top]?.key ?? "", stack[first]?.from, stack[top]?.to)) return undefined;
  return { isOwned: top === stack.length - 1, back: stack[first]?.from, began: stack[first]?.at ?? 0 };
}
