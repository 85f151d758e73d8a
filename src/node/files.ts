/** Files and directories. What is written is for the owner alone: 0600 in 0700. */
import { createReadStream, promises as fs } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Files, Log } from "../world.ts";

const missing = (error: unknown) => ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

const unless =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (missing(error)) return otherwise;
    throw error;
  };

const directoryOf = (path: string) => fs.mkdir(dirname(resolve(path)), { recursive: true, mode: 0o700 });

export const files: Files = {
  read: (path) => fs.readFile(path, "utf8").catch(unless(undefined)),
  stream: (path) => createReadStream(path),
  async exposed(path) {
    // Windows has no such bits; Node makes some up.
    if (process.platform === "win32") return false;
    const found = await fs.stat(path).catch(unless(undefined));
    return found !== undefined && (found.mode & 0o077) !== 0;
  },
  async write(path, text) {
    await directoryOf(path);
    const { default: writeFileAtomic } = await import("write-file-atomic");
    await writeFileAtomic(path, text, { mode: 0o600 });
  },
  remove: (path) => fs.rm(path, { force: true }).catch(unless(undefined)),
  list: (directory) => fs.readdir(directory).catch(unless([])),
  async append(path, { exclusive = false, truncateTo } = {}) {
    await directoryOf(path);
    const handle = await fs.open(path, exclusive ? "ax" : "a", 0o600);
    try {
      if (((await handle.stat()).mode & 0o177) !== 0) await handle.chmod(0o600);
      if (truncateTo !== undefined) await handle.truncate(truncateTo);
      await keepEntry(dirname(resolve(path)));
    } catch (error) {
      await handle.close();
      throw error;
    }
    return log(handle);
  },
  async lock(path, wait) {
    await directoryOf(path);
    const { lock } = await import("./lock.ts");
    return lock(resolve(path), wait);
  },
};

/** A new file survives a crash only when its directory is on disk too. */
async function keepEntry(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await fs.open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Appends in the order of the calls; calls of `sync` that come while one is at work share the next. After one that
 * failed all do: the system may have dropped what it could not write, and report the next one as done.
 */
export function log(handle: Pick<FileHandle, "appendFile" | "datasync" | "close">): Log {
  let written: Promise<void> = Promise.resolve();
  let syncing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const synced = async (before: Promise<void>) => {
    try {
      await before;
    } finally {
      next = undefined;
    }
    await written;
    await handle.datasync();
  };
  return {
    append(text) {
      // After a failed write the file's end is unknown: everything later fails too.
      written = written.then(() => handle.appendFile(text));
      // The failure is the caller's to see; it must not also count as one that nobody handles.
      written.catch(() => {});
      return written;
    },
    sync() {
      if (!next) {
        next = synced(syncing);
        syncing = next;
      }
      return next;
    },
    async close() {
      await written.catch(() => {});
      await handle.close();
    },
  };
}
