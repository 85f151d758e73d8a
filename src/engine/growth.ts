/** How large merged requests may be: small at first, larger while answers come quickly, smaller where none comes. */
import type { AnyOperation } from "../wire/operation.ts";
import { type Piece, type Request, sizeOf } from "./piece.ts";

const first = 100;
/** Milliseconds below which an answer is quick. */
const quick = 10_000;

export class Growth {
  readonly #sizes = new Map<AnyOperation, number>();
  readonly #merge: boolean;

  constructor(merge: boolean) {
    this.#merge = merge;
  }

  /** How many rows' worth a request that begins with this piece may hold. */
  most({ change: { operation } }: Piece): number {
    if (!this.#merge || !operation.merging) return 1;
    return this.#sizes.get(operation) ?? Math.min(first, operation.merging.largest);
  }

  /** Learns from an answer that took so many milliseconds; undefined where none came. */
  learn({ operation, pieces }: Request, took: number | undefined): void {
    if (!this.#merge || !operation.merging) return;
    const present = this.most(pieces[0]!);
    const size = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0);
    if (took === undefined) {
      if (size > 1) this.#sizes.set(operation, Math.max(1, Math.min(present, Math.ceil(size / 2))));
      return;
    }
    // A request that was smaller than it could have been says nothing about larger ones.
    if (took < quick && size * 2 > present)
      this.#sizes.set(operation, Math.min(operation.merging.largest, present * 2));
  }
}
