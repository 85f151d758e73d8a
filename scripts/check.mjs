// Types, lint and the builds that tests need, side by side. What each prints comes when it ends.
import "./node-version.cjs";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const { types, lint, build } = JSON.parse(readFileSync("package.json", "utf8")).scripts;
const lines = {
  types,
  lint,
  build,
  "build for tests": `${build} --modules node_modules/.cache/zulipctl-modules`,
};

/** Resolves to the exit code. */
const run = ([name, line]) =>
  new Promise((resolve, reject) => {
    const child = spawn(line, { shell: true, stdio: ["ignore", "pipe", "pipe"] });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => said.push(bytes));
    child.on("error", reject);
    child.on("close", (code) => {
      process.stdout.write(`${name}: ${code === 0 ? "passed" : "failed"}\n${Buffer.concat(said)}`);
      resolve(code);
    });
  });

const codes = await Promise.all(Object.entries(lines).map(run));
if (codes.some((code) => code !== 0)) process.exitCode = 1;
