/** What the most frequent commands load, so that a heavy import at the top of a file is noticed. Nothing is timed. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { environment, program, serving } from "./program.ts";

const root = join(import.meta.dirname, "../..");
const preload = join(import.meta.dirname, "loading.cjs");

/** What parts of dist were made of: our modules by path, libraries by name. */
function modulesOf(parts: string[]): string[] {
  const { parts: made } = JSON.parse(readFileSync(join(root, "dist/parts.json"), "utf8"));
  const paths: string[] = parts.flatMap((part) => made[part]);
  return [...new Set(paths.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path))].sort();
}

async function loaded(argv: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["--require", preload, program, ...argv], {
    env: { ...environment(), ...env },
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const { files, parts, builtins } = JSON.parse(await text(child.stdio[3] as Readable)) as Record<
    "files" | "parts" | "builtins",
    string[]
  >;
  return { files: files.map((path) => relative(root, path)), modules: modulesOf(parts), builtins: builtins.sort() };
}

test("--version loads nothing but the launcher", async () => {
  const { files, modules, builtins } = await loaded(["--version"]);
  expect({ files, modules, builtins }).toEqual({
    files: ["bin/zulipctl.js", "package.json"],
    modules: [],
    builtins: [],
  });
});

test("a completion loads a file of its own", async () => {
  const { files, modules, builtins } = await loaded(["__complete", "--", "channel", "update", "--"]);
  expect({ files, modules, builtins }).toEqual({
    files: ["bin/zulipctl.js", "dist/complete.js"],
    modules: [],
    builtins: [],
  });
});

/** Of Node's own modules those that take long; which others there are differs between its versions. */
const slow = [
  "child_process",
  "crypto",
  "fs/promises",
  "http2",
  "perf_hooks",
  "readline",
  "tls",
  "tty",
  "worker_threads",
];
const lines = (words: string[]) => `${words.join("\n")}\n`;

// The lists are checked in; after a look at what is new, `npx vitest run test/binary/loaded.test.ts -u` writes them.

test("help loads the command line alone", async () => {
  const { modules, builtins } = await loaded(["channel", "update", "--help"]);
  expect(builtins.filter((name) => [...slow, "http", "net"].includes(name))).toEqual([]);
  await expect(lines(modules)).toMatchFileSnapshot("loaded/help.txt");
});

test("a list loads what it takes and no more", async () => {
  const { env } = await serving();
  const { modules, builtins } = await loaded(["users", "list", "-o", "ids"], env);
  expect(builtins.filter((name) => slow.includes(name))).toEqual([]);
  await expect(lines(modules)).toMatchFileSnapshot("loaded/list.txt");
});
