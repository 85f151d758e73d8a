/** Undo gives back the organization before a run, and nothing that somebody else did is touched. */
import { expect, test } from "vitest";
import { brokenRule } from "./undo/law.ts";
import { playStory } from "./undo/play.ts";

const seeds = Number(process.env.UNDO_SEEDS ?? 50);
const first = Number(process.env.UNDO_FROM ?? 1);

test("keeps its rules in fifty stories of runs", { timeout: 1_200_000 }, async () => {
  const broken: string[] = [];
  for (let seed = first; seed < first + seeds; seed++) {
    const found = brokenRule(await playStory(seed));
    if (found) broken.push(`seed ${seed}: ${found}`);
  }
  expect(broken).toEqual([]);
});
