// Writes the generated files: REFERENCE.md, pages of docs, and man.
import "./node-version.cjs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { importBundled, withDirectory } from "./bundled.mjs";

await withDirectory(async (directory) => {
  const { documents } = await importBundled("scripts/docs/documents.ts", directory, ["@napi-rs/keyring"]);
  const all = await documents();
  await rm("man", { recursive: true, force: true });
  await mkdir("man");
  for (const [path, text] of all) await writeFile(path, text);
});
