/** What the author of a new kind leaves out is asked for by the compiler. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newFiles, newLines, withSticker } from "./additions.ts";

const places = [...newFiles, ...Object.keys(newLines)];

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "zulipctl-left-out-"));
  await cp("src", join(directory, "src"), { recursive: true });
  await symlink(join(process.cwd(), "node_modules"), join(directory, "node_modules"));
  const options = await readFile("tsconfig.json", "utf8");
  await writeFile(
    join(directory, "tsconfig.json"),
    options
      .replace(/"include": .*/, '"include": ["src"],')
      .replace(/"exclude": .*/, '"exclude": ["src/permissions/report"]'),
  );
});

afterAll(() => rm(directory, { recursive: true }));

/** Compiles the program with stickers, without one of the places. Returns the errors. */
async function errorsWithout(leftOut?: string): Promise<string> {
  for (const path of places) {
    const place = join(directory, path);
    const isNew = newFiles.includes(path);
    if (path !== leftOut) {
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, withSticker(path) ?? "");
    } else if (isNew) await rm(place, { force: true });
    else await cp(path, place);
  }
  const tsc = join(process.cwd(), "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "--incremental", "--pretty", "false"], { cwd: directory }, (_, stdout) =>
      resolve(stdout),
    );
  });
}

test("three new files and lines in five others are all that a kind takes", async () => {
  expect(places).toHaveLength(8);
  expect(await errorsWithout()).toBe("");
});

test.each([
  ["src/model/kinds/sticker.ts", "src/model/kinds/index.ts", "Cannot find module './sticker.ts'"],
  [
    "src/model/kinds/index.ts",
    "src/api/stickers.ts",
    "'\"sticker holders\"' is not assignable to parameter of type 'ListName'",
  ],
  ["src/api/stickers.ts", "src/api/all.ts", "Cannot find module './stickers.ts'"],
  ["src/api/all.ts", "src/api/registry.ts", "The types of 'sticker.read.operation' are incompatible"],
  ["src/commands/sticker.ts", "src/commands/nouns.ts", "Cannot find module './sticker.ts'"],
  ["src/commands/nouns.ts", "src/commands/nouns.ts", "Property 'sticker' is missing"],
  ["src/organization/section-registry.ts", "src/organization/section-registry.ts", "Property 'stickers' is missing"],
  [
    "src/sandbox/handlers/collections.ts",
    "src/sandbox/routes.ts",
    'is not assignable to type \'"sticker.add" | "sticker.hold" | "sticker.list" | "sticker.rm"\'',
  ],
])("the compiler asks for %s", async (leftOut, file, message) => {
  const errors = (await errorsWithout(leftOut)).split(/\n(?=\S)/);
  expect(errors.filter((error) => error.startsWith(file)).join("\n")).toContain(message);
});
