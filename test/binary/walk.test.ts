/** The table in ARCHITECTURE.md names the files that the built program loads for its command. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loaded } from "./loaded.ts";
import { serving } from "./program.ts";

const [, walk = ""] =
  /^## One command through the program\n([\s\S]*?)^## /m.exec(readFileSync("ARCHITECTURE.md", "utf8")) ?? [];
const [, ...argv] = /^ {4}(zulipctl .*)$/m.exec(walk)![1]!.split(" ");
const visited = [...new Set([...walk.matchAll(/`((?:src|bin)\/[\w/.-]+\.\w+)`/g)].map(([, path]) => path!))];

test("the files that the table names are loaded when its command runs", async () => {
  const { env, sandbox } = await serving();
  const { files, modules } = await loaded(argv, env);
  expect([...sandbox.state.channels.values()].find(({ name }) => name === "design")!.description).toBe("x");
  expect(visited.length).toBeGreaterThan(15);
  // The bundle of the loader names what it is made of.
  const made = files.flatMap((path) => [...readFileSync(path, "utf8").matchAll(/^\/\/ (src\/.*)$/gm)]);
  const met = [...modules, ...files, ...made.map(([, path]) => path!)];
  expect(visited.filter((path) => !met.includes(path))).toEqual([]);
});
