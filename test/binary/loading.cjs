// Loaded into the program before it starts; tells at its end, on the file descriptor 3, what it has loaded.
const fs = require("node:fs");
const { builtinModules } = require("node:module");
const { basename } = require("node:path");

const builtins = () =>
  builtinModules.filter((name) => process.moduleLoadList.includes(`NativeModule ${name}`) && !name.startsWith("_"));
const before = new Set(builtins());

process.on("exit", () => {
  const required = Object.keys(require.cache).filter((path) => path !== __filename);
  const loader = required.find((path) => basename(path) === "load.cjs");
  const parts = loader ? [...require(loader).loaded.keys()] : [];
  const told = {
    files: required,
    parts: parts.filter((name) => name.startsWith("./")),
    builtins: builtins().filter((name) => !before.has(name)),
  };
  fs.writeSync(3, JSON.stringify(told));
});
