#!/usr/bin/env node

// Scripts ask for the version before they do anything else: answer without loading the program.
const [, , word, ...others] = process.argv;
if ((word === "--version" || word === "-V") && others.length === 0)
  require("node:fs").writeSync(1, `${require("../package.json").version}\n`);
else require("../dist/start.js").start();
