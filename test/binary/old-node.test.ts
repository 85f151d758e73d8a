/** What is too old a Node, and where that stands. `old-node-installed.test.ts` tries some. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "./program.ts";

const root = join(import.meta.dirname, "../..");
const { engines, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test.each([
  ["9.11.2", true],
  ["20.18.3", true],
  ["20.19.0", false],
  ["20.20.2", false],
  ["21.0.0", false],
  ["22.0.0", false],
  ["100.1.0", false],
])("Node %s is too old: %j", async (node, tooOld) => {
  const script = [
    `Object.defineProperty(process, "versions", { value: { node: ${JSON.stringify(node)} } });`,
    `console.log(require(${JSON.stringify(join(root, "bin/node-version.js"))}).explainOldNode() !== undefined);`,
  ];
  expect(await run([process.execPath, "-e", script.join("")])).toMatchObject({ code: 0, out: `${tooOld}\n`, err: "" });
});

test("package.json, README and the page have the version of the message", () => {
  const oldest = engines.node.replace(">=", "");
  const texts = ["bin/node-version.js", "README.md"].map((path) => readFileSync(join(root, path), "utf8"));
  for (const text of texts) expect(text).toContain(`Node ${oldest} or newer`);
  expect(readFileSync(join(root, "docs/compatibility.md"), "utf8")).toContain(`from ${oldest}`);
});

test("npm's scripts for tests check Node first", () => {
  const own = Object.entries<string>(scripts).filter(([, script]) => /\bvitest\b/.test(script));
  expect(own.map(([script]) => script)).toEqual(expect.arrayContaining(["quick", "test", "slow"]));
  expect(own.filter(([, script]) => !script.startsWith("node scripts/node-version.cjs && "))).toEqual([]);
});
