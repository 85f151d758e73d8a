"use strict";
// Runs jq. Node looks for no package.json around a file of this kind, as it does in the working directory for a text.
const { parentPort, workerData } = require("node:worker_threads");

let words = "";
// The library tells jq's messages by console.warn, with the text last, and keeps jq's exit code in the error.
console.warn = (...told) => {
  words = String(told.at(-1));
};
const library = require(workerData);
parentPort.on("message", async ({ filter, bytes }) => {
  words = "";
  try {
    const { raw } = await library;
    parentPort.postMessage({ text: raw(bytes, filter, ["-c", "--"]) ?? "", words });
  } catch (error) {
    parentPort.postMessage({ code: error.exitCode ?? 0, words: error.stderr ?? String(error) });
  }
});
