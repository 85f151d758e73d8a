/** `npm run single` where no executable can be made. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environment, run } from "../binary/program.ts";
import { directory } from "../node/directory.ts";

test.each([
  [
    "an old Node",
    'Object.defineProperty(process, "versions", { value: { node: "18.20.4" } });',
    /^zulipctl requires Node 20.19 or newer; this is 18\.20\.4 \(/,
  ],
  [
    "a Node without executables",
    'process.execPath = "/bin/sh";',
    /^\/bin\/sh is built without single executable applications$/,
  ],
  [
    "a Mac with Intel",
    'for (const [name, value] of [["platform", "darwin"], ["arch", "x64"]]) Object.defineProperty(process, name, { value });',
    /Intel$/,
  ],
])("%s ends with one line", async (_, script, reason) => {
  const file = join(directory(), "preload.cjs");
  writeFileSync(file, script);
  const words: [string, ...string[]] = [process.execPath, "--require", file, "scripts/single.mjs", "--built"];
  const { code, out, err } = await run(words, { env: environment(), cwd: process.cwd() });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^cannot make it: [^\n]*\n$/);
  expect(err.slice("cannot make it: ".length, -1)).toMatch(reason);
});
