#!/usr/bin/env node

// Scripts ask for the version before they do anything else, and shells for completions at every key: answer without
// loading the program.
function answered() {
  const [, , word, ...others] = process.argv;
  if (word === "__complete") return require("../dist/complete.js").complete(others);
  if ((word !== "--version" && word !== "-V") || others.length > 0) return false;
  try {
    require("node:fs").writeSync(1, `${require("../package.json").version}\n`);
    return true;
  } catch {
    // The program reports a stdout that cannot be written.
    return false;
  }
}

// Node would end with 1, as if the server had refused. Nothing of the program can be relied on here.
function broken(error) {
  process.exitCode = 70;
  const message = `a part of zulipctl cannot be loaded: ${error.message.split("\n")[0]}`;
  const hint = "It may have been upgraded or removed meanwhile. Run the command again, or reinstall zulipctl.";
  const json = /(^| )(--json|--output[ =]json|-[nqvy]*o ?json)( |$)/.test(process.argv.slice(2).join(" "));
  const said = json
    ? JSON.stringify({ error: { exit_code: 70, kind: "bug", message, outcome: "not_sent", hint } })
    : `zulipctl: ${message}\n${hint}`;
  try {
    require("node:fs").writeSync(2, `${said}\n`);
  } catch {
    // The exit code still says it.
  }
}

try {
  if (!answered()) require("../dist/load.cjs").start();
} catch (error) {
  broken(error);
}
