"use strict";
// The main script of the executable. The files of the package are its assets: `requireFrom` gives the launcher and the loader
// a `require` that reads them. scripts/single.mjs makes the executable.
const fs = require("node:fs");
const { tmpdir } = require("node:os");
const { dirname, isAbsolute, join, relative, resolve } = require("node:path");
const sea = require("node:sea");
const { compileFunction } = require("node:vm");
const { crc32 } = require("node:zlib");

/** Paths of assets are below the executable, as if that were a directory. */
const root = process.execPath;

/** The checksum of each asset. */
let sums;

/** Returns the bytes of a file of the package. A damaged executable must not run. */
function read(name) {
  let bytes;
  try {
    sums ??= JSON.parse(Buffer.from(sea.getRawAsset("sums.json")).toString());
    bytes = Buffer.from(sea.getRawAsset(name));
  } catch {
    throw damaged(name);
  }
  if (crc32(bytes) !== sums[name]) throw damaged(name);
  return bytes;
}

const damaged = (name) =>
  Object.assign(new Error(`${root} is damaged (${name}). Download and install it again.`), { damaged: true });

/** The library of the keychain must be a file: one beside the executable, or a private one while it is loaded. */
function keychainLibrary() {
  const beside = join(dirname(root), "zulipctl-keyring.node");
  if (isOwn(beside)) return open(beside);
  // Windows would not remove a library that is loaded.
  if (process.platform === "win32") throw new Error(`${beside} is missing`);
  const directory = fs.mkdtempSync(join(tmpdir(), "zulipctl-"));
  try {
    const file = join(directory, "keyring.node");
    fs.writeFileSync(file, read("keyring.node"), { mode: 0o700 });
    return open(file);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

function open(library) {
  const module = { exports: {} };
  process.dlopen(module, library);
  return module.exports;
}

/** Returns whether only this user or root can have made or changed a file. Windows has no such modes. */
function isOwn(file) {
  const { uid, mode } = fs.statSync(file, { throwIfNoEntry: false }) ?? {};
  if (mode === undefined) return false;
  const user = process.geteuid?.();
  return user === undefined || ((uid === user || uid === 0) && (mode & 0o022) === 0);
}

const loaded = new Map();

function load(name) {
  const before = loaded.get(name);
  if (before) return before.exports;
  const text = read(name).toString();
  const module = { exports: {} };
  if (name.endsWith(".json")) module.exports = JSON.parse(text);
  else {
    const filename = join(root, name);
    const parameters = ["module", "exports", "require", "__filename", "__dirname"];
    const run = compileFunction(text.replace(/^#!.*/, ""), parameters, { filename });
    run(module, module.exports, requireFrom(dirname(filename)), filename, dirname(filename));
  }
  loaded.set(name, module);
  return module.exports;
}

function requireFrom(directory) {
  const requireOne = (name) => {
    if (name === "@napi-rs/keyring") return keychainLibrary();
    if (!name.startsWith(".") && !isAbsolute(name)) return require(name);
    return load(relative(root, resolve(directory, name)).replaceAll("\\", "/"));
  };
  return Object.assign(requireOne, { executable: { read } });
}

try {
  load(process.argv[2] === "__keychain" ? "dist/keychain-child.cjs" : "bin/zulipctl.js");
} catch (error) {
  process.exitCode = 70;
  console.error(`zulipctl: ${error.message.split("\n")[0]}`);
}
