/** The rows between the first unfinished one and the last that was read: results leave in the file's order. */
import type { Change, ChangeResult } from "./change.ts";
import type { Key } from "./task.ts";
import { keyOf } from "./task.ts";

/** A row of the input, as the examination found it. */
export interface ChangeRow {
  /** Counted from 1. */
  row: number;
  changes: readonly Change[];
  /** What reading has told of each of them already, where it has: those are not sent. */
  verdicts?: readonly (ChangeResult | undefined)[];
}

export interface Finished<R extends ChangeRow = ChangeRow> {
  row: R;
  /** What became of each of its changes. */
  results: ChangeResult[];
}

export class ReorderBuffer<R extends ChangeRow> {
  readonly #rows: Finished<R>[] = [];
  #head = 0;
  readonly #byKey = new Map<Key, { of: Finished<R>; part: number }>();
  /** What is known already of rows that were not read yet. */
  readonly #early = new Map<Key, ChangeResult>();

  get size(): number {
    return this.#rows.length - this.#head;
  }

  add(row: R): void {
    const finished: Finished<R> = { row, results: [] };
    this.#rows.push(finished);
    for (const part of row.changes.keys()) {
      const key = keyOf(row.row, part);
      const early = this.#early.get(key);
      if (early) finished.results[part] = early;
      else this.#byKey.set(key, { of: finished, part });
      this.#early.delete(key);
    }
  }

  /** True for a change of a row that was read and is not finished. */
  waitsFor(key: Key): boolean {
    return this.#byKey.has(key);
  }

  finish(key: Key, result: ChangeResult): void {
    const place = this.#byKey.get(key);
    if (place) place.of.results[place.part] = result;
    else this.#early.set(key, result);
    this.#byKey.delete(key);
  }

  /** The first row, where all of it is finished. */
  shift(): Finished<R> | undefined {
    const first = this.#rows[this.#head];
    if (!first) return undefined;
    for (let part = 0; part < first.row.changes.length; part++) if (!first.results[part]) return undefined;
    this.#head++;
    if (this.#head >= 1024 || this.#head === this.#rows.length) {
      this.#rows.splice(0, this.#head);
      this.#head = 0;
    }
    return first;
  }
}
