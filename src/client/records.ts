import type { Batch, UnparsedRecords } from "../wire/large-list/unparsed-records.ts";

/** Returns a batch of unparsed records, which are parsed on iteration. */
export const lazyBatch = <R>(unparsed: UnparsedRecords): Batch<R> => ({
  unparsed,
  *[Symbol.iterator]() {
    yield* JSON.parse(`[${unparsed.bytes.toString()}]`);
  },
});

/** The records of a list while they arrive, read once. Batches are faster than single records. */
export class Records<R> implements AsyncIterable<R> {
  constructor(
    /** Called for the first record. `acceptsUnparsed`: the caller accepts unparsed records. */
    readonly batches: (acceptsUnparsed?: boolean) => AsyncIterable<Batch<R>>,
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
