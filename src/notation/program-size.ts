/** How large RE2 would find a regular expression: the server gives a program 8 MiB and refuses what needs more. */
import { RE2JS } from "re2js";

/** Two thirds of 8 MiB, in instructions of eight bytes. */
export const sizeLimit = Math.floor((8 * 1024 * 1024 * 2) / 3 / 8);

type Bytes = readonly (readonly [number, number])[];

const utf8 = (point: number): number[] => [...new TextEncoder().encode(String.fromCodePoint(point))];

/** Cuts a range of characters into ranges whose UTF-8 forms are one range of bytes at each place. */
function* byteRanges(low: number, high: number): Generator<Bytes> {
  for (const longest of [0x7f, 0x7ff, 0xffff])
    if (low <= longest && longest < high) {
      yield* byteRanges(low, longest);
      yield* byteRanges(longest + 1, high);
      return;
    }
  for (const tail of high < 0x80 ? [] : [0x3f, 0xfff, 0x3ffff])
    if ((low & ~tail) !== (high & ~tail)) {
      const cut = (low & tail) !== 0 ? (low | tail) + 1 : (high & tail) !== tail ? high & ~tail : undefined;
      if (cut === undefined) continue;
      yield* byteRanges(low, cut - 1);
      yield* byteRanges(cut, high);
      return;
    }
  const last = utf8(high);
  yield utf8(low).map((byte, n) => [byte, last[n]!]);
}

/** A class becomes a tree of bytes: one instruction a branch, one a place, and last bytes are shared. */
function classSize(ranges: readonly number[]): number {
  const places = new Set<string>();
  let branches = 0;
  for (let n = 0; n + 1 < ranges.length; n += 2) {
    // All that is not ASCII has a short form of its own.
    if (ranges[n]! <= 0x80 && ranges[n + 1] === 0x10ffff) {
      branches += ranges[n]! < 0x80 ? 4 : 3;
      for (const place of ["c2-df", "e0-ef", "f0-f4", "1", "2", "3", ...(ranges[n]! < 0x80 ? ["ascii"] : [])])
        places.add(place);
    } else
      for (const sequence of byteRanges(ranges[n]!, ranges[n + 1]!)) {
        branches += 1;
        for (let depth = 1; depth <= sequence.length; depth += 1) {
          const shared = depth > 1 && depth === sequence.length;
          places.add(String(shared ? `…${sequence[depth - 1]}` : sequence.slice(0, depth)));
        }
      }
  }
  return Math.max(1, branches - 1 + places.size);
}

/**
 * Roughly how many instructions RE2 needs (within some five per cent, measured against it): re2js repeats and
 * simplifies as RE2 does, but thinks in characters where RE2 thinks in bytes. 0 for what re2js cannot compile.
 */
export function programSize(source: string): number {
  let instructions: readonly { runes: readonly number[] | null }[];
  try {
    instructions = RE2JS.compile(source).re2().prog.inst;
  } catch {
    return 0;
  }
  const known = new Map<string, number>();
  let size = 0;
  for (const { runes } of instructions) {
    if (!runes || runes.length < 2) {
      size += runes?.length ? utf8(runes[0]!).length : 1;
      continue;
    }
    const key = String(runes);
    const found = known.get(key) ?? classSize(runes);
    known.set(key, found);
    size += found;
  }
  return size;
}
