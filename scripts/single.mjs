// Makes single/zulipctl, an executable that needs no Node, for this platform and with this Node. `--built`: from the dist that is there.
import { explainOldNode } from "../bin/node-version.js";
import { cannot, inOneLine } from "./single/one-line.mjs";

await inOneLine(async () => {
  const old = explainOldNode();
  if (old) cannot(old.message);
  if (process.platform === "darwin" && process.arch === "x64") cannot("executables of Node crash on Macs with Intel");
  const { makeExecutable } = await import("./single/executable.mjs");
  if (!process.argv.includes("--built")) await import("./build.mjs");
  console.log(await makeExecutable());
});
