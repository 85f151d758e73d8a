// Packs single/zulipctl with its licenses as the files of a release: .tar.xz and .tar.gz, and .zip on Windows. SOURCE_DATE_EPOCH sets
// their time, in seconds. `--fast`: larger files, for tests.
import { existsSync } from "node:fs";
import { inOneLine } from "./single/one-line.mjs";

await inOneLine(async () => {
  const { executable, makeExecutable } = await import("./single/executable.mjs");
  const { archive } = await import("./single/archive.mjs");
  if (!existsSync(executable)) await makeExecutable();
  for (const path of await archive({ fast: process.argv.includes("--fast") })) console.log(path);
});
