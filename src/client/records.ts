import type { Batch, Skimmed } from "../wire/large-list/skimmed.ts";

/** Returns a batch of skimmed records, which are parsed on iteration. */
export const lazyBatch = <R>(skimmed: Skimmed): Batch<R> => ({
  skimmed,
  *[Symbol.iterator]() {
    yield* JSON.parse(`[${skimmed.bytes.toString()}]`);
  },
});

/** The records of a list while they arrive, read once. Batches are faster than single records. */
export class Records<R> implements AsyncIterable<R> {
  readonly #source: (skim: boolean) => AsyncIterable<Batch<R>>;

  /** `source` is called for the first record. */
  constructor(source: (skim: boolean) => AsyncIterable<Batch<R>>) {
    this.#source = source;
  }

  /** `skim`: the caller accepts skimmed records. */
  batches(skim = false): AsyncIterable<Batch<R>> {
    return this.#source(skim);
  }

  filter(keep: (record: R) => boolean): Records<R> {
    const source = this.#source;
    return new Records(async function* () {
      for await (const batch of source(false)) yield [...batch].filter(keep);
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<R> {
    for await (const batch of this.#source(false)) yield* batch;
  }
}
