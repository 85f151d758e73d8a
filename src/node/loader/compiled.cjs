"use strict";
// Keeps the code that V8 compiles between runs. Node's own cache exists from Node 22 on, but would open pipes and links.
const fs = require("node:fs");
const { dirname, join } = require("node:path");
const { crc32 } = require("node:zlib");
const { Script } = require("node:vm");

const day = 24 * 3600 * 1000;

// Node's own `recursive` never ends if the parent exists and the system still reports ENOENT, as below /proc.
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

/** Returns undefined after an error: without the cache, the program only starts slower. */
function orUndefined(attempt) {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}

/**
 * Returns a function that opens a file of `from` like `require`. `build` identifies the content of the files. Code of
 * another build is not used, and removed after a month. `read` returns the bytes of a file, and `used` the parts that the
 * process has loaded.
 */
exports.remembering = ({ cache, build, from, read, used }) =>
  keeping(join(cache, "compiled", `${build}-${process.version}-${process.arch}`), { from, read, used });

const user = process.geteuid?.();

/** Returns whether only this user or root can have made or changed a file. Windows has no such modes. */
const isOwn = ({ uid, mode }) => user === undefined || ((uid === user || uid === 0) && (mode & 0o022) === 0);

/** Returns whether that is so for a directory of compiled code and the cache directories above it. */
const areOwn = (directory) =>
  [directory, dirname(directory), dirname(dirname(directory))].every((each) => isOwn(fs.statSync(each)));

/** Returns why nothing can be kept in a cache directory, or undefined. */
exports.problem = (cache) => {
  const directory = join(cache, "compiled");
  try {
    make(directory);
    fs.accessSync(directory, fs.constants.W_OK);
    return [cache, directory].every((each) => isOwn(fs.statSync(each))) ? undefined : "other users can change it";
  } catch ({ message }) {
    return message.split(",")[0];
  }
};

const none = { size: 0, commands: [] };

/** The largest number of commands that add their functions. Later commands use what is there. */
const mostCommands = 200;

function keeping(directory, { from, read: readSource, used }) {
  const all = [];
  process.on("exit", () => {
    // V8 keeps only functions that were called. So the first run of each command adds its own. A command is identified
    // by the parts that it loads.
    const command = crc32([...used()].sort().join());
    const adding = all.filter(({ kept: { size, commands } }) => {
      return size === 0 || (commands.length < mostCommands && !commands.includes(command));
    });
    if (adding.length) orUndefined(() => keep(directory, adding, command));
  });
  return (file) => {
    const filename = join(from, file);
    // The build writes only ASCII, which is read faster in this encoding.
    const source = readSource(file).latin1Slice();
    const path = join(directory, file);
    const { data: cachedData, commands = [] } = orUndefined(() => read(path)) ?? {};
    const script = new Script(source, { filename, cachedData });
    const valid = cachedData && !script.cachedDataRejected;
    if (valid) all.push({ path, script, kept: { size: cachedData.length, commands } });
    // If V8 accepts only some files, its flags differ in this run. The cache is good for other runs.
    else if (!cachedData || !all.some(({ kept }) => kept.size)) all.push({ path, script, kept: none });
    return script.runInThisContext() ?? {};
  };
}

const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = fs.constants;

/**
 * Reads a file of the cache: the data of V8, the numbers of its commands, their count, and a checksum. V8 checks that the
 * data is of this source, but crashes on damaged data.
 */
function read(path) {
  if (!fs.existsSync(path)) return undefined;
  // It must not wait for a pipe.
  const fd = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    // Checked after opening: nobody can replace an open file.
    const found = fs.fstatSync(fd);
    if (!found.isFile() || !isOwn(found) || !areOwn(dirname(path))) return undefined;
    const whole = fs.readFileSync(fd);
    const end = whole.length - 8;
    if (crc32(whole.subarray(0, -4)) !== whole.readUInt32LE(end + 4)) return undefined;
    const count = whole.readUInt32LE(end);
    const size = end - 4 * count;
    const commands = Array.from({ length: count }, (_, n) => whole.readUInt32LE(size + 4 * n));
    return { data: whole.subarray(0, size), commands };
  } finally {
    fs.closeSync(fd);
  }
}

function keep(directory, adding, command) {
  const missing = !fs.existsSync(directory);
  make(directory);
  if (!areOwn(directory)) return;
  if (missing) clean(dirname(directory));
  for (const { path, script, kept } of adding) {
    const made = script.createCachedData();
    // In a long run V8 forgets functions. Then the old data stays, and this command does not try again.
    const data = made.length < kept.size ? orUndefined(() => read(path))?.data : made;
    if (!data) continue;
    const numbers = [...kept.commands, command];
    const end = Buffer.alloc(4 * numbers.length + 8);
    for (const [at, number] of [...numbers, numbers.length].entries()) end.writeUInt32LE(number, 4 * at);
    end.writeUInt32LE(crc32(end.subarray(0, -4), crc32(data)), end.length - 4);
    const beside = `${path}.${process.pid}`;
    const fd = fs.openSync(beside, "wx", 0o600);
    try {
      fs.writevSync(fd, [data, end]);
    } finally {
      fs.closeSync(fd);
    }
    // Another process may be reading it.
    fs.renameSync(beside, path);
  }
}

const ours = { directory: /^\d[\w.]*-[0-9a-f]{16}-v\d[\w.-]*-\w+$/, file: /^[\w-]+\.js(\.\d+)?$/ };

/** Removes old code of other builds, and no other files. No link is followed. */
function clean(compiled) {
  if (!fs.lstatSync(compiled).isDirectory()) return;
  for (const name of fs.readdirSync(compiled)) {
    const directory = join(compiled, name);
    const found = fs.lstatSync(directory);
    if (!ours.directory.test(name) || !found.isDirectory() || found.mtimeMs > Date.now() - 30 * day) continue;
    for (const file of fs.readdirSync(directory)) if (ours.file.test(file)) fs.rmSync(join(directory, file));
    orUndefined(() => fs.rmdirSync(directory));
  }
}
