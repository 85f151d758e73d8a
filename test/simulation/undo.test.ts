/** Undo gives back the organization before a run, and nothing that somebody else did is touched. */
import { expect, test } from "vitest";
import { brokenRules } from "./undo.ts";

const seeds = Number(process.env.UNDO_SEEDS ?? 50);

test("keeps its rules in fifty stories of runs", { timeout: 1_200_000 }, async () => {
  const broken: string[] = [];
  for (let seed = 1; seed <= seeds; seed++) broken.push(...(await brokenRules(seed)));
  expect(broken).toEqual([]);
});
