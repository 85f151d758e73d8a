/** `doctor` says how the program was installed, and whether it can keep compiled code. */
import { chmodSync, copyFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { command, environment, isExecutable, program, run } from "./program.ts";

/** Returns what `doctor` says of the program. */
async function found(words: [string, ...string[]], cache: string) {
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: cache };
  const { out } = await run([...words, "doctor", "-o", "json"], { env });
  return JSON.parse(out).find(({ check }: { check: string }) => check === "program");
}

/** Puts the program into another place. */
function placed(path: string): string {
  const file = join(directory(), path);
  mkdirSync(dirname(file), { recursive: true });
  if (isExecutable) copyFileSync(program, file);
  else for (const name of ["bin", "dist", "package.json"]) cpSync(name, join(file, name), { recursive: true });
  return file;
}

test("names the kind and the place", async () => {
  const cache = directory();
  const kept = `compiled code is kept in ${cache}/compiled`;
  const kinds = isExecutable
    ? { "usr/lib/zulipctl/zulipctl": "Debian package", "bin/zulipctl": "executable" }
    : { "lib/node_modules/zulipctl": "npm package", zulipctl: "clone" };
  for (const [path, kind] of Object.entries(kinds)) {
    const file = placed(path);
    const { status, message } = await found(
      isExecutable ? [file] : [process.execPath, join(file, "bin/zulipctl.js")],
      cache,
    );
    expect({ status, message }).toEqual({
      status: "ok",
      message: expect.stringMatching(new RegExp(`^zulipctl [\\d.]+, the ${kind} ${file}, with Node [\\d.]+; ${kept}$`)),
    });
  }
});

test("says why compiled code cannot be kept", async () => {
  const home = directory();
  writeFileSync(join(home, "file"), "");
  expect(await found(command, join(home, "file/below"))).toMatchObject({
    status: "warn",
    message: expect.stringContaining(`; compiled code cannot be kept in ${home}/file/below/compiled: ENOTDIR`),
  });
  chmodSync(home, 0o777);
  expect(await found(command, home)).toMatchObject({
    status: "warn",
    message: expect.stringMatching(/: other users can change it$/),
  });
});
