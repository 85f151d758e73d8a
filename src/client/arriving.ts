/** An answer's one big list, judged while it arrives. */
import { hazardous } from "../output/sanitize.ts";
import { fits } from "../wire/fits.ts";
import { mostKept, survey, TooMuch } from "../wire/json.ts";
import type { Batch, Skimmed } from "../wire/large-list/skimmed.ts";
import { Skimmer } from "../wire/large-list/skimmer.ts";
import { type Elements, Splitter } from "../wire/large-list/splitter.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { itemOf } from "../wire/shape.ts";
import { departure } from "../wire/types.ts";
import { type HttpResponse, NoAnswer } from "../world.ts";
import { unread } from "./records.ts";
import { tooMuch, type Verdict } from "./verdict.ts";

/** The first records are there. The generator gives batches of them and returns what the answer turned out to be. */
export interface Arriving {
  kind: "arriving";
  batches: AsyncGenerator<Batch<unknown>, Verdict>;
}

/** Which list of the answer, and whether all of it must be there before its first record is. */
export interface Wanted {
  member: string;
  whole: boolean;
  /** Records may come that were skimmed. */
  skim?: boolean;
}

/** Judges a body that is read to its end, the first time of bytes, the second of text. */
export interface Hear {
  /** Ends the reading. */
  stop: AbortSignal;
  /** Bytes that may wait to be understood. */
  limit: number;
  bytes(body: AsyncIterable<Uint8Array>): Promise<Verdict>;
  text(text: string): Verdict;
}

/** Lets go of each piece once it is read, so that a whole answer and what is made of it never lie side by side. */
async function* released(
  body: AsyncIterable<Uint8Array>,
  { limit, stop }: Pick<Hear, "limit" | "stop">,
): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) throw new NoAnswer(`its answer is larger than ${limit / 1024 / 1024} MiB`, "protocol", true);
  }
  yield* piecemeal(chunks, stop);
}

/** Bytes after which timers and signals get a turn. */
const turn = 1024 * 1024;

/** What is here already, one piece after the other, each let go of when it is wanted. Throws `NoAnswer` when stopped. */
export async function* piecemeal(chunks: Uint8Array[], stop: AbortSignal): AsyncGenerator<Uint8Array> {
  let size = 0;
  chunks.reverse();
  for (let chunk = chunks.pop(); chunk; chunk = chunks.pop()) {
    yield chunk;
    size += chunk.length;
    if (size < turn) continue;
    size = 0;
    await new Promise(setImmediate);
    if (stop.aborted) throw new NoAnswer("the request was stopped", "stopped", true);
  }
}

async function* joined(seen: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* seen;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/**
 * Reads on until the first records of the list, or to the end of an answer that has none: then the verdict is that of
 * the whole. Throws `NoAnswer` where the answer breaks off before.
 */
export async function arriving(
  operation: AnyOperation,
  { member, whole, skim = false }: Wanted,
  response: HttpResponse,
  hear: Hear,
): Promise<Verdict | Arriving> {
  if (response.status >= 300) return hear.bytes(response.body);
  const body = (whole ? released(response.body, hear) : response.body)[Symbol.asyncIterator]();
  const skimmer = skim ? new Skimmer(itemOf(operation.result, member), harmless) : undefined;
  const splitter = new Splitter(member, skimmer);
  const seen: Uint8Array[] = [];
  try {
    for (let next = await body.next(); !next.done; next = await body.next()) {
      seen.push(next.value);
      if (splitter.waiting > hear.limit) break;
      const pieces = splitter.push(next.value);
      const first = firstOf(pieces);
      if (!first) continue;
      if ((splitter.head?.result ?? "success") !== "success") break;
      const { status } = response;
      const begun = { splitter, body, first, pieces, status, whole, hear };
      return { kind: "arriving", batches: batches(operation, member, begun) };
    }
  } catch (error) {
    if (error instanceof TooMuch) return { kind: "foreign", status: response.status, what: tooMuch };
    if (!(error instanceof SyntaxError)) throw error;
  }
  // Refused, broken, or without records: such an answer is small, and its words tell more when they are read whole.
  return hear.bytes(joined(seen, body));
}

type Piece = Elements | Skimmed;
type Pieces = Generator<Piece, void>;

/** The first piece in which there is something. */
function firstOf(pieces: Pieces): Piece | undefined {
  for (let next = pieces.next(); !next.done; next = pieces.next())
    if ("forms" in next.value || next.value.values.length > 0) return next.value;
  return undefined;
}

function* following(first: Piece, rest: Pieces): Pieces {
  yield first;
  yield* rest;
}

const harmless = (text: string): boolean => !hazardous(text);

interface Begun {
  splitter: Splitter;
  body: AsyncIterator<Uint8Array>;
  first: Piece;
  /** What came with it. */
  pieces: Pieces;
  status: number;
  whole: boolean;
  hear: Hear;
}

async function* batches(
  operation: AnyOperation,
  member: string,
  { splitter, body, first, pieces: rest, status, whole, hear }: Begun,
): AsyncGenerator<Batch<unknown>, Verdict> {
  const foreign = (what: string): Verdict => ({ kind: "foreign", status, what });
  const item = itemOf(operation.result, member);
  const fitting = fits(item);
  let count = 0;
  let kept = 0;
  try {
    for (let pieces = following(first, rest); ; ) {
      for (const piece of pieces) {
        if ("forms" in piece) {
          count += piece.forms.length;
          yield unread(piece);
          continue;
        }
        const { values, texts } = piece;
        const found = survey(values);
        if (found.deep) return foreign("JSON that is nested too deeply");
        kept += whole ? found.count : 0;
        if (kept > mostKept) return foreign(tooMuch);
        const stray = values.findIndex((record) => !fitting(record));
        const given = found.inexact ? await exactly(texts) : values;
        if (stray > 0) yield given.slice(0, stray);
        if (stray >= 0)
          return foreign(`an answer of another shape (${departure(item, values[stray], [member, count + stray])})`);
        count += values.length;
        if (values.length) yield given;
      }
      const next = await body.next();
      if (next.done) return hear.text(splitter.end());
      if (splitter.waiting > hear.limit) return foreign(tooMuch);
      pieces = splitter.push(next.value);
    }
  } catch (error) {
    if (error instanceof TooMuch) return foreign(tooMuch);
    if (error instanceof SyntaxError) return foreign("JSON that is broken or cut short");
    if (error instanceof NoAnswer) return { kind: "none", failure: error };
    throw error;
  } finally {
    await body.return?.();
  }
}

/** The same elements, with numbers as they came. */
async function exactly(texts: readonly string[]): Promise<unknown[]> {
  const { readExactly } = await import("../wire/exact.ts");
  return texts.flatMap((text) => readExactly(text) as unknown[]);
}

/** The same batches; their records are put together, until there are more than `most`. */
export async function* gathering<R>(
  batches: AsyncGenerator<Batch<R>, Verdict>,
  all: R[],
  most: number,
): AsyncGenerator<Batch<R>, Verdict> {
  try {
    for (;;) {
      const { done, value } = await batches.next();
      if (done) return value;
      if (all.length <= most) for (const record of value) all.push(record);
      yield value;
    }
  } finally {
    await batches.return(undefined as never);
  }
}
