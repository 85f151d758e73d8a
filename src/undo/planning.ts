/** What the items of one plan share. */
import { numbersIn } from "../common/object-members.ts";
import type { Refusals } from "./refusals.ts";
import type { State } from "./state.ts";

interface Remade {
  readonly kind: string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Items are made in the order in which they are sent: later ones depend on what earlier ones do. */
export class Planning {
  /** By their old ids, the linkifiers that are added again. */
  readonly again = new Map<number, { readonly id: number; readonly pattern: string }>();
  /** What is added again: values and new ids. */
  readonly remade: Remade[] = [];
  /** Things that are removed: `linkifier 3`. */
  readonly removed = new Set<string>();
  /** What the runs made and somebody else has removed since. */
  readonly gone: Remade[] = [];
  /** The settings of the organization that are set. */
  readonly settings = new Map<string, unknown>();

  constructor(
    readonly state: State,
    readonly refusals: Refusals,
    /** Accounts and groups that the plan brings back: `user 7`. */
    readonly reactivated: ReadonlySet<string>,
    /** The ids of profile fields that the runs made. */
    readonly madeFields: ReadonlySet<unknown>,
  ) {}

  /** Returns an order as it is when the next item is sent, and the old order of what is there then. */
  orders(kind: string, old: unknown, now: unknown) {
    const there = numbersIn(now).filter((id) => !this.removed.has(`${kind} ${id}`));
    const added = kind === "linkifier" ? this.again : new Map<number, { id: number }>();
    const present = [...new Set([...there, ...[...added.values()].map(({ id }) => id)])];
    const back = numbersIn(old).flatMap((id) => (there.includes(id) ? [id] : (added.get(id)?.id ?? [])));
    return { present, back: [...back, ...present.filter((id) => !back.includes(id))] };
  }
}
