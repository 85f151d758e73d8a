/** What is compiled is kept between runs, and never stands in the way of one. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { environment, zulipctl } from "./program.ts";

const help = ["users", "list", "--help"];

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());

const shown = { code: 0, out: expect.stringContaining("Usage: zulipctl users list [flags]"), err: "" };

test("it is kept for its owner alone, and used as it is", async () => {
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

test("each command adds the functions that it calls, once", async () => {
  const cache = directory();
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: cache };
  const found = () =>
    new Map(filesIn(cache).map((file) => [basename(file), [statSync(file).size, statSync(file).mtimeMs]]));
  await zulipctl(help, { env });
  const [least] = found().get("start.js")!;
  const wrong = ["users", "list", "--nope"];
  await zulipctl(wrong, { env });
  const [more] = found().get("start.js")!;
  expect(more).toBeGreaterThan(least! * 1.02);
  const before = found();
  expect(await zulipctl(help, { env })).toMatchObject(shown);
  expect(await zulipctl(wrong, { env })).toMatchObject({ code: 2 });
  expect(found()).toEqual(before);
});

/** What a file keeps: V8's data, and the numbers of the commands that it is of, before how many they are and a checksum. */
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

test("a command that has less to keep than is there adds nothing, and does not try it again", async () => {
  const cache = directory();
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: cache };
  await zulipctl(help, { env });
  const kept = filesIn(cache);
  const larger = kept.map((file) => {
    const data = Buffer.concat([parted(file).data, Buffer.alloc(100_000)]);
    keep(file, { data, commands: Buffer.alloc(0) });
    return data;
  });
  expect(await zulipctl(help, { env })).toMatchObject(shown);
  for (const [at, file] of kept.entries()) {
    const { data, commands } = parted(file);
    expect({ same: data.equals(larger[at]!), commands: commands.length }).toEqual({ same: true, commands: 4 });
  }
});

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
  const cache = directory();
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: cache };
  await zulipctl(help, { env });
  for (const file of filesIn(cache)) writeFileSync(file, damage(readFileSync(file)));
  expect(await zulipctl(help, { env })).toMatchObject(shown);
  expect(await zulipctl(help, { env })).toMatchObject(shown);
});

test("where it cannot be kept, all goes on without", async () => {
  const home = directory();
  writeFileSync(join(home, "file"), "");
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: join(home, "file/below") };
  expect(await zulipctl(help, { env })).toMatchObject(shown);
});

test("a directory that others can write to is not used", async () => {
  const cache = directory();
  mkdirSync(join(cache, "compiled"));
  chmodSync(join(cache, "compiled"), 0o777);
  expect(await zulipctl(help, { env: { ...environment(), ZULIPCTL_CACHE_DIR: cache } })).toMatchObject(shown);
  expect(filesIn(cache)).toEqual([]);
});

const replaced: [string, (file: string) => void][] = [
  ["a directory", (file) => mkdirSync(file)],
  ["a pipe that nobody writes to", (file) => void spawnSync("mkfifo", [file])],
  ["a link", (file) => symlinkSync("/dev/zero", file)],
  ["a link to nothing", (file) => symlinkSync(`${file}-none`, file)],
];

test.each(replaced)("%s in the place of what was kept is no cache", async (_, put) => {
  const cache = directory();
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: cache };
  await zulipctl(help, { env });
  for (const file of filesIn(cache)) {
    rmSync(file);
    put(file);
  }
  expect(await zulipctl(help, { env })).toMatchObject(shown);
});

test("below a directory that others can write to nothing is kept, and nothing read", async () => {
  const around = directory();
  const env = { ...environment(), ZULIPCTL_CACHE_DIR: join(around, "cache") };
  await zulipctl(help, { env });
  chmodSync(around, 0o777);
  // Were it read, this would show.
  const kept = filesIn(join(around, "cache"));
  for (const file of kept) writeFileSync(file, "");
  expect(await zulipctl(help, { env })).toMatchObject(shown);
  expect(kept.map((file) => statSync(file).size)).toEqual(kept.map(() => 0));
  rmSync(join(around, "cache"), { recursive: true });
  expect(await zulipctl(help, { env })).toMatchObject(shown);
  expect(readdirSync(around)).toEqual([]);
});

test.runIf(process.getuid?.() === 0)("what another user has made is not run", async () => {
  const home = directory();
  // As that user finds it: a shared directory, in which somebody was faster.
  const shared = join(home, "shared");
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  await zulipctl(help, { env: { ...environment(), XDG_CACHE_HOME: shared } });
  const kept = filesIn(shared);
  expect(kept.length).toBeGreaterThan(0);
  for (const file of kept) {
    writeFileSync(file, "");
    chmodSync(file, 0o666);
  }
  spawnSync("chown", ["-R", "4711", shared]);
  spawnSync("chmod", ["-R", "a+rX", home]);
  expect(await zulipctl(help, { env: { ...environment(), XDG_CACHE_HOME: shared } })).toMatchObject(shown);
  expect(kept.map((file) => statSync(file).size)).toEqual(kept.map(() => 0));
});

test("what a run of many rows keeps can be used by others", async () => {
  const cache = directory();
  const env = {
    ...environment(),
    ZULIPCTL_CACHE_DIR: cache,
    ZULIP_SITE: "http://127.0.0.1:1",
    ZULIP_EMAIL: "a@b.example",
    ZULIP_API_KEY: "abcdefghijklmnopqrstuvwxyz012345",
  };
  const batch = async (rows: number) => {
    const file = join(directory(), "rows.csv");
    writeFileSync(file, `id\n${Array.from({ length: rows }, (_, n) => n + 1).join("\n")}\n`);
    const flags = ["--dry-run", "--feature-level", "400", "-o", "none"];
    const words = ["batch", file, ...flags, "--", "channel", "update", "{id}", "--description", "x"];
    expect(await zulipctl(words, { env })).toMatchObject({ code: 0, err: "" });
  };
  // As another command, it leaves alone what is valid and has what it calls.
  const compiled = () => filesIn(join(cache, "compiled")).map((path) => [path, statSync(path).mtimeMs]);
  await batch(1);
  await batch(400);
  const before = compiled();
  expect(before.length).toBeGreaterThan(0);
  await batch(1);
  expect(compiled()).toEqual(before);
});
