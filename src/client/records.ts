/** Records of a list on their way, read once. In batches for who wants them fast; one by one costs a turn each. */
export class Records<R> implements AsyncIterable<R> {
  readonly #source: () => AsyncIterable<R[]>;

  /** `source` is called when the first record is wanted. */
  constructor(source: () => AsyncIterable<R[]>) {
    this.#source = source;
  }

  batches(): AsyncIterable<R[]> {
    return this.#source();
  }

  filter(keep: (record: R) => boolean): Records<R> {
    const source = this.#source;
    return new Records(async function* () {
      for await (const batch of source()) yield batch.filter(keep);
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<R> {
    for await (const batch of this.#source()) yield* batch;
  }
}
