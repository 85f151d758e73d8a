import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesOf, log } from "../../src/node/files.ts";
import { directory } from "./directory.ts";

const files = filesOf([]);

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("what is written is 0600 in directories of 0700", async () => {
  const path = join(directory(), "a", "b", "file");
  await files.write(path, "text");
  expect([await files.read(path), mode(path), mode(join(path, "..")), mode(join(path, "../.."))]).toEqual([
    "text",
    "600",
    "700",
    "700",
  ]);
});

test.runIf(existsSync("/proc/self"))("where no directory can be made, that is told at once", async () => {
  await expect(files.write("/proc/nothing/here/file", "")).rejects.toThrow("ENOENT");
  await expect(files.append("/proc/self/status/file")).rejects.toThrow("ENOTDIR");
  await expect(files.lock("/dev/null/a/b", 10)).rejects.toThrow("ENOTDIR");
});

test("a directory that belongs to zulipctl is closed where it was open, and no other is", async () => {
  const around = directory();
  const [own, other] = [join(around, "own"), join(around, "other")];
  for (const path of [around, own, join(own, "keys"), other]) {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o755);
  }
  const kept = filesOf([own]);
  await kept.write(join(own, "keys", "work"), "key");
  await kept.write(join(other, "journal"), "{}");
  await kept.write(join(around, "owner"), "{}");
  expect([around, own, join(own, "keys"), other].map(mode)).toEqual(["755", "700", "700", "755"]);
});

test("a directory that holds more than zulipctl's files, or is shared, stays as it is", async () => {
  const around = directory();
  const shared = join(around, "shared");
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  await filesOf([shared]).write(join(shared, "levels.json"), "{}");
  expect(statSync(shared).mode & 0o7777).toBe(0o1777);
  const here = process.cwd();
  const before = mode(here);
  await filesOf([here])
    .lock(join(here, "pace.json"), 10)
    .then((lock) => lock?.release());
  expect(mode(here)).toBe(before);
});

test("a file that others could read is 0600 after writing, and nothing else is left in its directory", async () => {
  const path = join(directory(), "file");
  writeFileSync(path, "old");
  chmodSync(path, 0o644);
  const access = async () => (await files.guarded(path))?.access;
  expect(await access()).toEqual({ readable: true, writable: false });
  await files.write(path, "new");
  expect([readFileSync(path, "utf8"), mode(path)]).toEqual(["new", "600"]);
  expect(await access()).toEqual({ readable: false, writable: false });
  expect(readdirSync(join(path, ".."))).toEqual(["file"]);
});

test("a link keeps pointing to the file that is replaced", async () => {
  const made = directory();
  writeFileSync(join(made, "real"), "old");
  symlinkSync(join(made, "real"), join(made, "link"));
  await files.write(join(made, "link"), "new");
  expect(readFileSync(join(made, "real"), "utf8")).toBe("new");
});

test("what is missing reads as nothing, and other trouble is told", async () => {
  const made = directory();
  writeFileSync(join(made, "file"), "");
  expect(await files.read(join(made, "none"))).toBeUndefined();
  expect(await files.read(join(made, "file", "none"))).toBeUndefined();
  expect(await files.guarded(join(made, "none"))).toBeUndefined();
  expect(await files.list(join(made, "none"))).toEqual([]);
  await files.remove(join(made, "none"));
  await expect(files.read(made)).rejects.toThrow("EISDIR");
});

test("a file can be streamed, listed and removed", async () => {
  const made = directory();
  await files.write(join(made, "file"), "abc");
  let text = "";
  for await (const chunk of files.stream(join(made, "file"))) text += Buffer.from(chunk).toString();
  expect([text, await files.list(made)]).toEqual(["abc", ["file"]]);
  await files.remove(join(made, "file"));
  expect(await files.list(made)).toEqual([]);
});

test("a log keeps the order of its appends and is 0600", async () => {
  const path = join(directory(), "state", "log");
  const written = await files.append(path);
  await Promise.all(Array.from({ length: 50 }, (_, n) => written.append(`${n}\n`)));
  await written.sync();
  await written.close();
  expect(readFileSync(path, "utf8")).toBe(Array.from({ length: 50 }, (_, n) => `${n}\n`).join(""));
  expect(mode(path)).toBe("600");
});

test("an existing log is continued where it is cut, and made 0600", async () => {
  const path = join(directory(), "log");
  writeFileSync(path, "one\ntwo\nto");
  chmodSync(path, 0o644);
  const written = await files.append(path, { truncateTo: 8 });
  await written.append("three\n");
  await written.close();
  expect([readFileSync(path, "utf8"), mode(path)]).toEqual(["one\ntwo\nthree\n", "600"]);
});

test("an existing log goes on as a new file of 0600, which nobody has open", async () => {
  const path = join(directory(), "log");
  writeFileSync(path, "one\ntwo\nto");
  chmodSync(path, 0o644);
  symlinkSync(path, `${path}-link`);
  const old = await files.append(path);
  const written = await files.append(`${path}-link`, { afresh: 8 });
  await Promise.all([old.append("late\n"), written.append("three\n")]);
  await Promise.all([old.close(), written.close()]);
  expect([readFileSync(path, "utf8"), mode(path)]).toEqual(["one\ntwo\nthree\n", "600"]);
  expect(readdirSync(join(path, ".."))).toEqual(["log", "log-link"]);
});

test("an exclusive log fails where there is a file", async () => {
  const path = join(directory(), "log");
  writeFileSync(path, "");
  await expect(files.append(path, { exclusive: true })).rejects.toThrow("EEXIST");
});

test("syncs asked for while one is at work share the next, and each follows the appends before it", async () => {
  const order: string[] = [];
  const held: (() => void)[] = [];
  const made = log({
    appendFile: async (text) => void order.push(String(text)),
    datasync: () => {
      order.push("sync");
      return new Promise((resolve) => held.push(resolve));
    },
    close: async () => {},
  });
  await made.append("a");
  const first = made.sync();
  await expect.poll(() => held.length).toBe(1);
  await made.append("b");
  const second = made.sync();
  await made.append("c");
  const third = made.sync();
  held[0]!();
  await first;
  await expect.poll(() => held.length).toBe(2);
  held[1]!();
  await Promise.all([second, third]);
  expect(order).toEqual(["a", "sync", "b", "c", "sync"]);
});

test("after a failed sync everything later fails too, though the system says that all is well", async () => {
  let syncs = 0;
  const made = log({
    appendFile: async () => {},
    datasync: async () => {
      if (++syncs === 1) throw new Error("EIO");
    },
    close: async () => {},
  });
  await made.append("a");
  await expect(made.sync()).rejects.toThrow("EIO");
  await made.append("b");
  await expect(made.sync()).rejects.toThrow("EIO");
  expect(syncs).toBe(1);
});

test("after a failed append everything later fails too", async () => {
  const made = log({
    appendFile: async () => {
      throw new Error("ENOSPC");
    },
    datasync: async () => {},
    close: async () => {},
  });
  await expect(made.append("a")).rejects.toThrow("ENOSPC");
  await expect(made.append("b")).rejects.toThrow("ENOSPC");
  await expect(made.sync()).rejects.toThrow("ENOSPC");
  await made.close();
});
