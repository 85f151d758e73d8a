/** Checks the modules that the most frequent commands load, to notice heavy imports. It measures no time. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loaded } from "./loaded.ts";
import { serving } from "./program.ts";

test("--version loads nothing but the launcher", async () => {
  const { files, modules, builtins } = await loaded(["--version"]);
  expect({ files, modules, builtins }).toEqual({
    files: ["bin/zulipctl.js", "package.json"],
    modules: [],
    builtins: [],
  });
});

test.each([
  ["flags", ["channel", "update", "--"]],
  ["names", ["channel", "show", "x"]],
  ["profiles", ["profile", "use", ""]],
  ["runs", ["batch", "--resume", ""]],
  ["fields", ["users", "list", "--fields", "id,"]],
  ["settings", ["settings", "update", "invite"]],
])("completion of %s loads only its own file", async (_, words) => {
  const { files, modules, builtins } = await loaded(["__complete", "--", ...words]);
  expect({ files, modules, builtins }).toEqual({
    files: ["bin/zulipctl.js", "dist/complete.js"],
    modules: [],
    // They determine the cache directory and the home.
    builtins: ["os"],
  });
});

/** The slow modules of Node. Others differ between its versions. */
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

// `npx vitest run test/binary/loaded.test.ts --update=all` writes the lists. Review the difference.

test("help loads its noun and no slow module of Node", async () => {
  const { modules, builtins } = await loaded(["channel", "update", "--help"]);
  expect(builtins.filter((name) => [...slow, "http", "net"].includes(name))).toEqual([]);
  await expect(lines(modules)).toMatchFileSnapshot("loaded/help.txt");
});

/** Each noun is a file of this folder. */
const nounsAmong = (modules: string[]) => modules.filter((path) => /^src\/commands\/[\w-]+\.ts$/.test(path));

test("a batch loads only the noun of its rows", async () => {
  const { modules } = await loaded(["batch", "-", "--format", "csv", "--", "folder", "create", "{name}"]);
  expect(nounsAmong(modules)).toEqual(["src/commands/batch.ts", "src/commands/folder.ts", "src/commands/nouns.ts"]);
});

test("a list loads only the modules in this file", async () => {
  const { env } = await serving();
  const { modules, builtins } = await loaded(["users", "list", "-o", "ids"], env);
  expect(builtins.filter((name) => [...slow, "assert", "http"].includes(name))).toEqual([]);
  await expect(lines(modules)).toMatchFileSnapshot("loaded/list.txt");
});

/** The table in ARCHITECTURE.md that follows one command through the program. */
const [, walk = ""] =
  /^## One command through the program\n([\s\S]*?)^## /m.exec(readFileSync("ARCHITECTURE.md", "utf8")) ?? [];
const [, ...argv] = /^ {4}(zulipctl .*)$/m.exec(walk)![1]!.split(" ");
const visited = [...new Set([...walk.matchAll(/`((?:src|bin)\/[\w/.-]+\.\w+)`/g)].map(([, path]) => path!))];

test("ARCHITECTURE.md names the files that its example command loads", async () => {
  const { env, sandbox } = await serving();
  const { files, modules } = await loaded(argv, env);
  expect([...sandbox.state.channels.values()].find(({ name }) => name === "design")!.description).toBe("x");
  expect(visited.length).toBeGreaterThan(15);
  // The bundle of the loader names its sources.
  const made = files.flatMap((path) => [...readFileSync(path, "utf8").matchAll(/^\/\/ (src\/.*)$/gm)]);
  const met = [...modules, ...files, ...made.map(([, path]) => path!)];
  expect(visited.filter((path) => !met.includes(path))).toEqual([]);
});
