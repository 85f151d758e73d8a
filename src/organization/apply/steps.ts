/**
 * What is kept of an order for as long as its run lasts, in the journal too: which requests there are, what each is
 * called there, and what waits for what. What they say is made anew each time the organization has been looked at.
 */
import type { Key } from "../../engine/task.ts";
import { keyOf } from "../../engine/task.ts";
import type { Difference } from "../difference.ts";
import type { LastIds } from "../last-ids.ts";
import type { Step } from "../order.ts";

export interface KeptStep {
  /** Which of the differences it belongs to, and what it is called there. */
  readonly of: number;
  readonly part: string;
  readonly operation: string;
  readonly target: string;
  readonly fields: readonly string[];
  /** What it does, for people, where that is not to set its fields: `created`. */
  readonly does?: string;
  /** By place in the order. */
  readonly needs: readonly number[];
  /** The member of the answer with the id of what it makes. */
  readonly makes?: string;
}

export const keptStep = ({ of, part, fields, needs, change }: Step): KeptStep => ({
  of,
  part,
  operation: change.operation.name,
  target: change.target,
  fields,
  ...(change.words?.what !== undefined && change.words.what !== fields.join(", ") && { does: change.words.what }),
  needs,
  ...(change.makes !== undefined && { makes: change.ids! }),
});

/** What is to be done, and how it was ordered when it was begun. */
export interface Order {
  readonly differences: readonly Difference[];
  readonly steps: readonly KeptStep[];
  /** The last id of each kind, right before the first change: what has a greater one was made since. */
  readonly last?: LastIds;
}

/** Where each step stands: a row for a difference, in the order in which they begin, and a part of it for each step. */
export class Layout {
  readonly #rows = new Map<number, number>();
  /** By difference, its steps. */
  readonly #parts = new Map<number, KeptStep[]>();

  constructor({ steps }: Order) {
    for (const step of steps) {
      if (!this.#rows.has(step.of)) this.#rows.set(step.of, this.#rows.size + 1);
      this.#parts.set(step.of, [...this.partsOf(step.of), step]);
    }
  }

  /** The differences, by number, in the order of their rows. */
  get differences(): number[] {
    return [...this.#rows.keys()];
  }

  row(of: number): number {
    return this.#rows.get(of)!;
  }

  partsOf(of: number): readonly KeptStep[] {
    return this.#parts.get(of) ?? [];
  }

  key(of: number, part: string): Key | undefined {
    const at = this.partsOf(of).findIndex((step) => step.part === part);
    return at < 0 ? undefined : keyOf(this.row(of), at);
  }

  /** The request that makes what a difference says is to be made. */
  maker(of: number): { key: Key; step: KeptStep } | undefined {
    const step = this.partsOf(of).find(({ makes }) => makes !== undefined);
    return step && { key: this.key(of, step.part)!, step };
  }
}
