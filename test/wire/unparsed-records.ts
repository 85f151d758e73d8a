/** Splits and scans a list like the client. */
import { hasHazards } from "../../src/output/sanitize.ts";
import { RecordScanner } from "../../src/wire/large-list/record-scanner.ts";
import { Splitter } from "../../src/wire/large-list/splitter.ts";
import type { UnparsedRecords } from "../../src/wire/large-list/unparsed-records.ts";
import type { Type } from "../../src/wire/types.ts";

export const scanner = (type: Type) => new RecordScanner(type, (text) => !hasHazards(text));

/** An unparsed piece is valid until the next one is requested. */
export function* piecesOf(
  type: Type,
  chunks: readonly Uint8Array[],
  member = "members",
): Generator<readonly unknown[] | UnparsedRecords> {
  const splitter = new Splitter(member, scanner(type));
  for (const chunk of chunks) yield* splitter.push(chunk);
  splitter.end();
}

/** Returns the text of each record and its values. */
export function textsIn({
  bytes,
  forms,
  places,
}: UnparsedRecords): { record: string; values: Record<string, string> }[] {
  let [begin, place] = [0, 0];
  return forms.map(({ names }) => {
    const values = Object.fromEntries(
      names.map((name, at) => [name, bytes.toString("utf8", places[place + 2 * at], places[place + 2 * at + 1])]),
    );
    place += 2 * names.length;
    const end = places[place - 1]! + 1;
    const record = bytes.toString("utf8", begin, end);
    begin = end + 1;
    return { record, values };
  });
}

/** Cuts bytes into chunks. */
export function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((to, at) => bytes.subarray(places[at], to));
}
