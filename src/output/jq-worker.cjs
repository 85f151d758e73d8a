"use strict";
// Runs jq. Its library and WebAssembly come as data: the executable has no files.
const { compileFunction } = require("node:vm");
const { parentPort, workerData } = require("node:worker_threads");

let message = "";
// The library passes jq's messages to console.warn, with the text last. Errors have jq's exit code.
console.warn = (...all) => {
  message = String(all.at(-1));
};

/** The library reads one file, its WebAssembly. */
const requireOne = (name) => (name === "fs" ? { readFileSync: () => workerData.wasm } : require(name));

const module_ = { exports: {} };
const parameters = ["module", "exports", "require", "__filename", "__dirname"];
compileFunction(workerData.library, parameters, { filename: "jq.js" })(
  module_,
  module_.exports,
  requireOne,
  "jq.js",
  "",
);
parentPort.on("message", async ({ filter, bytes }) => {
  message = "";
  const { raw } = await module_.exports;
  if (!raw) throw new Error("the library is not jq");
  try {
    parentPort.postMessage({ text: raw(bytes, filter, ["-c", "--"]) ?? "", message });
  } catch (error) {
    parentPort.postMessage({ code: error.exitCode ?? 0, message: error.stderr ?? String(error) });
  }
});
