/** Splits and skims a list like the client. */
import { hasHazards } from "../../src/output/sanitize.ts";
import type { Skimmed } from "../../src/wire/large-list/skimmed.ts";
import { Skimmer } from "../../src/wire/large-list/skimmer.ts";
import { Splitter } from "../../src/wire/large-list/splitter.ts";
import type { Type } from "../../src/wire/types.ts";

export const skimmer = (type: Type) => new Skimmer(type, (text) => !hasHazards(text));

/** A skimmed piece is valid until the next one is requested. */
export function* piecesOf(
  type: Type,
  chunks: readonly Uint8Array[],
  member = "members",
): Generator<readonly unknown[] | Skimmed> {
  const splitter = new Splitter(member, skimmer(type));
  for (const chunk of chunks) yield* splitter.push(chunk);
  splitter.end();
}

/** Returns the text of each record and its values. */
export function textsIn({ bytes, forms, places }: Skimmed): { record: string; values: Record<string, string> }[] {
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
