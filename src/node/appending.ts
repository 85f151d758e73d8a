/** Files that are appended to, each line on disk when that is asked for. */
import { constants, fdatasync, promises as fs, writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { codeOf } from "../errors.ts";
import type { Log } from "../writing.ts";
import { replace } from "./renaming.ts";

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/** A file that is there keeps its mode, and what is no file its kind. */
export async function appending(
  path: string,
  { exclusive, truncateTo, follow }: { exclusive: boolean; truncateTo: number | undefined; follow: boolean },
): Promise<Log> {
  const flags = O_WRONLY | O_APPEND | (follow ? 0 : O_NOFOLLOW);
  const handle = await fs.open(path, flags | O_CREAT | O_EXCL, 0o600).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST" || exclusive) throw error;
    return undefined;
  });
  if (handle) {
    await handle.chmod(0o600);
    await keepEntry(dirname(resolve(path)));
    return fileLog(plain(handle));
  }
  const present = await opened(path, flags);
  try {
    const found = await present.stat();
    if (truncateTo !== undefined && truncateTo < found.size) {
      await present.truncate(truncateTo);
      // A crash must not bring back what was cut off behind what is written next.
      await present.sync();
    }
    // Of a pipe or a device nothing can be brought to a disk.
    return fileLog({ ...plain(present), ...(found.isFile() ? {} : { datasync: async () => {} }) });
  } catch (error) {
    await present.close();
    throw error;
  }
}

/** Opened without waiting for the reader of a pipe; once there is one, what is written waits for it. */
async function opened(path: string, flags: number): Promise<FileHandle> {
  const first = await fs.open(path, flags | O_NONBLOCK);
  if (!(await first.stat()).isFIFO()) return first;
  try {
    return await fs.open(path, flags);
  } finally {
    await first.close();
  }
}

/** A copy of the first `length` bytes, in the file's place. */
export async function renewed(path: string, length: number): Promise<Log> {
  await replace(path, async (made) => {
    await fs.copyFile(path, made, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const copied = await fs.open(made, "r+");
    try {
      await copied.chmod(0o600);
      await copied.truncate(length);
      await copied.sync();
    } finally {
      await copied.close();
    }
  });
  await keepEntry(dirname(path));
  return fileLog(plain(await fs.open(path, O_WRONLY | O_APPEND | O_NOFOLLOW)));
}

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

/** An open file as its log needs it. */
interface Plain {
  /** Appends all of it before it returns. */
  write(text: string): void;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

// Written at once and not by the way of Node's threads: that takes some microseconds, and a run writes two lines a row.
const plain = (handle: FileHandle): Plain => ({
  write(text) {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(handle.fd, bytes, at);
  },
  datasync: () =>
    new Promise((resolve, reject) => {
      fdatasync(handle.fd, (error) => (error ? reject(error) : resolve()));
    }),
  close: () => handle.close(),
});

/**
 * After a sync that failed all later ones do: the system may have dropped what it could not write, and report the next
 * one as done. After a write that failed the file's end is unknown, so everything later fails too.
 */
export function fileLog({ write, datasync, close }: Plain): Log {
  let written: Promise<void> = Promise.resolve();
  let failed = false;
  let synced = written;
  return {
    append(text) {
      try {
        if (!failed) write(text);
      } catch (error) {
        failed = true;
        written = Promise.reject(error);
        // The failure is the caller's to see; it must not also count as one that nobody handles.
        written.catch(() => {});
      }
      return written;
    },
    sync() {
      synced = synced.then(() => written).then(datasync);
      return synced;
    },
    close,
  };
}
