import { expect, test } from "vitest";
import { journalPlace } from "../../src/batch/journal-place.ts";
import type { World } from "../../src/world.ts";

test("of runs begun within one second the last begun is the last, whatever chance says", async () => {
  const taken: string[] = [];
  const chances = [0.9, 0.1, 0.999999, 0, 0.5, 0];
  const world = {
    files: { list: async () => [...taken].sort(), identity: async () => undefined },
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

test("the last run is the one begun last, also where the clock was set back by years", async () => {
  const taken: string[] = [];
  let now = Date.UTC(2026, 0, 2, 3, 4, 5);
  const world = {
    files: { list: async () => [...taken].sort(), identity: async () => undefined },
    places: { state: "/state" },
    clock: { now: () => now, random: () => 0.5 },
  } as unknown as World;
  for (const jump of [0, -3_600_000, 60_000, -30 * 365 * 86_400_000, 1, 86_400_000]) {
    now += jump;
    const { run } = await journalPlace(world, {});
    expect(run.startsWith(new Date(now).toISOString().slice(0, 10))).toBe(true);
    taken.push(`${run}.jsonl`);
    expect((await journalPlace(world, { resume: "last" })).run).toBe(run);
  }
});

test.each([{ journal: "/dev/null" }, { resume: "/dev/null" }, { journal: "/dev/null", resume: "last" }])(
  "%j is no place for a journal",
  async (flags) => {
    const world = {
      files: { list: async () => [], identity: async () => ({ id: "1:2", plain: false }) },
      places: { state: "/state" },
      clock: { now: () => 0, random: () => 0.5 },
    } as unknown as World;
    await expect(journalPlace(world, flags)).rejects.toThrow(
      "/dev/null is not a regular file: no journal can be kept there",
    );
  },
);
