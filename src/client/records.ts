/** Records that came together. `texts` are the JSON lists they were read from, where nothing was left out or put in. */
export type Batch<R> = R[] & { texts?: readonly string[] };

/** Records of a list on their way, read once. In batches for who wants them fast; one by one costs a turn each. */
export class Records<R> implements AsyncIterable<R> {
  readonly #source: () => AsyncIterable<Batch<R>>;

  /** `source` is called when the first record is wanted. */
  constructor(source: () => AsyncIterable<Batch<R>>) {
    this.#source = source;
  }

  batches(): AsyncIterable<Batch<R>> {
    return this.#source();
  }

  filter(keep: (record: R) => boolean): Records<R> {
    const source = this.#source;
    return new Records(async function* () {
      for await (const batch of source()) {
        const kept = batch.filter(keep);
        yield kept.length < batch.length ? kept : batch;
      }
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<R> {
    for await (const batch of this.#source()) yield* batch;
  }
}
