// Writes what stands in the repository and is made from the program: REFERENCE.md, docs/commands.md, docs/operations.md and man.
// Bundled into a temporary directory, because Node 20 runs no TypeScript.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { inlined } from "./inlined.mjs";

const directory = await mkdtemp(join(tmpdir(), "docs-"));
try {
  const outfile = join(directory, "documents.cjs");
  await build({
    entryPoints: ["scripts/docs/documents.ts"],
    bundle: true,
    loader: inlined,
    outfile,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    external: ["@napi-rs/keyring"],
    logLevel: "error",
  });
  const { default: made } = await import(pathToFileURL(outfile).href);
  const documents = await made.documents();
  await rm("man", { recursive: true, force: true });
  await mkdir("man");
  for (const [path, text] of documents) await writeFile(path, text);
} finally {
  await rm(directory, { recursive: true, force: true });
}
