import { Failure, Unreachable } from "../errors.ts";
import type { Batch, UnparsedRecords } from "../wire/large-list/unparsed-records.ts";
import { NoAnswer, type Output } from "../world/world.ts";
import { BufferedWriter, type OutputPiece, Unwritable } from "./buffered-writer.ts";

/** Records in batches: awaiting each record would take most of the time. */
interface Batched<R> {
  batches(acceptsUnparsed?: boolean): AsyncIterable<Batch<R>>;
}

export type RecordSource<R> = Iterable<R> | AsyncIterable<R> | Batched<R>;

/** `acceptsUnparsed`: the records need not be parsed. */
export async function* batchesOf<R>(records: RecordSource<R>, acceptsUnparsed = false): AsyncGenerator<Batch<R>> {
  if ("batches" in records) yield* records.batches(acceptsUnparsed);
  else if (!(Symbol.asyncIterator in records)) yield records;
  else for await (const record of records) yield [record];
}

/** Adds to a failure how many records were printed before it. */
function withPrintedCount(error: unknown, printed: number): unknown {
  const count = printed === 1 ? "1 record was printed before that" : `${printed} records were printed before that`;
  const also = (message: string) => (message.endsWith(".") ? `${message} ${count}.` : `${message}; ${count}`);
  if (error instanceof NoAnswer) return new Unreachable(also(error.message), { more: { printed }, cause: error });
  if (error instanceof Failure) {
    error.message = also(error.message);
    error.details.more = { ...error.details.more, printed };
  }
  return error;
}

/** Several records as one piece. */
export interface Lines {
  piece: OutputPiece;
  count: number;
}

interface WriteOptions {
  head?: string;
  /** The source is read to its end even if writing fails. */
  readsToEnd?: boolean | undefined;
  /** Renders a batch that was not parsed. */
  renderBatch?: ((unparsed: UnparsedRecords) => Lines | undefined) | undefined;
}

/** Prints records as they arrive, at the pace of the reader, until the reader has gone. `undefined` skips a record. */
export async function writeRecords<R>(
  records: RecordSource<R>,
  render: (record: R) => OutputPiece | undefined,
  stdout: Output,
  { head, readsToEnd = false, renderBatch }: WriteOptions = {},
): Promise<void> {
  const writer = new BufferedWriter(stdout);
  let printed = 0;
  let writeError: Unwritable | undefined;
  const full = async (writing: Promise<void>) => {
    try {
      await writing;
    } catch (error) {
      if (!(readsToEnd && error instanceof Unwritable)) throw error;
      writeError = error;
    }
  };
  // A promise for each record would be slow.
  const add = (piece: OutputPiece, count: number): Promise<void> | undefined => {
    printed += count;
    const writing = writer.add(piece);
    return writing === undefined ? undefined : full(writing);
  };
  try {
    if (head !== undefined) await add(head, 0);
    for await (const batch of batchesOf(records, renderBatch !== undefined)) {
      const lines = batch.unparsed && !readsToEnd && !stdout.isClosed ? renderBatch?.(batch.unparsed) : undefined;
      if (lines) await add(lines.piece, lines.count);
      else
        for (const record of batch) {
          if (writeError || stdout.isClosed) {
            if (readsToEnd) continue;
            break;
          }
          const piece = render(record);
          const behind = piece === undefined ? undefined : add(piece, 1);
          if (behind !== undefined) await behind;
        }
      if (stdout.isClosed && !readsToEnd) break;
    }
  } catch (error) {
    if (error instanceof Unwritable) throw error;
    await writer.end();
    throw printed ? withPrintedCount(error, printed) : error;
  }
  if (writeError) throw writeError;
  await writer.end();
}

/** Reads all records, for forms that print a whole answer or nothing. Records in memory are not copied. */
export async function collect<R, T>(records: RecordSource<R>, make: (record: R) => T): Promise<Iterable<T>> {
  if (!("batches" in records) && !(Symbol.asyncIterator in records))
    return (function* () {
      for (const record of records) yield make(record);
    })();
  const all: T[] = [];
  for await (const batch of batchesOf(records)) for (const record of batch) all.push(make(record));
  return all;
}

/**
 * Reads the first records, at least `count` if there are as many. The returned source begins with them again, and then
 * fails if reading them failed. An array is returned whole.
 */
export async function peek<R>(
  records: RecordSource<R>,
  count: number,
  acceptsUnparsed: boolean,
): Promise<{ seen: R[]; records: RecordSource<R> }> {
  if (Array.isArray(records)) return { seen: records, records };
  const rest = batchesOf(records, acceptsUnparsed);
  const seen: R[] = [];
  let failure: { error: unknown } | undefined;
  try {
    while (seen.length < count) {
      const next = await rest.next();
      if (next.done) break;
      for (const record of next.value) seen.push(record);
    }
  } catch (error) {
    if (!seen.length) throw error;
    failure = { error };
  }
  async function* batches(): AsyncGenerator<Batch<R>> {
    try {
      yield seen;
      if (failure) throw failure.error;
      yield* rest;
    } finally {
      await rest.return(undefined);
    }
  }
  return { seen, records: { batches } };
}
