/** Node 20 runs no TypeScript: what scripts want of it is bundled first. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** For esbuild: what is imported as text. A script is one of the page that a report is, and runs in a browser alone. */
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

/** The exports of a file of TypeScript, bundled into the directory. What is `external` is found from there. */
export async function importBundled(entry, directory, external = []) {
  const outfile = join(directory, "bundled.cjs");
  await build({ ...bundling, entryPoints: [entry], outfile, external });
  const { default: exported } = await import(pathToFileURL(outfile).href);
  return exported;
}
