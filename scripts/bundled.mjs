/** Bundles TypeScript for scripts, since Node 20 cannot run it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** For esbuild: files that are imported as text. `.page.js` is the script of the report page. */
export const inlined = { ".css": "text", ".page.js": "text", ".bash": "text", ".fish": "text", "": "text" };

/** For esbuild: TypeScript for this Node, in one file. */
export const bundling = {
  bundle: true,
  loader: inlined,
  platform: "node",
  target: "node20.19",
  format: "cjs",
  logLevel: "error",
};

/** Runs work with a temporary directory. */
export async function withDirectory(work) {
  const directory = await mkdtemp(join(tmpdir(), "zulipctl-"));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Bundles a file into the directory, and returns its exports. `external`: packages that are not bundled. */
export async function importBundled(entry, directory, external = []) {
  const outfile = join(directory, "bundled.cjs");
  await build({ ...bundling, entryPoints: [entry], outfile, external });
  const { default: exported } = await import(pathToFileURL(outfile).href);
  return exported;
}
