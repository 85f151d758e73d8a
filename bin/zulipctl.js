#!/usr/bin/env node
const { explainOldNode } = require("./node-version.js");

// biome-ignore lint/style/useNodejsImportProtocol: Node 12 does not know node:fs.
const print = (descriptor, text) => require("fs").writeSync(descriptor, text);

// Scripts ask for the version before they do anything else, and shells for completions at every key: answer without
// loading the program.
function answered(old) {
  const [, , word, ...others] = process.argv;
  if (word === "__complete") return old !== undefined || require("../dist/complete.js").complete(others);
  if ((word !== "--version" && word !== "-V") || others.length > 0) return false;
  try {
    print(1, `${require("../package.json").version}\n`);
    return true;
  } catch {
    // The program reports a stdout that cannot be written.
    return false;
  }
}

// Nothing of the program can be relied on here.
function fail({ code, kind, prefix = "", message, hint }) {
  process.exitCode = code;
  const json = /(^| )(--json|--output[ =]json|-[nqvy]*o ?json)( |$)/.test(process.argv.slice(2).join(" "));
  const error = { exit_code: code, kind, message, outcome: "not_sent", hint };
  try {
    print(2, `${json ? JSON.stringify({ error }) : [prefix + message, hint].filter(Boolean).join("\n")}\n`);
  } catch {
    // The exit code still says it.
  }
}

try {
  const old = explainOldNode();
  if (!answered(old)) {
    if (old) fail({ code: 2, kind: "usage", ...old });
    else require("../dist/load.cjs").start();
  }
} catch (error) {
  // Node would end with 1, as if the server had refused.
  const bug = { code: 70, kind: "bug", prefix: "zulipctl: " };
  const [reason] = error.message.split("\n");
  if (error.damaged) fail({ ...bug, message: reason });
  else
    fail({
      ...bug,
      message: `a part of zulipctl cannot be loaded: ${reason}`,
      hint: "It may have been upgraded or removed meanwhile. Run the command again, or reinstall zulipctl.",
    });
}
