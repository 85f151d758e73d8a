// Makes single/zulipctl_<version>_<architecture>.deb, a package of Debian with the executable. `--built`: from the executable that is
// there. `--uncompressed`: for tests. SOURCE_DATE_EPOCH sets its time, in seconds.
import { inOneLine } from "./single/one-line.mjs";

await inOneLine(async () => {
  const { makeExecutable } = await import("./single/executable.mjs");
  const { makePackage } = await import("./single/deb.mjs");
  if (!process.argv.includes("--built")) {
    await import("./build.mjs");
    await makeExecutable();
  }
  console.log(await makePackage({ compression: process.argv.includes("--uncompressed") ? "none" : "xz" }));
});
