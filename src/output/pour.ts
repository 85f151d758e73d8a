import { Failure, Unreachable } from "../errors.ts";
import { NoAnswer, type Output } from "../world.ts";
import { type Gathering, Unwritable } from "./gathering.ts";

export type Source<R> = Iterable<R> | AsyncIterable<R>;

/** Adds to a failure what only the printing knows: how much of the answer is out already. */
function cutShort(error: unknown, printed: number): unknown {
  const sentence = printed === 1 ? "1 record was printed before that." : `${printed} records were printed before that.`;
  if (error instanceof NoAnswer)
    return new Unreachable(`${error.message} ${sentence}`, { more: { printed }, cause: error });
  if (error instanceof Failure) {
    error.message += ` ${sentence}`;
    error.details.more = { ...error.details.more, printed };
  }
  return error;
}

/**
 * Prints records as they arrive, at the pace of the reader, and stops where the reader has gone; `undefined` skips a
 * record. A source that `persists` is read to its end even so, and where stdout fails.
 */
export async function pour<R, T>(
  records: Source<R>,
  make: (record: R) => T | undefined,
  gathering: Gathering<T>,
  stdout: Output,
  persists = false,
): Promise<void> {
  let printed = 0;
  let lost: unknown;
  try {
    for await (const record of records) {
      if (lost || stdout.gone) {
        if (persists) continue;
        break;
      }
      const piece = make(record);
      if (piece === undefined) continue;
      printed++;
      try {
        const full = gathering.add(piece);
        if (full !== undefined) await full;
      } catch (error) {
        if (!persists) throw error;
        lost = error;
      }
    }
  } catch (error) {
    if (error instanceof Unwritable) throw error;
    await gathering.end();
    throw printed ? cutShort(error, printed) : error;
  }
  if (lost) throw lost;
  await gathering.end();
}

/** Everything, for the forms that print a whole answer or nothing. What is an array already is not copied. */
export async function arrived<R, T>(records: Source<R>, make: (record: R) => T): Promise<Iterable<T>> {
  if (Array.isArray(records))
    return {
      *[Symbol.iterator]() {
        for (const record of records) yield make(record);
      },
    };
  const all: T[] = [];
  for await (const record of records) all.push(make(record));
  return all;
}

/** The first records, and the source as it was before they were read. An array is looked at whole. */
export async function peek<R>(records: Source<R>, count: number): Promise<{ seen: R[]; records: Source<R> }> {
  if (Array.isArray(records)) return { seen: records, records };
  const iterator = Symbol.asyncIterator in records ? records[Symbol.asyncIterator]() : records[Symbol.iterator]();
  const seen: R[] = [];
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    seen.push(next.value);
    if (seen.length === count) return { seen, records: resumed(seen, iterator) };
  }
  return { seen, records: seen };
}

async function* resumed<R>(seen: R[], iterator: Iterator<R> | AsyncIterator<R>): AsyncGenerator<R> {
  try {
    yield* seen;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
