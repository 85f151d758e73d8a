// Bundles test/simulation, and runs it. With --faults, each fault of test/simulation/undo/faults.ts is put in, and must be found.
import "./node-version.cjs";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundling, importBundled, withDirectory } from "./bundled.mjs";

const root = join(import.meta.dirname, "..");

/** Replaces texts of files of `src`. Throws if one does not stand there once. */
const replacing = (edits) => ({
  name: "faults",
  setup({ onLoad }) {
    for (const [file, from, to] of edits) {
      const path = join(root, "src", file);
      const text = readFileSync(path, "utf8");
      if (text.split(from).length !== 2) throw new Error(`src/${file} must have this once: ${from}`);
      onLoad({ filter: /[.]ts$/ }, (loaded) =>
        loaded.path === path ? { contents: text.replace(from, () => to), loader: "ts" } : undefined,
      );
    }
  },
});

async function bundled(directory, edits = []) {
  const outfile = join(directory, "main.mjs");
  await build({
    entryPoints: [join(root, "test/simulation/main.ts")],
    ...bundling,
    outfile,
    format: "esm",
    plugins: [replacing(edits)],
    // CommonJS libraries call require.
    banner: {
      js: 'import { createRequire as requiring } from "node:module"; const require = requiring(import.meta.url);',
    },
    sourcemap: "inline",
  });
  return outfile;
}

/** Runs seeds until one fails, and prints it. Returns whether one did. */
async function isFound([fault, ...edits], words) {
  return withDirectory(async (directory) => {
    const outfile = await bundled(directory, edits);
    const { stdout } = spawnSync(process.execPath, [outfile, "--undo", "--first", ...words], { encoding: "utf8" });
    const [, seed, rule] = /^seed (\d+): (.*)/m.exec(stdout) ?? [];
    console.log(`${fault}: ${seed === undefined ? "NOT FOUND" : `seed ${seed}: ${rule.slice(0, 120)}`}`);
    return seed !== undefined;
  });
}

/** `--faults`, or some of them by their numbers: `--faults=1-10`. Other words are those of `main.ts`. */
const [all = "", first = 1, last] =
  process.argv.map((word) => /^--faults(?:=(\d+)-(\d+))?$/.exec(word)).find(Boolean) ?? [];

if (process.argv.includes("--kill")) await import("./build.mjs");
if (all) {
  const words = process.argv.slice(2).filter((word) => word !== all);
  const entry = join(root, "test/simulation/undo/faults.ts");
  const { faults } = await withDirectory((directory) => importBundled(entry, directory));
  let missed = 0;
  for (const fault of faults.slice(Number(first) - 1, last ? Number(last) : undefined))
    if (!(await isFound(fault, words.length ? words : ["--seeds", "500"]))) missed++;
  process.exitCode = missed ? 1 : 0;
} else
  await withDirectory(async (directory) => {
    const outfile = await bundled(directory);
    process.setSourceMapsEnabled(true);
    await import(pathToFileURL(outfile).href);
  });
