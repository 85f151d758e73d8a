import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renameOver } from "../../src/node/renaming.ts";
import { directory } from "./directory.ts";

/** A file that somebody has open for so many tries. */
function held(code: string, tries: number) {
  const place = directory();
  const [from, to] = [join(place, "new"), join(place, "old")];
  writeFileSync(from, "new");
  writeFileSync(to, "old");
  let asked = 0;
  const renaming = async (...names: Parameters<typeof rename>) => {
    if (asked++ < tries) throw Object.assign(new Error(code), { code });
    await rename(...names);
  };
  return { from, to, rename: renaming, asked: () => asked };
}

test.each(["EACCES", "EBUSY", "EPERM"])(
  "on Windows a file that is open (%s) is replaced when it is closed",
  async (code) => {
    const { from, to, rename, asked } = held(code, 2);
    await renameOver(from, to, { platform: "win32", rename });
    expect([asked(), existsSync(from), readFileSync(to, "utf8")]).toEqual([3, false, "new"]);
  },
);

test("one that stays open is told in about a second", async () => {
  const { from, to, rename, asked } = held("EBUSY", 100);
  await expect(renameOver(from, to, { platform: "win32", rename })).rejects.toThrow("EBUSY");
  expect([asked(), readFileSync(to, "utf8")]).toEqual([6, "old"]);
});

test.each([
  ["linux", "EACCES"],
  ["darwin", "EPERM"],
  ["win32", "ENOSPC"],
] as const)("on %s %s is told at once", async (platform, code) => {
  const { from, to, rename, asked } = held(code, 1);
  await expect(renameOver(from, to, { platform, rename })).rejects.toThrow(code);
  expect(asked()).toBe(1);
});
