/** Lazy imports have the same exports in the build: bundles give CommonJS modules no named exports. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";

const require = createRequire(import.meta.url);
const dist = join(import.meta.dirname, "../../dist");
const { packages }: { packages: Record<string, string> } = JSON.parse(readFileSync(join(dist, "parts.json"), "utf8"));
const { load } = require(join(dist, "load.cjs")) as { load(part: string): Record<string, unknown> };

// Node adds these to every CommonJS module that it imports.
const added = ["module.exports", "__esModule"];

test("the build has bundled packages", () => {
  expect(Object.keys(packages)).toContain("conf");
});

test.each(Object.entries(packages))("%s exports in the build what it exports in Node", async (name, part) => {
  const native: Record<string, unknown> = await import(/* @vite-ignore */ name);
  const built = load(part);
  const kinds = (module: Record<string, unknown>) =>
    Object.keys(native)
      .filter((key) => !added.includes(key))
      .map((key) => `${key}: ${typeof module[key]}`);
  expect(kinds(built)).toEqual(kinds(native));
});
