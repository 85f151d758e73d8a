/** Finds the modules of the program and of Node that a command loads. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { environment, program } from "./program.ts";

const root = join(import.meta.dirname, "../..");
const preload = join(import.meta.dirname, "loading.cjs");

/** The sources of the parts in dist: modules by path, libraries by name. */
function modulesOf(parts: string[]): string[] {
  const { parts: made } = JSON.parse(readFileSync(join(root, "dist/parts.json"), "utf8"));
  const paths: string[] = parts.flatMap((part) => made[part]);
  return [...new Set(paths.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path))].sort();
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
  return { files: files.map((path) => relative(root, path)), modules: modulesOf(parts), builtins: builtins.sort() };
}
