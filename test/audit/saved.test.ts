/** Exports that `audit fetch` keeps, whatever the clock says. */
import { expect, test } from "vitest";
import { keepExport, savedExports } from "../../src/commands/audit/source.ts";
import { testWorld } from "../world.ts";

const site = "https://chat.example";
const directory = "/state/exports/chat.example";
const name = (year: number, id: number) => `${year}-01-01T00-00-00Z-${id}.tar.gz`;

async function world(...names: string[]) {
  const made = testWorld({ files: new Map(names.map((each) => [`${directory}/${each}`, "x"])) });
  const list = async () => (await savedExports(made, site)).map((each) => each.name);
  const fetch = async (each: string) => {
    made.files.content.set(`${directory}/${each}`, "x");
    await keepExport(made, site, `${directory}/${each}`);
  };
  return { names: list, fetch, files: made.files.content };
}

test("the export fetched last is read and kept, also after the clock was ahead", async () => {
  const { names, fetch } = await world(name(2098, 1), name(2099, 2));
  expect(await names()).toEqual([name(2099, 2), name(2098, 1)]);
  await fetch(name(2026, 3));
  expect(await names()).toEqual([name(2026, 3), name(2099, 2)]);
  await fetch(name(2025, 1));
  expect(await names()).toEqual([name(2025, 1), name(2099, 2)]);
});

test("without the export that was fetched last, the newest name counts", async () => {
  const { names, fetch, files } = await world(name(2024, 1), name(2025, 2));
  await fetch(name(2023, 3));
  files.delete(`${directory}/${name(2023, 3)}`);
  expect(await names()).toEqual([name(2025, 2)]);
});
