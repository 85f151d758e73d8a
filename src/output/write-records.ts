import { Failure, Unreachable } from "../errors.ts";
import type { Batch, Skimmed } from "../wire/large-list/skimmed.ts";
import { NoAnswer, type Output } from "../world.ts";
import { type BufferedWriter, Unwritable } from "./buffered-writer.ts";

/**
 * Records on their way that also come in batches, which costs a turn of the event loop for each batch, not record.
 * `skim`: they need not have been read.
 */
interface Batched<R> extends AsyncIterable<R> {
  batches(skim?: boolean): AsyncIterable<Batch<R>>;
}

export type Source<R> = Iterable<R> | AsyncIterable<R> | Batched<R>;

type Batches<R> = AsyncIterable<Batch<R>> | Iterable<Batch<R>>;

async function* singly<R>(records: AsyncIterable<R>): AsyncGenerator<R[]> {
  for await (const record of records) yield [record];
}

export function batchesOf<R>(records: Source<R>, skim = false): Batches<R> {
  if ("batches" in records) return records.batches(skim);
  return Symbol.asyncIterator in records ? singly(records) : [records];
}

/** Adds to a failure what only the printing knows: how much of the answer is out already. */
function cutShort(error: unknown, printed: number): unknown {
  const count = printed === 1 ? "1 record was printed before that" : `${printed} records were printed before that`;
  const also = (message: string) => (message.endsWith(".") ? `${message} ${count}.` : `${message}; ${count}`);
  if (error instanceof NoAnswer) return new Unreachable(also(error.message), { more: { printed }, cause: error });
  if (error instanceof Failure) {
    error.message = also(error.message);
    error.details.more = { ...error.details.more, printed };
  }
  return error;
}

/** Several records as one piece, and how many they are. */
export interface Lines<T> {
  piece: T;
  count: number;
}

/**
 * Prints records as they arrive, at the pace of the reader, and stops where the reader has gone; `undefined` skips a
 * record. A source that `persists` is read to its end even so, and where stdout fails. `together` may give all that
 * were skimmed at once.
 */
export async function writeRecords<R, T>(
  records: Source<R>,
  make: (record: R) => T | undefined,
  writer: BufferedWriter<T>,
  stdout: Output,
  {
    persists = false,
    together,
  }: { persists?: boolean | undefined; together?: (skimmed: Skimmed) => Lines<T> | undefined } = {},
): Promise<void> {
  let printed = 0;
  let lost: unknown;
  try {
    for await (const batch of batchesOf(records, together !== undefined)) {
      const { skimmed } = batch;
      const all = !skimmed || persists || stdout.gone ? undefined : together?.(skimmed);
      if (all) {
        printed += all.count;
        const full = writer.add(all.piece);
        if (full !== undefined) await full;
      } else
        for (const record of batch) {
          if ((lost || stdout.gone) && !persists) break;
          if (lost || stdout.gone) continue;
          const piece = make(record);
          if (piece === undefined) continue;
          printed++;
          try {
            const full = writer.add(piece);
            if (full !== undefined) await full;
          } catch (error) {
            if (!persists) throw error;
            lost = error;
          }
        }
      if (stdout.gone && !persists) break;
    }
  } catch (error) {
    if (error instanceof Unwritable) throw error;
    await writer.end();
    throw printed ? cutShort(error, printed) : error;
  }
  if (lost) throw lost;
  await writer.end();
}

/** Everything, for the forms that print a whole answer or nothing. What is an array already is not copied. */
export async function collect<R, T>(records: Source<R>, make: (record: R) => T): Promise<Iterable<T>> {
  if (Array.isArray(records))
    return {
      *[Symbol.iterator]() {
        for (const record of records) yield make(record);
      },
    };
  const all: T[] = [];
  for await (const batch of batchesOf(records)) for (const record of batch) all.push(make(record));
  return all;
}

/**
 * The first records, and the source as it was before they were read: where it fails among them, it fails again after
 * them. An array is looked at whole.
 */
export async function peek<R>(
  records: Source<R>,
  count: number,
  skim: boolean,
): Promise<{ seen: R[]; records: Source<R> }> {
  if (Array.isArray(records)) return { seen: records, records };
  const iterator = iteratorOf(batchesOf(records, skim));
  const seen: R[] = [];
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      const rest = next.value[Symbol.iterator]();
      for (let one = rest.next(); !one.done; one = rest.next()) {
        seen.push(one.value);
        if (seen.length === count) return { seen, records: followed(seen, rest, iterator) };
      }
    }
  } catch (error) {
    if (!seen.length) throw error;
    const fails = async () => Promise.reject(error);
    return { seen, records: followed(seen, [][Symbol.iterator](), { next: fails }) };
  }
  return { seen, records: seen };
}

type Iterates<B> = Iterator<B> | AsyncIterator<B>;

const iteratorOf = <R>(batches: Batches<R>): Iterates<Iterable<R>> =>
  Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]();

/** What was seen, what is left of the batch, and the further batches. */
function followed<R>(seen: R[], rest: Iterator<R>, iterator: Iterates<Iterable<R>>): Batched<R> {
  async function* batches(): AsyncGenerator<Iterable<R>> {
    try {
      yield seen;
      yield { [Symbol.iterator]: () => rest };
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      rest.return?.();
      await iterator.return?.();
    }
  }
  return {
    batches,
    async *[Symbol.asyncIterator]() {
      for await (const batch of batches()) yield* batch;
    },
  };
}
