/** fast-check with the same values in each run. `FAST_CHECK_SEED=random` or a number gives other values. */
import { crc32 } from "node:zlib";
import fc from "fast-check";

const seed = process.env.FAST_CHECK_SEED ?? "1";
if (seed !== "random" && !/^-?\d+$/.test(seed))
  throw new Error(`FAST_CHECK_SEED is "${seed}": a whole number, or random`);
const base = seed === "random" ? undefined : Number(seed) | 0;
if (base !== undefined) fc.configureGlobal({ seed: base });

/** Returns a seed for one of several tests of the same property, so that they get different values. */
export const seedFor = (name: string): { seed?: number } => (base === undefined ? {} : { seed: base ^ crc32(name) });

const [firstHalf, halves] = [0xd800, 0x800];
const characterAt = (n: number): string => String.fromCodePoint(n < firstHalf ? n : n + halves);

function indexOf(value: unknown): number {
  const [character, ...others] = typeof value === "string" ? value : "";
  const code = character?.codePointAt(0);
  if (code === undefined || others.length) throw new Error("not a character");
  return code < firstHalf ? code : code - halves;
}

/** Any character, for `unit` of `fc.string`: the same as "binary", which makes a map of a million characters. */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - halves }).map(characterAt, indexOf);

export default fc;
