// Ends with 2 on a Node that is too old. The scripts of package.json run it first, and scripts/*.mjs import it first.
const { explainOldNode } = require("../bin/node-version.js");

const old = explainOldNode();
if (old) {
  console.error(`${old.message}\n${old.hint}`);
  process.exit(2);
}
