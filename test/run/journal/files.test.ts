import { expect, test } from "vitest";
import { chooseJournal } from "../../../src/run/journal/files.ts";
import type { World } from "../../../src/world/world.ts";

test("--resume last finds the run that began last", async () => {
  const names: string[] = [];
  let now = Date.UTC(2026, 0, 2, 3, 4, 5);
  const world = {
    files: { list: async () => names.toSorted(), identity: async () => undefined },
    directories: { state: "/state" },
    clock: { now: () => now, random: () => 1 - names.length / 10 - 0.1 },
  } as unknown as World;
  for (const later of [0, 1, 7, 990, 86_400_000]) {
    now += later;
    const { run, path } = await chooseJournal(world, {});
    expect(path).toBe(`/state/batch/${run}.jsonl`);
    names.push(`${run}.jsonl`);
    expect((await chooseJournal(world, { resume: "last" })).run).toBe(run);
  }
});

test.each([{ journal: "/dev/null" }, { resume: "/dev/null" }, { journal: "/dev/null", resume: "last" }])(
  "rejects %j: no journal can be kept there",
  async (flags) => {
    const world = {
      files: { list: async () => [], identity: async () => ({ id: "1:2", plain: false }) },
      directories: { state: "/state" },
      clock: { now: () => 0, random: () => 0.5 },
    } as unknown as World;
    await expect(chooseJournal(world, flags)).rejects.toThrow(
      "/dev/null is not a regular file: no journal can be kept there",
    );
  },
);
