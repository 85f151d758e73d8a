/** Builds the program before the tests if a source is newer than the build. */
import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { compiledCode } from "./binary/compiled-code.ts";
import { modules } from "./built.mts";

const root = join(import.meta.dirname, "..");

const changed = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;

export default function setup(): void {
  const below = (directory: string) =>
    readdirSync(join(root, directory), { recursive: true, encoding: "utf8" }).map((path) => join(directory, path));
  const newest = Math.max(
    ...[...below("src"), ...below("scripts"), "package.json"].map((path) => changed(join(root, path))),
  );
  const build = (directory: string, ...words: string[]) => {
    if (changed(join(directory, "load.cjs")) < newest)
      execFileSync(process.execPath, ["scripts/build.mjs", ...words], { cwd: root, stdio: "inherit" });
  };
  build(join(root, "dist"));
  build(modules, "--modules", modules);
  rmSync(compiledCode, { recursive: true, force: true });
}
