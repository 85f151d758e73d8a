import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesOf } from "../../src/node/files.ts";
import { ownPrefix } from "../../src/node/process-name.ts";
import { directory } from "./directory.ts";

const files = filesOf({});

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("writes files with mode 0600 in directories with mode 0700", async () => {
  const path = join(directory(), "a", "b", "file");
  await files.write(path, "text");
  expect([await files.read(path), mode(path), mode(join(path, "..")), mode(join(path, "../.."))]).toEqual([
    "text",
    "600",
    "700",
    "700",
  ]);
});

test.runIf(existsSync("/proc/self"))("reports at once that a directory cannot be made", async () => {
  await expect(files.write("/proc/nothing/here/file", "")).rejects.toThrow("ENOENT");
  await expect(files.append("/proc/self/status/file")).rejects.toThrow("ENOTDIR");
  await expect(files.lock("/dev/null/a/b", 10)).rejects.toThrow("ENOTDIR");
});

test("existing directories keep their mode", async () => {
  const around = directory();
  for (const [name, before] of Object.entries({ private: 0o700, open: 0o755, shared: 0o1777 })) {
    const own = join(around, name);
    mkdirSync(join(own, "batch"), { recursive: true });
    for (const path of [own, join(own, "batch")]) chmodSync(path, before);
    const kept = filesOf({ written: [own] });
    await kept.write(join(own, "batch", "levels.json"), "{}");
    await (await kept.lock(join(own, "batch", "journal"), 0))!.release();
    await (await kept.append(join(own, "batch", "journal"))).close();
    await kept.write(join(own, "keys", "work"), "key");
    expect([own, join(own, "batch")].map((path) => statSync(path).mode & 0o7777)).toEqual([before, before]);
    expect(mode(join(own, "keys"))).toBe("700");
  }
});

test("writes, makes and locks nothing of its own where others can write", async () => {
  const around = join(directory(), "open");
  mkdirSync(around);
  chmodSync(around, 0o777);
  const own = join(around, "zulipctl");
  const kept = filesOf({ written: [own], read: [own] });
  const reason = `others can write to ${around}`;
  await expect(kept.write(join(own, "file"), "")).rejects.toThrow(reason);
  await expect(kept.append(join(own, "file"))).rejects.toThrow(reason);
  await expect(kept.lock(join(own, "file"), 0)).rejects.toThrow(reason);
  expect(existsSync(own)).toBe(false);
  mkdirSync(own);
  writeFileSync(join(own, "file"), "");
  await expect(kept.read(join(own, "file"))).rejects.toThrow(reason);
  // Users may choose such places.
  await kept.write(join(around, "other"), "");
});

test("reading with access tells whether others can make files in a directory of its own", async () => {
  const own = join(directory(), "zulipctl");
  mkdirSync(join(own, "keys"), { recursive: true });
  writeFileSync(join(own, "keys", "work"), "key", { mode: 0o600 });
  const kept = filesOf({ written: [own] });
  const flaw = async () => (await kept.readWithAccess(join(own, "keys", "work")))?.access.directoryFlaw;
  expect(await flaw()).toBeUndefined();
  for (const open of [join(own, "keys"), own]) {
    chmodSync(open, 0o777);
    expect(await flaw()).toEqual({ reason: `others can write to ${open}`, fix: `chmod go-w ${open}` });
    chmodSync(open, 0o700);
  }
  chmodSync(own, 0o777);
  expect((await files.readWithAccess(join(own, "keys", "work")))?.access.directoryFlaw).toBeUndefined();
});

test.runIf(existsSync("/proc/self/stat"))("a write removes the temporary files of killed processes", async () => {
  const own = directory();
  // Process 1 began at another time.
  writeFileSync(join(own, `.zulipctl-${ownPrefix.replace(/^\d+~\d+/, "1~1")}killed`), "key");
  writeFileSync(join(own, ".zulipctl-4321-old"), "key");
  writeFileSync(join(own, ".zulipctl-4321-new"), "key");
  utimesSync(join(own, ".zulipctl-4321-old"), 1, 1);
  const kept = filesOf({ written: [own] });
  const mine = await kept.createFile(join(own, "mine"));
  await kept.write(join(own, "other"), "text");
  const left = readdirSync(own).filter((name) => !name.startsWith(`.zulipctl-${ownPrefix}`));
  expect([left.sort(), readdirSync(own).length]).toEqual([[".zulipctl-4321-new", "other"], 3]);
  await mine.discard();
});

test("follows no link to a file of its own", async () => {
  const own = directory();
  writeFileSync(join(own, "real"), "text");
  symlinkSync(join(own, "real"), join(own, "link"));
  const kept = filesOf({ written: [own], read: [own] });
  await expect(kept.read(join(own, "link"))).rejects.toThrow("ELOOP");
  await expect(kept.append(join(own, "link"))).rejects.toThrow("ELOOP");
});

test("a replaced file has mode 0600, and no temporary file is left", async () => {
  const path = join(directory(), "file");
  writeFileSync(path, "old");
  chmodSync(path, 0o644);
  const access = async () => (await files.readWithAccess(path))?.access;
  expect(await access()).toEqual({ readable: true, writable: false });
  await files.write(path, "new");
  expect([readFileSync(path, "utf8"), mode(path)]).toEqual(["new", "600"]);
  expect(await access()).toEqual({ readable: false, writable: false });
  expect(readdirSync(join(path, ".."))).toEqual(["file"]);
});

test("replaces a link, not its target", async () => {
  const made = directory();
  writeFileSync(join(made, "real"), "old");
  symlinkSync(join(made, "real"), join(made, "link"));
  await files.write(join(made, "link"), "new");
  expect([readFileSync(join(made, "real"), "utf8"), readFileSync(join(made, "link"), "utf8")]).toEqual(["old", "new"]);
  expect(lstatSync(join(made, "link")).isSymbolicLink()).toBe(false);
});

test("a missing file is undefined, and other errors are thrown", async () => {
  const made = directory();
  writeFileSync(join(made, "file"), "");
  expect(await files.read(join(made, "none"))).toBeUndefined();
  expect(await files.read(join(made, "file", "none"))).toBeUndefined();
  expect(await files.readWithAccess(join(made, "none"))).toBeUndefined();
  expect(await files.list(join(made, "none"))).toEqual([]);
  await files.remove(join(made, "none"));
  await expect(files.read(made)).rejects.toThrow("EISDIR");
});

test("a log keeps the order of its lines, and has mode 0600", async () => {
  const path = join(directory(), "state", "log");
  const written = await files.append(path);
  await Promise.all(Array.from({ length: 50 }, (_, n) => written.append(`${n}\n`)));
  await written.sync();
  await written.close();
  expect(readFileSync(path, "utf8")).toBe(Array.from({ length: 50 }, (_, n) => `${n}\n`).join(""));
  expect(mode(path)).toBe("600");
});

test("appends to an existing log at `truncateTo`, and keeps its mode", async () => {
  const path = join(directory(), "log");
  writeFileSync(path, "one\ntwo\nto");
  chmodSync(path, 0o644);
  const written = await files.append(path, { truncateTo: 8 });
  await written.append("three\n");
  await written.close();
  expect([readFileSync(path, "utf8"), mode(path)]).toEqual(["one\ntwo\nthree\n", "644"]);
});

const node = join(mkdtempSync(join(tmpdir(), "zulipctl-node-")), "null");
const nodes = spawnSync("mknod", ["-m", "666", node, "c", "1", "3"]).status === 0;
if (!nodes) console.warn("no test of device nodes: this account may not make any");

test.runIf(nodes)("writes to a device, and keeps its mode", async () => {
  const written = await files.append(node, { truncateTo: 0 });
  await written.append("gone\n");
  await written.sync();
  await written.close();
  expect(mode(node)).toBe("666");
});

test.each(["", "sleep 5 <"])(
  "refuses to append to a named pipe at once, with a reader or without: %j",
  async (reads) => {
    const path = join(directory(), "pipe");
    spawnSync("mkfifo", [path]);
    const reader = spawn("sh", ["-c", reads ? `exec ${reads}'${path}'` : ":"], { stdio: "ignore" });
    await expect(files.append(path, { truncateTo: 0 })).rejects.toThrow("it is a named pipe, not a regular file");
    reader.kill("SIGKILL");
  },
);

test("writes to a slow pipe of the shell", async () => {
  const path = join(directory(), "pipe");
  spawnSync("mkfifo", [path]);
  const kept = openSync(path, "r+");
  const reader = spawn("sh", ["-c", `sleep 0.2; wc -c <'${path}'`], { stdio: ["ignore", "pipe", "ignore"] });
  const counted = new Promise((resolve) => reader.stdout.once("data", (text) => resolve(Number(text))));
  const log = await files.append(`/dev/fd/${kept}`, { truncateTo: 0 });
  await log.append("x".repeat(200_000));
  await log.sync();
  await log.close();
  closeSync(kept);
  expect(await counted).toBe(200_000);
});

test("an exclusive log rejects an existing file", async () => {
  const path = join(directory(), "log");
  writeFileSync(path, "");
  await expect(files.append(path, { exclusive: true })).rejects.toThrow("EEXIST");
});
