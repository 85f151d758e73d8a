/** Finds the modules of the program and of Node that a command loads. */
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { environment, program } from "./program.ts";

const root = join(import.meta.dirname, "../..");
const preload = join(import.meta.dirname, "loading.cjs");

/** The parts in dist: their modules by path, their libraries by name, and the size of the files that have them. */
function contents(parts: string[]) {
  const { parts: made, files } = JSON.parse(readFileSync(join(root, "dist/parts.json"), "utf8"));
  const paths: string[] = parts.flatMap((part) => made[part]);
  // The loader has the file "places.js" in it.
  const opened = new Set(
    parts.map((part): string => files[part]).map((file) => (file === "places.js" ? "load.cjs" : file)),
  );
  return {
    modules: paths.filter((path) => path.startsWith("src/")).sort(),
    libraries: [...new Set(paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))].sort(),
    kibibytes: [...opened].reduce((sum, file) => sum + statSync(join(root, "dist", file)).size, 0) / 1024,
  };
}

export async function loaded(argv: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["--require", preload, program, ...argv], {
    env: { ...environment(), ...env },
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const { files, parts, builtins } = JSON.parse(await text(child.stdio[3] as Readable)) as Record<
    "files" | "parts" | "builtins",
    string[]
  >;
  return { files: files.map((path) => relative(root, path)), ...contents(parts), builtins: builtins.sort() };
}
