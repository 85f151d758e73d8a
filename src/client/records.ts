import type { Batch, Skimmed } from "../wire/large-list/skimmed.ts";

/** The batch of records that were skimmed. */
export const unread = <R>(skimmed: Skimmed): Batch<R> => ({
  skimmed,
  *[Symbol.iterator]() {
    yield* JSON.parse(`[${skimmed.bytes.toString()}]`);
  },
});

/** Records of a list on their way, read once. In batches for who wants them fast; one by one costs a turn each. */
export class Records<R> implements AsyncIterable<R> {
  readonly #source: (skim: boolean) => AsyncIterable<Batch<R>>;

  /** `source` is called when the first record is wanted. */
  constructor(source: (skim: boolean) => AsyncIterable<Batch<R>>) {
    this.#source = source;
  }

  /** `skim`: who wants them can do with records that were skimmed. */
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
