/**
 * fast-check, with the same values at each run of the same code, so that a commit which has passed goes on passing.
 * `FAST_CHECK_SEED=random` looks further, and `FAST_CHECK_SEED=<number>` elsewhere.
 */
import { crc32 } from "node:zlib";
import fc from "fast-check";

const asked = process.env.FAST_CHECK_SEED ?? "1";
if (asked !== "random" && !/^-?\d+$/.test(asked))
  throw new Error(`FAST_CHECK_SEED is "${asked}": a whole number, or random`);
const base = asked === "random" ? undefined : Number(asked) | 0;
if (base !== undefined) fc.configureGlobal({ seed: base });

/** The seed of one among many tests that state the same property, lest they all meet the same values. */
export const seedFor = (name: string): { seed?: number } => (base === undefined ? {} : { seed: base ^ crc32(name) });

export default fc;
