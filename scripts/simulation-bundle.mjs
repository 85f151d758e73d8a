/** Bundles test/simulation. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { bundling, withDirectory } from "./bundled.mjs";

const root = join(import.meta.dirname, "..");

/** Replaces texts of files of `src`. Throws if one does not stand there once. */
const replacing = (edits) => ({
  name: "faults",
  setup({ onLoad }) {
    const replaced = new Map();
    for (const [file, from, to] of edits) {
      const path = join(root, "src", file);
      const text = replaced.get(path) ?? readFileSync(path, "utf8");
      if (text.split(from).length !== 2) throw new Error(`src/${file} must have this once: ${from}`);
      replaced.set(
        path,
        text.replace(from, () => to),
      );
    }
    onLoad({ filter: /[.]ts$/ }, ({ path }) => {
      const contents = replaced.get(path);
      return contents === undefined ? undefined : { contents, loader: "ts" };
    });
  },
});

/** Runs work with the file of a bundle. `edits`: faults that are put in. */
export async function withSimulation(edits, work) {
  return withDirectory(async (directory) => {
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
      sourcemap: edits.length ? false : "inline",
    });
    return work(outfile);
  });
}
