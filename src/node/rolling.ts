/** A log of limited size, to which several processes append. */
import fs from "node:fs";
import type { Lock } from "../world/world.ts";
import { type RollingLog, type RollingLogOptions, rollingLogNames } from "../world/writing.ts";

interface RollingContext {
  /** Makes the directory. Throws if it must not be used. */
  prepare(): Promise<unknown>;
  /** Undefined if another process has it. */
  lock(): Promise<Lock | undefined>;
}

const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
const newline = 10;

/** Returns whether the last line is incomplete, as after a full disk. */
function endsIncomplete(file: number, size: number): boolean {
  if (size === 0) return false;
  const last = new Uint8Array(1);
  fs.readSync(file, last, 0, 1, size - 1);
  return last[0] !== newline;
}

export function rolling(
  path: string,
  { maxBytes, olderFiles }: RollingLogOptions,
  { prepare, lock }: RollingContext,
): RollingLog {
  let file: number | undefined;

  async function open(): Promise<number> {
    await prepare();
    const opened = fs.openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      const found = fs.fstatSync(opened);
      if (!found.isFile()) throw new Error(`${path} is not a regular file`);
      if (endsIncomplete(opened, found.size)) fs.writeSync(opened, "\n");
      return opened;
    } catch (error) {
      fs.closeSync(opened);
      throw error;
    }
  }

  function close(): void {
    if (file !== undefined) fs.closeSync(file);
    file = undefined;
  }

  /** Renames the files, unless another process does. */
  async function roll(): Promise<void> {
    const held = await lock();
    if (!held) return;
    try {
      // Another process may have done it already.
      if ((fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0) < maxBytes) return;
      rollingLogNames(path, olderFiles).reduceRight((older, newer) => {
        if (fs.existsSync(newer)) fs.renameSync(newer, older);
        return newer;
      });
    } finally {
      await held.release();
    }
  }

  return {
    async add(line) {
      file ??= await open();
      if (fs.fstatSync(file).size >= maxBytes) {
        close();
        await roll();
        file = await open();
      }
      fs.appendFileSync(file, line);
    },
    close: async () => close(),
  };
}
