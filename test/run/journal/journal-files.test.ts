import { expect, test } from "vitest";
import { chooseJournal } from "../../../src/run/journal/journal-files.ts";
import type { World } from "../../../src/world/world.ts";

test("--resume last finds the run that began last", async () => {
  const names: string[] = [];
  const world = {
    files: { list: async () => names.toSorted(), identity: async () => undefined, kind: async () => undefined },
    directories: { state: "/state" },
  } as unknown as World;
  for (const name of ["20260102-9", "20260102-10", "20260103-1", "20260103-2"]) {
    const context = { world, run: { name: async () => name, know: async () => undefined } };
    const { run, path } = await chooseJournal(context, {});
    expect(path).toBe(`/state/batch/${run}.jsonl`);
    names.push(`${run}.jsonl`);
    expect((await chooseJournal(context, { resume: "last" })).run).toBe(run);
  }
});

test.each([{ journal: "/dev/null" }, { resume: "/dev/null" }, { journal: "/dev/null", resume: "last" }])(
  "rejects %j: no journal can be kept there",
  async (flags) => {
    const world = {
      files: { list: async () => [], identity: async () => ({ id: "1:2", plain: false }) },
      directories: { state: "/state" },
    } as unknown as World;
    await expect(
      chooseJournal({ world, run: { name: async () => "20260102-1", know: async () => undefined } }, flags),
    ).rejects.toThrow("/dev/null is not a regular file: no journal can be kept there");
  },
);
