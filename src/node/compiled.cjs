"use strict";
// Keeps what V8 makes of the program's files between runs: compiling them takes as long as running most commands.
const fs = require("node:fs");
const { dirname, join } = require("node:path");
const { crc32 } = require("node:zlib");

// What node:module exports; asking for it by that name loads much else.
const Module = module.constructor;
const day = 24 * 3600 * 1000;

// Node's own `recursive` never ends where a directory cannot be made although its parent is there, as below /proc.
function make(directory) {
  try {
    fs.mkdirSync(directory, 0o700);
  } catch ({ code }) {
    if (code === "EEXIST") return;
    const parent = dirname(directory);
    if (code !== "ENOENT" || parent === directory) throw new Error(code);
    make(parent);
    fs.mkdirSync(directory, 0o700);
  }
}

/** The directory, made for its owner alone; undefined where it cannot be, or is somebody else's to write to. */
function own(directory) {
  try {
    make(directory);
    const { uid, mode } = fs.statSync(directory);
    const ours = !process.getuid || (uid === process.getuid() && (mode & 0o022) === 0);
    return ours ? directory : undefined;
  } catch {
    // A home that is read-only or missing costs some milliseconds and nothing else.
    return undefined;
  }
}

/**
 * Gives a function that opens a file of `from` as `require` does. `build` names the files' content: what was made of
 * others is not used, and removed when it is a month old.
 */
exports.remembering = ({ directory, build, from }) => {
  const required = (file) => require(join(from, file));
  const kept = own(directory);
  if (!kept) return required;
  if (Module.enableCompileCache) {
    // Node writes while the process ends; what it writes is for its owner alone.
    const before = process.umask(0o077);
    Module.enableCompileCache(kept);
    process.umask(before);
    process.on("exit", () => process.umask(0o077));
    return required;
  }
  return keeping(join(kept, `${build}-${process.version}-${process.arch}`), from);
};

/** The same for Node 20, which has no such cache. */
function keeping(directory, from) {
  const { Script } = require("node:vm");
  const fresh = [];
  process.on("exit", () => {
    if (fresh.length) keep(directory, fresh);
  });
  return (file) => {
    const filename = join(from, file);
    const source = fs.readFileSync(filename, "utf8");
    const path = join(directory, file);
    const cachedData = read(path);
    const script = new Script(Module.wrap(source), { filename, cachedData });
    if (!cachedData || script.cachedDataRejected) fresh.push({ path, script });
    const opened = { exports: {} };
    script.runInThisContext()(opened.exports, require, opened, filename, from);
    return opened.exports;
  };
}

/**
 * What was kept, with a checksum behind it: V8 sees whether it made something of this source, but runs what a disk or a
 * power cut has damaged, and crashes.
 */
function read(path) {
  if (!fs.existsSync(path)) return undefined;
  const whole = fs.readFileSync(path);
  const data = whole.subarray(0, -4);
  return data.length && crc32(data) === whole.readUInt32LE(data.length) ? data : undefined;
}

function keep(directory, fresh) {
  try {
    if (!fs.existsSync(directory)) clean(dirname(directory));
    make(directory);
    for (const { path, script } of fresh) {
      const data = script.createCachedData();
      const sum = Buffer.alloc(4);
      sum.writeUInt32LE(crc32(data));
      const made = `${path}.${process.pid}`;
      fs.writeFileSync(made, Buffer.concat([data, sum]), { mode: 0o600, flag: "wx" });
      // Another process may read it at this moment: it gets all or nothing.
      fs.renameSync(made, path);
    }
  } catch {
    // The next run compiles again.
  }
}

/** Removes what earlier versions left. */
function clean(directory) {
  for (const name of fs.readdirSync(directory)) {
    const path = join(directory, name);
    if (fs.statSync(path).mtimeMs < Date.now() - 30 * day) fs.rmSync(path, { recursive: true, force: true });
  }
}
