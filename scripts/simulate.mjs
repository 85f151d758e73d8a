// Node 20 runs no TypeScript: bundles test/simulation into a temporary file and runs that.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundling } from "./bundled.mjs";

if (process.argv.includes("--kill")) await import("./build.mjs");
const directory = await mkdtemp(join(tmpdir(), "simulate-"));
try {
  const outfile = join(directory, "main.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "../test/simulation/main.ts")],
    ...bundling,
    outfile,
    format: "esm",
    // Libraries in CommonJS ask for what Node has.
    banner: {
      js: 'import { createRequire as requiring } from "node:module"; const require = requiring(import.meta.url);',
    },
    sourcemap: "inline",
  });
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(outfile).href);
} finally {
  await rm(directory, { recursive: true, force: true });
}
