/** Undo keeps its rules in the themes that no seed chooses. */
import { expect, test } from "vitest";
import { brokenRule } from "./law.ts";
import { playStory } from "./play.ts";
import { scenes } from "./themes.ts";

const seeds = 25;

test.each(scenes)("keeps its rules in stories of the theme %s", { timeout: 300_000 }, async (scene) => {
  const broken: string[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const found = brokenRule(await playStory(seed, scene));
    if (found) broken.push(`seed ${seed}: ${found}`);
  }
  expect(broken).toEqual([]);
});
