/**
 * How a list of a hundred thousand records is read fast. The bench measures it.
 *
 * 1. `splitter.ts` receives the bytes of an answer in chunks and finds the large list. The text around the list is kept.
 *    The list is never in memory as a whole.
 * 2. It parses all complete elements of a chunk together: it cuts at the last `},{`, and `JSON.parse` fails if that was
 *    not the end of an element. Then it goes through the bytes one by one.
 * 3. Without a conversion, such as for `-o ndjson`, most of the time is parsing. `record-scanner.ts` learns the form of parsed
 *    records: the names of their members in order (`record-form.ts`). It compares the names of further records as numbers of
 *    eight bytes, checks the type of each value by its first byte, and notes where each value is.
 * 4. `src/client/streaming-answer.ts` checks the types of parsed records and turns errors into a verdict. `Records` of
 *    `src/client/records.ts` passes on batches. An unparsed batch is parsed only if somebody iterates over it.
 * 5. `src/output/unparsed-lines.ts` copies output from the bytes of an unparsed batch.
 *
 * The scanner leaves everything unusual to the parser: white space, unusual escapes and numbers, invalid or hazardous
 * characters. It stops for the rest of the list after too many such records. Tests compare the output of both ways.
 */
import type { RecordForm } from "./record-form.ts";

/** Records that were not parsed. `JSON.stringify` would write the same bytes. Valid until the next batch is requested. */
export interface UnparsedRecords {
  /** `{…},{…}` */
  readonly bytes: Buffer;
  /** The form of each record. */
  readonly forms: readonly RecordForm[];
  /** The begin and end of each value in `bytes`, record after record. */
  readonly places: readonly number[];
}

/** Records that arrived together. Unparsed records are parsed on iteration. */
export type Batch<R> = Iterable<R> & { unparsed?: UnparsedRecords };
