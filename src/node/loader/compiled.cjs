"use strict";
// Keeps what V8 makes of the program's files between runs. Node's own cache would do the same from Node 22 on, but opens
// whatever lies there, be it a pipe or a link.
const fs = require("node:fs");
const { dirname, join } = require("node:path");
const { crc32 } = require("node:zlib");
const { Script } = require("node:vm");

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
 * others is not used, and removed when it is a month old. `used` names the parts that have been in use when the process
 * ends.
 */
exports.remembering = ({ cache, build, from, used }) =>
  keeping(join(cache, "compiled", `${build}-${process.version}-${process.arch}`), from, used);

const user = process.geteuid?.();

/** Whether this user or root alone can have made something, and alone can change it. Windows has no such bits. */
const isOwn = ({ uid, mode }) => user === undefined || ((uid === user || uid === 0) && (mode & 0o022) === 0);

/** Whether that holds for a directory of compiled code, and for those above it up to the cache's own. */
const areOwn = (directory) =>
  [directory, dirname(directory), dirname(dirname(directory))].every((each) => isOwn(fs.statSync(each)));

const none = { size: 0, commands: [] };

/** So many commands add what they call; those that come later take what is there. */
const mostCommands = 200;

function keeping(directory, from, used) {
  const all = [];
  process.on("exit", () => {
    // V8 keeps the functions that were called. Those of another command are compiled anew each time, for a tenth of what a
    // list of ten takes: the first run of each command adds its own. What a command loads tells it from others.
    const command = crc32([...used()].sort().join());
    const adding = all.filter(({ kept: { size, commands } }) => {
      return size === 0 || (commands.length < mostCommands && !commands.includes(command));
    });
    if (adding.length) orNone(() => keep(directory, adding, command));
  });
  return (file) => {
    const filename = join(from, file);
    // The build writes nothing but ASCII, which takes a third of the time in this form.
    const source = fs.readFileSync(filename, "latin1");
    const path = join(directory, file);
    const { data: cachedData, commands = [] } = orNone(() => read(path)) ?? {};
    const script = new Script(source, { filename, cachedData });
    const valid = cachedData && !script.cachedDataRejected;
    if (valid) all.push({ path, script, kept: { size: cachedData.length, commands } });
    // Where V8 has taken others, a flag of it is changed for the moment, and what is there is good for other runs.
    else if (!cachedData || !all.some(({ kept }) => kept.size)) all.push({ path, script, kept: none });
    return script.runInThisContext() ?? {};
  };
}

const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = fs.constants;

/**
 * What was kept: V8's data, the commands that it is of, how many they are, and a checksum. V8 sees whether it made
 * something of this source, but runs what a disk or a power cut has damaged, and crashes.
 */
function read(path) {
  if (!fs.existsSync(path)) return undefined;
  // A pipe that lies there is not waited for.
  const fd = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    // Judged once it is open: by then nobody else can put another file in its place.
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
    // V8 forgets functions, in a long run all that were called once: what is kept stays, and is not tried again.
    const data = made.length < kept.size ? orNone(() => read(path))?.data : made;
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
    // Another process may read it at this moment: it gets all or nothing.
    fs.renameSync(beside, path);
  }
}

const ours = { directory: /^\d[\w.]*-[0-9a-f]{16}-v\d[\w.-]*-\w+$/, file: /^[\w-]+\.js(\.\d+)?$/ };

/** Removes what earlier versions left, and nothing that this program has not made; no link is followed. */
function clean(compiled) {
  if (!fs.lstatSync(compiled).isDirectory()) return;
  for (const name of fs.readdirSync(compiled)) {
    const directory = join(compiled, name);
    const found = fs.lstatSync(directory);
    if (!ours.directory.test(name) || !found.isDirectory() || found.mtimeMs > Date.now() - 30 * day) continue;
    for (const file of fs.readdirSync(directory)) if (ours.file.test(file)) fs.rmSync(join(directory, file));
    orNone(() => fs.rmdirSync(directory));
  }
}
