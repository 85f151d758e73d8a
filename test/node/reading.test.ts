import { spawn, spawnSync } from "node:child_process";
import { closeSync, constants, openSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { bytesOf, type ReadingOptions, readWhole } from "../../src/node/reading.ts";
import { directory } from "./directory.ts";

const MiB = 1024 * 1024;

function pipe(): string {
  const path = join(directory(), "pipe");
  spawnSync("mkfifo", [path]);
  return path;
}

/** A pipe as a shell passes it. */
function openPipe(): { path: string; shellPath: string } {
  const path = pipe();
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  return { path, shellPath: `/dev/fd/${fd}` };
}

/** Writes to a file in another process, after `before` seconds, with `between` seconds between pieces. */
function writer(path: string, pieces: string[], { before = 0, between = 0 } = {}) {
  const lines = pieces.map((piece) => `printf %s '${piece}'; sleep ${between}`).join("; ");
  const child = spawn("sh", ["-c", `sleep ${before}; exec >'${path}'; ${lines}`], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
}

const read = async (path: string, manner: ReadingOptions = {}, largest = MiB) =>
  (await readWhole(path, largest, manner)).text;

test("waits for a late writer, and a silent writer ends the read", async () => {
  const [late, silent] = [openPipe(), openPipe()];
  writer(late.path, ["late"], { before: 0.5 });
  writer(silent.path, [""], { before: 0.2 });
  expect(await Promise.all([read(late.shellPath), read(silent.shellPath)])).toEqual(["late", ""]);
});

test("a signal ends the wait for a writer", async () => {
  const stop = new AbortController();
  const { shellPath } = openPipe();
  const reading = read(shellPath, { stop: stop.signal });
  setTimeout(() => stop.abort(new Interrupted("SIGTERM")), 50);
  await expect(reading).rejects.toMatchObject({ exitCode: 143, message: `interrupted while reading ${shellPath}` });
});

test("refuses a named pipe, a device and a directory at once", async () => {
  await expect(read(pipe())).rejects.toThrow("it is a named pipe, not a regular file");
  for (const device of ["/dev/zero", "/dev/null", "/dev/tty"])
    await expect(read(device)).rejects.toThrow(/it is a device, not a regular file|ENXIO/);
  await expect(read(directory())).rejects.toMatchObject({ code: "EISDIR" });
});

test("reads a file only up to the limit", async () => {
  const path = join(directory(), "file");
  writeFileSync(path, Buffer.alloc(MiB + 1));
  await expect(read(path)).rejects.toThrow("it is larger than 1 MiB");
  expect((await read(path, {}, MiB + 1)).length).toBe(MiB + 1);
});

test("with `plain`, opens only regular files", async () => {
  const path = pipe();
  writeFileSync(`${path}-file`, "text");
  symlinkSync(`${path}-file`, `${path}-link`);
  expect(await read(`${path}-file`, { plain: true })).toBe("text");
  for (const each of [path, "/dev/null", openPipe().shellPath])
    await expect(read(each, { plain: true })).rejects.toThrow(/not a regular file|ELOOP/);
  await expect(read(`${path}-link`, { plain: true })).rejects.toThrow("ELOOP");
});

test("closes a file that is not read to its end", async () => {
  for await (const chunk of bytesOf("/proc/self/stat", {})) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  await expect(read(join(directory(), "none"))).rejects.toThrow("ENOENT");
});
