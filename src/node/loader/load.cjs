"use strict";
// The loader. The build (scripts/build.mjs) splits the program into parts, turns each into a function, and puts those that
// are wanted together into one file of dist. This file is bundled as dist/load.cjs, with compiled.cjs and with what the
// build knows: files.json says which part lies in which file, and places.js holds the parts that tell where the cache is.
//
// - `load` is the `require` of all parts. It opens a file when the first of its parts is wanted, and runs a part once.
// - Some modules of Node's own take long to load and are seldom used. `later` gives a stand-in that loads them on use.
// - compiled.cjs opens a file like `require`, but keeps what V8 compiled in the cache directory, and uses it the next time.
//
// A list of ten people takes 92 ms so. It takes 25 ms more as ES modules, 25 ms more without compiled code, and 6 ms more
// if Node's own modules are loaded at once. A cache that cannot be used costs that time and nothing else.
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const { remembering } = require("./compiled.cjs");
/** Which file each part lies in. */
const { files, build } = require("./files.json");

/** Node's own modules that files ask for at their top and few commands use: they are loaded when they are used. */
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

/** The parts of one file, by name. */
let open = (file) => require(join(__dirname, file));
const opened = new Map([["places.js", require("./places.js")]]);
/** What is in use, by name. */
const loaded = new Map();
const here = {
  get url() {
    return pathToFileURL(__filename).href;
  },
};

/** Throws an error that `incomplete` tells from defects: the program was upgraded or removed, or a disk fails. */
function partOf(file, name) {
  let reason = "it is of another version";
  try {
    if (!opened.has(file)) opened.set(file, open(file));
    const part = opened.get(file)[name];
    if (part) return part;
  } catch (error) {
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
    // Half a part must not pass for one.
    loaded.delete(name);
    throw error;
  }
  return module.exports;
}

exports.load = load;
exports.loaded = loaded;

exports.start = () => {
  const { cache } = load("./places.js").places(process.env);
  open = remembering({ cache, build, from: __dirname, used: () => loaded.keys() });
  return load("./main.js").start();
};
