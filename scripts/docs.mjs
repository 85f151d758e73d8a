// Writes what stands in the repository and is made from the program: REFERENCE.md, pages of docs, and man.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importBundled } from "./bundled.mjs";

const directory = await mkdtemp(join(tmpdir(), "docs-"));
try {
  const made = await importBundled("scripts/docs/documents.ts", directory, ["@napi-rs/keyring"]);
  const documents = await made.documents();
  await rm("man", { recursive: true, force: true });
  await mkdir("man");
  for (const [path, text] of documents) await writeFile(path, text);
} finally {
  await rm(directory, { recursive: true, force: true });
}
