/** A log that several processes append to, and that begins anew before it grows without end. */
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { codeOf } from "../errors.ts";
import type { Lock } from "../world.ts";
import { type Rolling, type RollingOptions, rolled } from "../writing.ts";

interface Surroundings {
  /** Makes the directory, or throws where it must not be used. */
  prepare(): Promise<unknown>;
  /** Undefined where another process has it. */
  lock(): Promise<Lock | undefined>;
}

const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const newline = 10;

/** Whether something follows a line that a full disk, say, has cut. */
function cutShort(file: number, size: number): boolean {
  if (size === 0) return false;
  const last = new Uint8Array(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] !== newline;
}

const missing = (error: unknown) => codeOf(error) === "ENOENT";

// Written at once and not by the way of Node's threads: a line takes some microseconds so, and a run makes thousands.
export function rolling(path: string, { largest, kept }: RollingOptions, { prepare, lock }: Surroundings): Rolling {
  let file: number | undefined;
  /** What is in it by our own count; others may have added more. */
  let size = 0;

  async function open(): Promise<number> {
    await prepare();
    const opened = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      const found = fstatSync(opened);
      if (!found.isFile()) throw new Error(`${path} is not a regular file`);
      ({ size } = found);
      if (cutShort(opened, size)) size += writeSync(opened, "\n");
      return opened;
    } catch (error) {
      closeSync(opened);
      throw error;
    }
  }

  function close(): void {
    if (file !== undefined) closeSync(file);
    file = undefined;
  }

  /** Whoever holds the lock is at it already, and nobody waits. */
  async function roll(): Promise<void> {
    const held = await lock();
    if (!held) return;
    try {
      // Another process may have done it since.
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < largest) return;
      const names = rolled(path, kept);
      rmSync(names.at(-1)!, { force: true });
      for (let n = names.length - 1; n > 0; n--)
        try {
          renameSync(names[n - 1]!, names[n]!);
        } catch (error) {
          if (!missing(error)) throw error;
        }
    } finally {
      await held.release();
    }
  }

  function write(to: number, line: string): void {
    const bytes = Buffer.from(line);
    for (let at = 0; at < bytes.length; ) at += writeSync(to, bytes, at);
    size += bytes.length;
  }

  async function withRoom(line: string): Promise<void> {
    file ??= await open();
    if (size >= largest) {
      close();
      await roll();
      file = await open();
    }
    write(file, line);
  }

  return {
    add: (line) => (file === undefined || size >= largest ? withRoom(line) : write(file, line)),
    async close() {
      close();
    },
  };
}
