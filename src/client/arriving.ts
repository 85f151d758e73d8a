/** Reads one large list while the answer arrives. */
import { hazardous } from "../output/sanitize.ts";
import { fits } from "../wire/fits.ts";
import { isTooDeep, TooMuch } from "../wire/json.ts";
import type { Batch, Skimmed } from "../wire/large-list/skimmed.ts";
import { Skimmer } from "../wire/large-list/skimmer.ts";
import { Splitter } from "../wire/large-list/splitter.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { itemOf } from "../wire/shape.ts";
import { departure } from "../wire/types.ts";
import { type HttpResponse, NoAnswer } from "../world.ts";
import { unread } from "./records.ts";
import type { AnswerReader } from "./response-reader.ts";
import { tooLarge, type Verdict } from "./verdict.ts";

/** The first records have arrived. The generator yields batches and returns the final verdict. */
export interface Arriving {
  kind: "arriving";
  batches: AsyncGenerator<Batch<unknown>, Verdict>;
}

/** Which list of the answer, and whether all of it must arrive before the first record. */
export interface Wanted {
  member: string;
  whole: boolean;
  /** Records may be skimmed. */
  skim?: boolean;
}

/** Yields all pieces and releases each, so that the answer is never in memory twice. */
async function* whole(body: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) throw new NoAnswer(`its answer is larger than ${limit / 1024 / 1024} MiB`, "protocol", true);
  }
  chunks.reverse();
  for (let chunk = chunks.pop(); chunk; chunk = chunks.pop()) yield chunk;
}

async function* joined(seen: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* seen;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** Parsed elements, or skimmed records. */
type Piece = readonly unknown[] | Skimmed;

const isEmpty = (piece: Piece): boolean => !("forms" in piece) && piece.length === 0;
const harmless = (text: string): boolean => !hazardous(text);

/**
 * Reads until the first records of the list, or to the end of an answer without any: then the verdict is about the
 * whole. Throws `NoAnswer` if the answer breaks off before.
 */
export async function arriving(
  operation: AnyOperation,
  wanted: Wanted,
  response: HttpResponse,
  reader: AnswerReader,
): Promise<Verdict | Arriving> {
  const { status } = response;
  if (status >= 300) return reader.bytes(response.body);
  const { member } = wanted;
  const body = (wanted.whole ? whole(response.body, reader.limit) : response.body)[Symbol.asyncIterator]();
  const skimmer = wanted.skim ? new Skimmer(itemOf(operation.result, member), harmless) : undefined;
  const splitter = new Splitter(member, skimmer);
  const seen: Uint8Array[] = [];
  try {
    for (let next = await body.next(); !next.done; next = await body.next()) {
      seen.push(next.value);
      if (splitter.waiting > reader.limit) break;
      const pieces = splitter.push(next.value);
      let first = pieces.next();
      while (!first.done && isEmpty(first.value)) first = pieces.next();
      if (first.done) continue;
      if ((splitter.head?.result ?? "success") !== "success") break;
      const begun = { splitter, body, first: first.value, pieces };
      return { kind: "arriving", batches: batches(operation, member, { ...begun, status, reader }) };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  // Errors are small and read completely.
  return reader.bytes(joined(seen, body));
}

interface Begun {
  splitter: Splitter;
  body: AsyncIterator<Uint8Array>;
  first: Piece;
  /** The status and headers. */
  pieces: Iterable<Piece>;
  status: number;
  reader: AnswerReader;
}

async function* batches(
  operation: AnyOperation,
  member: string,
  { splitter, body, first, pieces: rest, status, reader }: Begun,
): AsyncGenerator<Batch<unknown>, Verdict> {
  const foreign = (what: string): Verdict => ({ kind: "foreign", status, what });
  const item = itemOf(operation.result, member);
  const fitting = fits(item);
  let count = 0;
  function* following(): Generator<Piece> {
    yield first;
    yield* rest;
  }
  try {
    for (let pieces: Iterable<Piece> = following(); ; ) {
      for (const piece of pieces) {
        if ("forms" in piece) {
          count += piece.forms.length;
          yield unread(piece);
          continue;
        }
        if (piece.some((record) => isTooDeep(record))) return foreign("JSON that is nested too deeply");
        const stray = piece.findIndex((record) => !fitting(record));
        const good = stray < 0 ? piece : piece.slice(0, stray);
        if (good.length) yield good;
        if (stray >= 0)
          return foreign(`an answer of another shape (${departure(item, piece[stray], [member, count + stray])})`);
        count += piece.length;
      }
      const next = await body.next();
      if (next.done) return reader.text(splitter.end());
      if (splitter.waiting > reader.limit) return foreign(tooLarge);
      pieces = splitter.push(next.value);
    }
  } catch (error) {
    if (error instanceof TooMuch) return foreign(tooLarge);
    if (error instanceof SyntaxError) return foreign("JSON that is broken or cut short");
    if (error instanceof NoAnswer) return { kind: "none", failure: error };
    throw error;
  } finally {
    await body.return?.();
  }
}
