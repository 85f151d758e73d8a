"use strict";
// The loader. The build (scripts/build.mjs) splits the program into parts, turns each into a function, and puts parts that
// are used together into one file of dist. This file is bundled as dist/load.cjs, with compiled.cjs, files.json (the file
// of each part), and places.js (the parts that find the cache directory).
//
// - `load` is the `require` of all parts. It opens a file when its first part is needed, and runs a part once.
// - Some modules of Node are slow to load and rarely used. `later` returns a proxy that loads them on use.
// - compiled.cjs opens a file like `require`, and keeps the compiled code in the cache directory for the next run.
// - In the executable, all files come from `require.executable` (executable.cjs).
//
// A list of ten people would take 25 ms more as ES modules, 25 ms more without compiled code, and 6 ms more
// without `later`.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const { problem, remembering } = require("./compiled.cjs");
/** The file of each part. */
const { files, build } = require("./files.json");

/** Modules of Node that many files import and few commands use. */
const late = new Set(
  ["child_process", "crypto", "fs/promises", "http", "net", "os", "tls", "tty", "v8"].flatMap((name) => [
    name,
    `node:${name}`,
  ]),
);

function later(name) {
  let found;
  const module = () => {
    found ??= require(name);
    return found;
  };
  return new Proxy(
    {},
    {
      get: (_, key) => module()[key],
      has: (_, key) => key in module(),
      ownKeys: () => Reflect.ownKeys(module()),
      getOwnPropertyDescriptor: (_, key) => {
        const own = Reflect.getOwnPropertyDescriptor(module(), key);
        return own && { ...own, configurable: true };
      },
    },
  );
}

const { executable } = require;
/** Returns the bytes of a file of dist. */
const read = executable ? (name) => executable.read(`dist/${name}`) : (name) => readFileSync(join(__dirname, name));

/** The parts of one file, by name. */
let open = (file) => require(join(__dirname, file));
const opened = new Map([["places.js", require("./places.js")]]);
/** The parts in use, by name. */
const loaded = new Map();
/** The import.meta of all parts: src/node/loader/import-meta.d.ts. */
const here = {
  get url() {
    return pathToFileURL(__filename).href;
  },
  build: {
    read,
    isExecutable: executable !== undefined,
    keychainChild: [process.execPath, executable ? "__keychain" : join(__dirname, "keychain-child.cjs")],
    compiledCodeProblem: problem,
  },
};

/** Throws an error with `incomplete`, which is no bug: the program was upgraded or removed, or a disk fails. */
function partOf(file, name) {
  let reason = "it is of another version";
  try {
    if (!opened.has(file)) opened.set(file, open(file));
    const part = opened.get(file)[name];
    if (part) return part;
  } catch (error) {
    if (error.damaged) throw error;
    [reason] = error.message.split("\n");
  }
  throw Object.assign(new Error(`${join(__dirname, file)}: ${reason}`), { incomplete: true });
}

function load(name) {
  const before = loaded.get(name);
  if (before) return before.exports;
  const file = files[name];
  if (!file && !late.has(name)) return require(name);
  const module = { exports: {} };
  loaded.set(name, module);
  if (!file) {
    module.exports = later(name);
    return module.exports;
  }
  try {
    partOf(file, name)(module, module.exports, load, here);
  } catch (error) {
    // An incomplete part must not be used.
    loaded.delete(name);
    throw error;
  }
  return module.exports;
}

exports.load = load;
exports.loaded = loaded;

exports.start = () => {
  const { cache } = load("./places.js").directoriesOf(process.env);
  open = remembering({ cache, build, from: __dirname, read, used: () => loaded.keys() });
  return load("./main.js").start();
};
