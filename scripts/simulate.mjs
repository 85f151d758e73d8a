// Bundles test/simulation, and runs it. With --faults, each fault of test/simulation/undo/faults.ts is put in, and must be found.
import "./node-version.cjs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { importBundled, withDirectory } from "./bundled.mjs";
import { withSimulation } from "./simulation-bundle.mjs";

const root = join(import.meta.dirname, "..");

/** Runs seeds until one fails, and prints it. Returns whether one did. `words`: those of `main.ts`. */
async function isFound({ rule, theme, edits }, words) {
  return withSimulation(edits, (outfile) => {
    const chosen = theme && !words.includes("--theme") ? ["--theme", theme] : [];
    const typed = [outfile, "--undo", "--first", ...chosen, ...words];
    const { stdout } = spawnSync(process.execPath, typed, { encoding: "utf8", maxBuffer: 2 ** 28 });
    const [, seed, broken] = /^seed (\d+): (.*)/m.exec(stdout) ?? [];
    console.log(`${rule}: ${seed === undefined ? "NOT FOUND" : `seed ${seed}: ${broken.slice(0, 120)}`}`);
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
  await withSimulation([], async (outfile) => {
    process.setSourceMapsEnabled(true);
    await import(pathToFileURL(outfile).href);
  });
