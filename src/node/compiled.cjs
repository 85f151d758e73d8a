"use strict";
// Keeps what V8 makes of the program's files between runs. It is worth some 25 ms of a list of ten, which takes 92 with it.
// Node's own cache would do the same from Node 22 on, but opens whatever lies there, be it a pipe or a link.
const fs = require("node:fs");
const { dirname, join } = require("node:path");
const { crc32 } = require("node:zlib");
const { Script } = require("node:vm");

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

/** What `attempt` gives; undefined where it fails: a cache that cannot be used costs some milliseconds and nothing else. */
function orNone(attempt) {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}

/**
 * Gives a function that opens a file of `from` as `require` does. `build` names the files' content: what was made of
 * others is not used, and removed when it is a month old. `distrusted` says why others may have written to a directory.
 */
exports.remembering = ({ directory, build, from, distrusted }) => {
  // A directory that is missing is nobody's; one that this makes is made once it is known that it will be used.
  if (orNone(() => distrusted(directory) ?? "") !== "") return (file) => require(join(from, file));
  return keeping(join(directory, `${build}-${process.version}-${process.arch}`), from, distrusted);
};

function keeping(directory, from, distrusted) {
  const fresh = [];
  process.on("exit", () => {
    if (fresh.length) orNone(() => keep(directory, fresh, distrusted));
  });
  return (file) => {
    const filename = join(from, file);
    const source = fs.readFileSync(filename, "utf8");
    const path = join(directory, file);
    const cachedData = orNone(() => read(path));
    const script = new Script(Module.wrap(source), { filename, cachedData });
    if (!cachedData || script.cachedDataRejected) fresh.push({ path, script });
    const opened = { exports: {} };
    script.runInThisContext()(opened.exports, require, opened, filename, from);
    return opened.exports;
  };
}

const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = fs.constants;

/**
 * What was kept, with a checksum behind it: V8 sees whether it made something of this source, but runs what a disk or a
 * power cut has damaged, and crashes.
 */
function read(path) {
  if (!fs.existsSync(path)) return undefined;
  // A pipe that lies there is not waited for.
  const fd = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    if (!fs.fstatSync(fd).isFile()) return undefined;
    const whole = fs.readFileSync(fd);
    const data = whole.subarray(0, -4);
    return data.length && crc32(data) === whole.readUInt32LE(data.length) ? data : undefined;
  } finally {
    fs.closeSync(fd);
  }
}

function keep(directory, fresh, distrusted) {
  if (!fs.existsSync(directory)) clean(dirname(directory));
  make(directory);
  if (distrusted(directory)) return;
  for (const { path, script } of fresh) {
    const data = script.createCachedData();
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crc32(data));
    const made = `${path}.${process.pid}`;
    const fd = fs.openSync(made, "wx", 0o600);
    try {
      fs.writeSync(fd, Buffer.concat([data, sum]));
    } finally {
      fs.closeSync(fd);
    }
    // Another process may read it at this moment: it gets all or nothing.
    fs.renameSync(made, path);
  }
}

/** Removes what earlier versions left. */
function clean(directory) {
  if (!fs.existsSync(directory)) return;
  for (const name of fs.readdirSync(directory)) {
    const path = join(directory, name);
    if (fs.lstatSync(path).mtimeMs < Date.now() - 30 * day) fs.rmSync(path, { recursive: true, force: true });
  }
}
