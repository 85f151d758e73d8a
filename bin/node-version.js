// A Node that is too old has to read this file and zulipctl.js, so both have no syntax and no names of modules that
// Node 12 does not know.

/** Returns what to say about a Node that is too old, or undefined. `engines` of package.json has the same version. */
exports.explainOldNode = () => {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return undefined;
  // biome-ignore lint/style/useNodejsImportProtocol: Node 12 does not know node:path.
  const { join } = require("path");
  return {
    message: `zulipctl requires Node 20.19 or newer; this is ${process.versions.node} (${process.execPath}).`,
    hint: `Install a newer Node: see ${join(__dirname, "../docs/compatibility.md")}`,
  };
};
