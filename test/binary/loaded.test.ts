/** Checks the modules that the most frequent commands load, to notice heavy imports. It measures no time. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loaded } from "./loaded.ts";
import { serving } from "./program.ts";

test("--version loads nothing but the launcher", async () => {
  const { files, modules, builtins } = await loaded(["--version"]);
  expect({ files, modules, builtins }).toEqual({
    files: ["bin/zulipctl.js", "bin/node-version.js", "package.json"],
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
    files: ["bin/zulipctl.js", "bin/node-version.js", "dist/complete.js"],
    modules: [],
    // They determine the cache directory and the home.
    builtins: ["os", "process"],
  });
});

/** The slow modules of Node. Others differ between its versions. */
const slow = ["child_process", "crypto", "fs/promises", "http2", "perf_hooks", "readline", "tls", "worker_threads"];

/** The limits leave room for a few modules more. Raise one only for what the command needs at once. */
function expectFew(
  { modules, kibibytes }: Awaited<ReturnType<typeof loaded>>,
  limit: { modules: number; kibibytes: number },
) {
  expect({ most: limit.modules, modules: modules.length > limit.modules ? modules : [] }).toEqual({
    most: limit.modules,
    modules: [],
  });
  expect(kibibytes).toBeLessThan(limit.kibibytes);
}

/** The libraries that every command loads. */
const start = ["commander", "env-paths", "fastest-levenshtein", "is-safe-filename", "valibot"];

/** Each noun is a file of this folder. */
const nounsAmong = (modules: string[]) => modules.filter((path) => /^src\/commands\/[\w-]+\.ts$/.test(path));

test("a batch loads only the noun of its rows", async () => {
  const { modules } = await loaded(["batch", "-", "--format", "csv", "--", "folder", "create", "{name}"]);
  expect(nounsAmong(modules)).toEqual(["src/commands/batch.ts", "src/commands/folder.ts", "src/commands/nouns.ts"]);
});

test("help loads its noun, few modules, and nothing slow", async () => {
  const found = await loaded(["channel", "update", "--help"]);
  expect(found.builtins.filter((name) => [...slow, "http", "net"].includes(name))).toEqual([]);
  expect(found.libraries).toEqual(start);
  expect(nounsAmong(found.modules)).toEqual([
    "src/commands/channel.ts",
    "src/commands/nouns.ts",
    "src/commands/topic.ts",
  ]);
  expectFew(found, { modules: 130, kibibytes: 815 });
});

test("a list loads its noun, few modules, and nothing slow", async () => {
  const { env } = await serving();
  const found = await loaded(["users", "list", "-o", "ids"], env);
  expect(found.builtins.filter((name) => slow.includes(name))).toEqual([]);
  expect(found.libraries).toEqual([...start, "undici"].sort());
  expect(nounsAmong(found.modules)).toEqual(["src/commands/nouns.ts", "src/commands/users.ts"]);
  expectFew(found, { modules: 170, kibibytes: 1255 });
});

test("a table in a pipe loads nothing that measures text", async () => {
  const { env } = await serving();
  const { libraries } = await loaded(["users", "list"], env);
  expect(libraries).toEqual([...start, "chalk", "undici"].sort());
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
