"use strict";
// Runs jq. For a .cjs file, Node does not look for a package.json.
const { parentPort, workerData } = require("node:worker_threads");

let message = "";
// The library passes jq's messages to console.warn, with the text last. Errors have jq's exit code.
console.warn = (...all) => {
  message = String(all.at(-1));
};
const library = require(workerData);
parentPort.on("message", async ({ filter, bytes }) => {
  message = "";
  const { raw } = await library;
  if (!raw) throw new Error(`${workerData} is not jq`);
  try {
    parentPort.postMessage({ text: raw(bytes, filter, ["-c", "--"]) ?? "", message });
  } catch (error) {
    parentPort.postMessage({ code: error.exitCode ?? 0, message: error.stderr ?? String(error) });
  }
});
