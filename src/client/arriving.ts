/** An answer's one big list, judged while it arrives. */
import { deeperThan, deepest } from "../wire/depth.ts";
import { fits } from "../wire/fits.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { Splitter } from "../wire/splitter.ts";
import { departure, itemOf } from "../wire/types.ts";
import { type HttpResponse, NoAnswer } from "../world.ts";
import type { Verdict } from "./verdict.ts";

/** The first records are there. The generator gives batches of them and returns what the answer turned out to be. */
export interface Arriving {
  kind: "arriving";
  batches: AsyncGenerator<unknown[], Verdict>;
}

/** Which list of the answer, and whether all of it must be there before its first record is. */
export interface Wanted {
  member: string;
  whole: boolean;
}

/** Judges a body that is read to its end, the first time of bytes, the second of text. */
interface Hear {
  /** Bytes that may wait to be understood. */
  limit: number;
  bytes(body: AsyncIterable<Uint8Array>): Promise<Verdict>;
  text(text: string): Verdict;
}

/** Lets go of each piece once it is read, so that a whole answer and what is made of it never lie side by side. */
async function* released(body: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
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

/**
 * Reads on until the first records of the list, or to the end of an answer that has none: then the verdict is that of
 * the whole. Throws `NoAnswer` where the answer breaks off before.
 */
export async function arriving(
  operation: AnyOperation,
  { member, whole }: Wanted,
  response: HttpResponse,
  hear: Hear,
): Promise<Verdict | Arriving> {
  if (response.status >= 300) return hear.bytes(response.body);
  const body = (whole ? released(response.body, hear.limit) : response.body)[Symbol.asyncIterator]();
  const splitter = new Splitter(member);
  const seen: Uint8Array[] = [];
  try {
    for (let next = await body.next(); !next.done; next = await body.next()) {
      seen.push(next.value);
      if (splitter.waiting > hear.limit) break;
      const first = splitter.push(next.value);
      if (!first.length) continue;
      if ((splitter.head?.result ?? "success") !== "success") break;
      const { status } = response;
      return { kind: "arriving", batches: batches(operation, member, { splitter, body, first, status, hear }) };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  // Refused, broken, or without records: such an answer is small, and its words tell more when they are read whole.
  return hear.bytes(joined(seen, body));
}

interface Begun {
  splitter: Splitter;
  body: AsyncIterator<Uint8Array>;
  first: unknown[];
  status: number;
  hear: Hear;
}

async function* batches(
  operation: AnyOperation,
  member: string,
  { splitter, body, first, status, hear }: Begun,
): AsyncGenerator<unknown[], Verdict> {
  const foreign = (what: string): Verdict => ({ kind: "foreign", status, what });
  const item = itemOf(operation.result, member);
  const fitting = fits(item);
  const tooDeep = (record: unknown) => deeperThan(deepest, record);
  let count = 0;
  try {
    for (let batch = first; ; ) {
      if (batch.some(tooDeep)) return foreign("JSON that is nested too deeply");
      const stray = batch.findIndex((record) => !fitting(record));
      if (stray > 0) yield batch.slice(0, stray);
      if (stray >= 0)
        return foreign(`an answer of another shape (${departure(item, batch[stray], [member, count + stray])})`);
      count += batch.length;
      if (batch.length) yield batch;
      const next = await body.next();
      if (next.done) return hear.text(splitter.end());
      if (splitter.waiting > hear.limit) return foreign("more than it could have to say");
      batch = splitter.push(next.value);
    }
  } catch (error) {
    if (error instanceof SyntaxError) return foreign("JSON that is broken or cut short");
    if (error instanceof NoAnswer) return { kind: "none", failure: error };
    throw error;
  } finally {
    await body.return?.();
  }
}
