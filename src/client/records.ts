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
  constructor(
    /** Called for the first record. `skim`: the caller accepts skimmed records. */
    readonly batches: (skim?: boolean) => AsyncIterable<Batch<R>>,
  ) {}

  filter(keep: (record: R) => boolean): Records<R> {
    const { batches } = this;
    return new Records(async function* () {
      for await (const batch of batches()) yield [...batch].filter(keep);
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<R> {
    for await (const batch of this.batches()) yield* batch;
  }
}
