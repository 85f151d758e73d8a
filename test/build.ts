/** Builds the program before the tests where a source is newer than what is built, so that none of them runs an old one. */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

const changed = (path: string): number =>
  statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;

export default function setup(): void {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).map((path) => `src/${path}`);
  const newest = Math.max(...[...sources, "scripts/build.mjs", "package.json"].map(changed));
  if (changed("dist/load.cjs") < newest)
    execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
}
