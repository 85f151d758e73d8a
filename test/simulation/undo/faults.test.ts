/** The simulation finds each fault that is put into the rules of undo. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { withSimulation } from "../../../scripts/simulation-bundle.mjs";
import { faults } from "./faults.ts";
import { brokenRule } from "./law.ts";
import { playStory } from "./play.ts";

test("no story that finds a fault breaks a rule without it", { timeout: 300_000 }, async () => {
  for (const { seed, theme } of faults)
    expect([seed, theme, brokenRule(await playStory(seed, theme))]).toEqual([seed, theme, undefined]);
});

test.each(faults)("finds an undo that $rule", { timeout: 120_000 }, async ({ edits, seed, theme }) => {
  const words = ["--undo", "--seed", String(seed), ...(theme ? ["--theme", theme] : [])];
  const { stdout, stderr } = await withSimulation(edits, (outfile) =>
    spawnSync(process.execPath, [outfile, ...words], { encoding: "utf8" }),
  );
  // The last line of the story, and what it broke.
  expect(stdout, stderr).toMatch(/^others: .*\n(\d{8}-\d+: |a bug: |rows that were taken back)/m);
});
