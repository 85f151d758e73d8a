// Bundles test/simulation, and runs it.
import "./node-version.cjs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundling, withDirectory } from "./bundled.mjs";

if (process.argv.includes("--kill")) await import("./build.mjs");
await withDirectory(async (directory) => {
  const outfile = join(directory, "main.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "../test/simulation/main.ts")],
    ...bundling,
    outfile,
    format: "esm",
    // CommonJS libraries call require.
    banner: {
      js: 'import { createRequire as requiring } from "node:module"; const require = requiring(import.meta.url);',
    },
    sourcemap: "inline",
  });
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(outfile).href);
});
