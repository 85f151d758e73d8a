// Bundles bench, and runs it on the built program.
import "./node-version.cjs";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundling, withDirectory } from "./bundled.mjs";
import { slimUndici } from "./slim-undici.mjs";

const only = process.argv.splice(2);
await import("./build.mjs");
const root = join(import.meta.dirname, "..");
const parsers = new Map();
await withDirectory(async (directory) => {
  await build({
    entryPoints: ["main", "peer", "bare", "many", "necessary", "yaml"].map((name) => join(root, "bench", `${name}.ts`)),
    ...bundling,
    outdir: directory,
    plugins: [
      slimUndici(parsers, (name) => `require("node:fs").readFileSync(__dirname + ${JSON.stringify(`/${name}`)})`),
    ],
  });
  for (const [name, bytes] of parsers) await writeFile(join(directory, name), bytes);
  for (const name of ["minimal.mjs", "folder.mjs", "client.py"])
    await copyFile(join(root, "bench", name), join(directory, name));
  const { default: main } = await import(pathToFileURL(join(directory, "main.js")).href);
  await main.bench(root, directory, only);
});
