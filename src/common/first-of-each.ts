/** Returns the first record of each key. */
export const firstOfEach = <R>(records: readonly R[], keyOf: (record: R) => unknown): ReadonlySet<R> =>
  new Set(new Map(records.toReversed().map((record) => [keyOf(record), record])).values());
