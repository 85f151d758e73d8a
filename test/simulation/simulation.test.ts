import { expect, test } from "vitest";
import { simulate } from "./law.ts";
import { playStory } from "./life.ts";
import { report } from "./report.ts";

const pieces = 6;
const seeds = 500;

// In pieces, so that a runner that is slow shows where it is.
test.each(Array.from({ length: pieces }, (_, piece) => 1 + piece * seeds))(
  "keeps all rules in five hundred stories from seed %i",
  { timeout: 120_000 },
  async (from) => {
    const failed = [];
    for (let seed = from; seed < from + seeds; seed++) failed.push(await simulate(seed));
    expect(failed.filter((each) => each !== undefined)).toEqual([]);
  },
);

test("plays the same story for the same seed, whatever ran before", async () => {
  const reported = async (seed: number) => report(await playStory(seed));
  const first = [];
  for (let seed = 1; seed <= 40; seed++) first.push(await reported(seed));
  for (let seed = 40; seed >= 1; seed--) expect(await reported(seed)).toBe(first[seed - 1]);
});
