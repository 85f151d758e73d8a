/** Compiled code is kept between runs. Problems with it never stop a run. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { environment, program, zulipctl } from "./program.ts";

const help = ["users", "list", "--help"];

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());

/** Copies a cache with the modes and times of its files. */
function copyOf(cache: string, copy = directory()): string {
  expect(spawnSync("cp", ["-pR", `${cache}/.`, copy]).status).toBe(0);
  return copy;
}

/** Caches that tests copy. */
const made = mkdtempSync(join(tmpdir(), "zulipctl-compiled-"));
afterAll(() => rmSync(made, { recursive: true }));
const filled = join(made, "filled");
const planted = join(made, "planted");

/** Returns a cache with the compiled code of `help`. */
async function filledCache(): Promise<string> {
  if (!existsSync(filled)) {
    mkdirSync(filled, { mode: 0o700 });
    await zulipctl(help, { env: { ...environment(), ZULIPCTL_CACHE_DIR: filled } });
  }
  return copyOf(filled);
}

const shown = { code: 0, out: expect.stringContaining("Usage: zulipctl users list [flags]"), err: "" };

test("keeps compiled code in private files and uses it", async () => {
  const cache = directory();
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: cache };
  expect(await zulipctl(help, { env })).toMatchObject(shown);
  const kept = filesIn(cache);
  expect(kept.length).toBeGreaterThan(0);
  const all = readdirSync(cache, { recursive: true, encoding: "utf8" }).map((name) => statSync(join(cache, name)));
  for (const stat of all) expect((stat.mode & 0o777).toString(8)).toBe(stat.isDirectory() ? "700" : "600");
  const before = kept.map((file) => statSync(file).mtimeMs);
  expect(await zulipctl(help, { env })).toMatchObject(shown);
  expect(filesIn(cache).map((file) => statSync(file).mtimeMs)).toEqual(before);
});

/** Reads a file of the cache: the data of V8, the numbers of its commands, their count, and a checksum. */
function parted(file: string): { data: Buffer; commands: Buffer } {
  const whole = readFileSync(file);
  const end = whole.length - 8;
  const size = end - 4 * whole.readUInt32LE(end);
  return { data: whole.subarray(0, size), commands: whole.subarray(size, end) };
}

function keep(file: string, { data, commands }: ReturnType<typeof parted>): void {
  const end = Buffer.alloc(8);
  end.writeUInt32LE(commands.length / 4);
  end.writeUInt32LE(crc32(Buffer.concat([data, commands, end.subarray(0, 4)])), 4);
  writeFileSync(file, Buffer.concat([data, commands, end]));
}

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
const zeros = (bytes: Buffer) => Buffer.alloc(bytes.length);
const flipped = (bytes: Buffer) => {
  const copy = Buffer.from(bytes);
  copy[copy.length >> 1]! ^= 0xff;
  return copy;
};

test.each([
  ["cut short", half],
  ["zeros", zeros],
  ["one byte off", flipped],
  ["empty", () => Buffer.alloc(0)],
] as const)("damaged (%s), it is made anew", async (_, damage) => {
  const cache = await filledCache();
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: cache };
  for (const file of filesIn(cache)) writeFileSync(file, damage(readFileSync(file)));
  expect(await zulipctl(help, { env })).toMatchObject(shown);
  expect(await zulipctl(help, { env })).toMatchObject(shown);
});

test("works without a place for compiled code", async () => {
  const home = directory();
  writeFileSync(join(home, "file"), "");
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: join(home, "file/below") };
  expect(await zulipctl(help, { env })).toMatchObject(shown);
});

const replaced: [string, (file: string) => void][] = [
  ["a directory", (file) => mkdirSync(file)],
  ["a pipe that nobody writes to", (file) => void spawnSync("mkfifo", [file])],
  ["a link", (file) => symlinkSync("/dev/zero", file)],
  ["a link to nothing", (file) => symlinkSync(`${file}-none`, file)],
];

test.each(replaced)("ignores %s in place of the compiled code", async (_, put) => {
  const cache = await filledCache();
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: cache };
  for (const file of filesIn(cache)) {
    rmSync(file);
    put(file);
  }
  expect(await zulipctl(help, { env })).toMatchObject(shown);
});

const startIn = (cache: string): string => filesIn(cache).find((path) => basename(path) === "start.js")!;

/** Returns a filled cache. The compiled code of `start.js` is that of another text of the same length, which ends with 99. */
async function plantedCache(): Promise<string> {
  if (existsSync(planted)) return copyOf(planted);
  mkdirSync(planted, { mode: 0o700 });
  copyOf(await filledCache(), planted);
  const file = startIn(planted);
  const compile = `
    const fs = require("node:fs");
    const [source, to] = process.argv.slice(1);
    const text = fs.readFileSync(source, "latin1");
    const begin = '(typeof module === "object" ? module : {})';
    const other = text.replace(begin, "process.exit(99), ({})".padEnd(begin.length));
    const { Script } = require("node:vm");
    fs.writeFileSync(to, new Script(other, { filename: source }).createCachedData());
  `;
  spawnSync(process.execPath, ["-e", compile, join(dirname(program), "../dist/start.js"), file]);
  keep(file, { data: readFileSync(file), commands: Buffer.alloc(0) });
  return copyOf(planted);
}

const levels = ["the cache", "compiled", "the directory of this build", "the file"];

/** The planted file, and the directories above it up to the cache directory. */
const above = (cache: string, file: string) => [cache, join(cache, "compiled"), dirname(file), file];

const ways: [string, (path: string) => void][] = [
  ["that others can write to", (path) => chmodSync(path, 0o777)],
  ["that a group can write to", (path) => chmodSync(path, 0o770)],
  ["that is sticky", (path) => chmodSync(path, 0o1777)],
  ...(process.getuid?.() === 0
    ? [["of another user", (path) => chownSync(path, 4711, 4711)] as [string, (path: string) => void]]
    : []),
];

test("runs only compiled code that this user can have written", async () => {
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: await plantedCache() };
  expect(await zulipctl(help, { env })).toMatchObject({ code: 99 });
});

test.each(ways)("neither runs nor keeps compiled code below a directory %s", async (_, change) => {
  for (const [level] of levels.entries()) {
    const cache = await plantedCache();
    const env = { ...environment(), ZULIPCTL_CACHE_DIR: cache };
    const file = startIn(cache);
    const before = readFileSync(file);
    change(above(cache, file)[level]!);
    expect(await zulipctl(help, { env })).toMatchObject(shown);
    if (levels[level] !== "the file") expect(readFileSync(file).equals(before)).toBe(true);
  }
});

test("removes only the compiled code of earlier builds", async () => {
  const cache = directory();
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: cache };
  const others = directory();
  const old = new Date(0);
  const earlier = (name: string, inside: string) => {
    mkdirSync(join(cache, "compiled", name), { recursive: true });
    writeFileSync(join(cache, "compiled", name, inside), "");
    utimesSync(join(cache, "compiled", name), old, old);
  };
  const build = "0.1.0-0123456789abcdef-v20.19.0-x64";
  earlier(build, "start.js");
  earlier(`${build}a`, "thesis.txt");
  earlier("photos", "start.js");
  writeFileSync(join(others, "start.js"), "");
  symlinkSync(others, join(cache, "compiled", `${build}b`));
  await zulipctl(help, { env });
  const left = readdirSync(join(cache, "compiled")).filter(
    (name) => statSync(join(cache, "compiled", name)).mtimeMs < 1,
  );
  expect(left.sort()).toEqual([`${build}a`, "photos"]);
  expect(readdirSync(others)).toEqual(["start.js"]);
});

test("follows no link when it removes compiled code of earlier builds", async () => {
  const cache = directory();
  const others = directory();
  const build = join(others, "0.1.0-0123456789abcdef-v20.19.0-x64");
  mkdirSync(build);
  writeFileSync(join(build, "start.js"), "");
  utimesSync(build, new Date(0), new Date(0));
  symlinkSync(others, join(cache, "compiled"));
  await zulipctl(help, { env: { ...environment(), ZULIPCTL_CACHE_DIR: cache } });
  expect(readdirSync(build)).toEqual(["start.js"]);
});
