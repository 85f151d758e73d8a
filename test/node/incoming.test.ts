/** Files get their names when they are complete, and replace no others. */
import { promises as fs, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { filesOf } from "../../src/node/files.ts";
import { directory } from "./directory.ts";

const files = filesOf({});

test("the file has its name only when it is complete, and no temporary file is left", async () => {
  const place = directory();
  const file = await files.createFile(join(place, "a"));
  await file.write(Buffer.from("one "));
  await file.write(Buffer.from("two"));
  expect(readdirSync(place)).toEqual([expect.stringMatching(/^\.zulipctl-/)]);
  expect(statSync(join(place, readdirSync(place)[0]!)).mode & 0o777).toBe(0o600);
  expect(await file.complete(false)).toBe(true);
  await file.discard();
  expect(readdirSync(place)).toEqual(["a"]);
  expect(readFileSync(join(place, "a"), "utf8")).toBe("one two");
  expect(statSync(join(place, "a")).mode & 0o777).toBe(0o600);
});

test("does not replace a file that appeared meanwhile, unless asked to", async () => {
  const place = directory();
  const path = join(place, "a");
  const made = async (text: string) => {
    const file = await files.createFile(path);
    await file.write(Buffer.from(text));
    return file;
  };
  const [first, second] = [await made("first"), await made("second")];
  expect([await first.complete(false), await second.complete(false)]).toEqual([true, false]);
  await second.discard();
  expect(readFileSync(path, "utf8")).toBe("first");
  const third = await made("third");
  expect(await third.complete(true)).toBe(true);
  expect(readFileSync(path, "utf8")).toBe("third");
  expect(readdirSync(place)).toEqual(["a"]);
});

test("does not replace a file without hard links either", async () => {
  const link = vi.spyOn(fs, "link").mockRejectedValue(Object.assign(new Error("no"), { code: "EPERM" }));
  try {
    const place = directory();
    const path = join(place, "a");
    const file = await files.createFile(path);
    await file.write(Buffer.from("text"));
    expect(await file.complete(false)).toBe(true);
    expect(readFileSync(path, "utf8")).toBe("text");
    const other = await files.createFile(path);
    expect(await other.complete(false)).toBe(false);
    await other.discard();
    expect(readdirSync(place)).toEqual(["a"]);
    expect(readFileSync(path, "utf8")).toBe("text");
  } finally {
    link.mockRestore();
  }
});

test("a discarded file leaves nothing", async () => {
  const place = directory();
  const file = await files.createFile(join(place, "a"));
  file.write(Buffer.alloc(3_000_000)).catch(() => undefined);
  await file.discard();
  expect(readdirSync(place)).toEqual([]);
});

test("reports a missing directory at once", async () => {
  await expect(files.createFile(join(directory(), "none", "a"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("`kind` distinguishes files, directories and others", async () => {
  const place = directory();
  writeFileSync(join(place, "file"), "");
  await fs.symlink("file", join(place, "link"));
  await fs.symlink("none", join(place, "dangling"));
  const kinds = await Promise.all(
    ["file", "link", "dangling", ".", "none", "file/below"].map((name) => files.kind(join(place, name))),
  );
  expect(kinds).toEqual(["file", "file", "other", "directory", undefined, undefined]);
  expect(await files.kind("/dev/null")).toBe("other");
});
