#!/usr/bin/env node

// Scripts ask for the version before they do anything else, and shells for completions at every key: answer without
// loading the program.
function told() {
  const [, , word, ...others] = process.argv;
  if (word === "__complete") return require("../dist/complete.js").complete(others);
  if ((word !== "--version" && word !== "-V") || others.length > 0) return false;
  try {
    require("node:fs").writeSync(1, `${require("../package.json").version}\n`);
    return true;
  } catch {
    // The program knows what to say of a stdout that cannot be written.
    return false;
  }
}

if (!told()) require("../dist/load.cjs").start();
