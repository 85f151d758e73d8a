"use strict";
// Opens the other files of dist and gives the parts in them, each when it is first wanted. What it requires by a path is
// bundled with it; which part lies in which file, and the parts of places.js, come from the build.
// It runs before everything else, so it needs as little as it can. Opening files as CommonJS, each part when it is wanted,
// takes some 25 ms less of a list of ten than ES modules do; loading Node's own modules late is worth 6 ms of that.
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
