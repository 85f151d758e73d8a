import { expect, test } from "vitest";
import { journalPlace } from "../../src/batch/journal-place.ts";
import type { World } from "../../src/world.ts";

test("of runs begun within one second the last begun is the last, whatever chance says", async () => {
  const taken: string[] = [];
  const chances = [0.9, 0.1, 0.999999, 0, 0.5, 0];
  const world = {
    files: { list: async () => [...taken].sort() },
    places: { state: "/state" },
    clock: { now: () => Date.UTC(2026, 0, 2, 3, 4, 5), random: () => chances.shift()! },
  } as unknown as World;
  for (let n = 0; n < 6; n++) {
    const { run, path } = await journalPlace(world, {});
    expect(path).toBe(`/state/batch/${run}.jsonl`);
    taken.push(`${run}.jsonl`);
    expect((await journalPlace(world, { resume: "last" })).run).toBe(run);
  }
  expect(new Set(taken).size).toBe(6);
});
