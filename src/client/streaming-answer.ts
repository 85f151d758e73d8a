/** Reads one large list while the answer arrives: step 4 of `src/wire/large-list/unparsed-records.ts`. */
import { MiB } from "../common/unit-sizes.ts";
import { hasHazards } from "../output/sanitize.ts";
import { fits } from "../wire/fits.ts";
import { isTooDeep, TooLarge } from "../wire/json.ts";
import { RecordScanner } from "../wire/large-list/record-scanner.ts";
import { Splitter } from "../wire/large-list/splitter.ts";
import type { Batch, UnparsedRecords } from "../wire/large-list/unparsed-records.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { itemOf } from "../wire/shape.ts";
import { typeError } from "../wire/types.ts";
import { type HttpResponse, NoAnswer } from "../world/world.ts";
import { lazyBatch } from "./records.ts";
import type { AnswerReader } from "./response-reader.ts";
import { tooLarge, type Verdict } from "./verdict.ts";

/** The first records have arrived. */
export interface StreamingAnswer {
  kind: "streaming";
  batches: AsyncIterable<Batch<unknown>>;
  /** The verdict after the last batch. */
  verdict(): Verdict;
}

export interface StreamedList {
  /** The list in the answer. */
  member: string;
  /** All of it must arrive before the first record. */
  whole: boolean;
  /** Records may stay unparsed. */
  acceptsUnparsed: boolean;
}

/** Yields all chunks and releases each, so that the answer is never in memory twice. */
async function* afterLastChunk(body: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) throw new NoAnswer(`its answer is larger than ${limit / MiB} MiB`, "protocol", true);
  }
  chunks.reverse();
  for (let chunk = chunks.pop(); chunk; chunk = chunks.pop()) yield chunk;
}

/** Parsed elements, or unparsed records. */
type Piece = readonly unknown[] | UnparsedRecords;

/**
 * Reads until the first records of the list, or to the end of an answer without any: then the verdict is about all of
 * it. Throws `NoAnswer` if the answer breaks off before.
 */
export async function readStreaming(
  operation: AnyOperation,
  { member, whole, acceptsUnparsed }: StreamedList,
  { status, body }: Pick<HttpResponse, "status" | "body">,
  reader: AnswerReader,
): Promise<Verdict | StreamingAnswer> {
  if (status >= 300) return reader.bytes(body);
  const item = itemOf(operation.result, member);
  const splitter = new Splitter(
    member,
    acceptsUnparsed ? new RecordScanner(item, (text) => !hasHazards(text)) : undefined,
  );
  const chunks = (whole ? afterLastChunk(body, reader.limit) : body)[Symbol.asyncIterator]();
  const firstChunks: Uint8Array[] = [];
  let hasBegun = false;
  async function* split(): AsyncGenerator<Piece> {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      if (!hasBegun) firstChunks.push(next.value);
      if (splitter.waiting > reader.limit) throw new TooLarge("a record is too large");
      yield* splitter.push(next.value);
    }
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* firstChunks;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  const pieces = split();
  let first: IteratorResult<Piece>;
  try {
    first = await pieces.next();
    hasBegun = !first.done && (splitter.head?.result ?? "success") === "success";
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  // Errors are small and read completely.
  if (!hasBegun) return reader.bytes(all());

  const foreign = (what: string): Verdict => ({ kind: "foreign", status, what });
  const fitsItem = fits(item);
  let count = 0;
  let verdict: Verdict;
  async function* batches(): AsyncGenerator<Batch<unknown>> {
    try {
      for (let next = first; !next.done; next = await pieces.next()) {
        const piece = next.value;
        if ("forms" in piece) {
          count += piece.forms.length;
          yield lazyBatch(piece);
          continue;
        }
        if (piece.some((record) => isTooDeep(record))) {
          verdict = foreign("JSON that is nested too deeply");
          return;
        }
        const invalidIndex = piece.findIndex((record) => !fitsItem(record));
        if (invalidIndex > 0) yield piece.slice(0, invalidIndex);
        if (invalidIndex >= 0) {
          verdict = foreign(
            `an answer of another shape (${typeError(item, piece[invalidIndex], [member, count + invalidIndex])})`,
          );
          return;
        }
        yield piece;
        count += piece.length;
      }
      verdict = reader.text(splitter.end());
    } catch (error) {
      if (error instanceof TooLarge) verdict = foreign(tooLarge);
      else if (error instanceof SyntaxError) verdict = foreign("JSON that is broken or cut short");
      else if (error instanceof NoAnswer) verdict = { kind: "none", failure: error };
      else throw error;
    } finally {
      await chunks.return?.();
    }
  }
  return { kind: "streaming", batches: batches(), verdict: () => verdict };
}
