/** A log of limited size, to which several processes append. */
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import type { Lock } from "../world.ts";
import { type Rolling, type RollingOptions, rolled } from "../writing.ts";

interface Surroundings {
  /** Makes the directory. Throws if it must not be used. */
  prepare(): Promise<unknown>;
  /** Undefined if another process has it. */
  lock(): Promise<Lock | undefined>;
}

const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const newline = 10;

/** Returns whether the last line is incomplete, as after a full disk. */
function cutShort(file: number, size: number): boolean {
  if (size === 0) return false;
  const last = new Uint8Array(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] !== newline;
}

export function rolling(path: string, { largest, kept }: RollingOptions, { prepare, lock }: Surroundings): Rolling {
  let file: number | undefined;

  async function open(): Promise<number> {
    await prepare();
    const opened = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      const found = fstatSync(opened);
      if (!found.isFile()) throw new Error(`${path} is not a regular file`);
      if (cutShort(opened, found.size)) writeSync(opened, "\n");
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

  /** Renames the files, unless another process does. */
  async function roll(): Promise<void> {
    const held = await lock();
    if (!held) return;
    try {
      // Another process may have done it already.
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < largest) return;
      rolled(path, kept).reduceRight((older, newer) => {
        if (existsSync(newer)) renameSync(newer, older);
        return newer;
      });
    } finally {
      await held.release();
    }
  }

  return {
    async add(line) {
      file ??= await open();
      if (fstatSync(file).size >= largest) {
        close();
        await roll();
        file = await open();
      }
      appendFileSync(file, line);
    },
    close: async () => close(),
  };
}
