/** How large merged requests may be: small at first, larger while answers come quickly, smaller where none comes. */
import type { AnyOperation } from "../wire/operation.ts";
import { type Request, sizeOf, type Task } from "./task.ts";

const first = 100;
/** Milliseconds below which an answer is quick. */
const quick = 10_000;

export class BatchSizer {
  readonly #sizes = new Map<AnyOperation, number>();

  /** How many rows' worth a request that begins with this task may hold. */
  most({ change: { operation } }: Task): number {
    if (!operation.merging) return 1;
    return this.#sizes.get(operation) ?? Math.min(first, operation.merging.largest);
  }

  /** Learns from an answer that took so many milliseconds; undefined where none came. */
  learn({ operation, tasks }: Request, took: number | undefined): void {
    if (!operation.merging) return;
    const present = this.most(tasks[0]);
    const size = tasks.reduce((sum, each) => sum + sizeOf(each), 0);
    if (took === undefined) {
      if (size > 1) this.#sizes.set(operation, Math.max(1, Math.min(present, Math.ceil(size / 2))));
      return;
    }
    // A request that was smaller than it could have been says nothing about larger ones.
    if (took < quick && size * 2 > present)
      this.#sizes.set(operation, Math.min(operation.merging.largest, present * 2));
  }
}
