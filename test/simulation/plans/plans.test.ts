import { expect, test } from "vitest";
import { simulatePlan } from "./law.ts";

const pieces = 3;
const seeds = 20;

test.each(Array.from({ length: pieces }, (_, piece) => 1 + piece * seeds))(
  "twenty stories of files that are applied in trouble, from seed %i, end as they must",
  { timeout: 120_000 },
  async (from) => {
    const failed = [];
    for (let seed = from; seed < from + seeds; seed++) failed.push(await simulatePlan(seed));
    expect(failed.filter((each) => each !== undefined)).toEqual([]);
  },
);
