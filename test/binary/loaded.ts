/** What the built program loads of itself and of Node for a command. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { environment, program } from "./program.ts";

const root = join(import.meta.dirname, "../..");
const preload = join(import.meta.dirname, "loading.cjs");

/** What parts of dist were made of: our modules by path, libraries by name. */
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
