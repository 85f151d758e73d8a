/** Append-only files whose lines are synced to disk on request. */
import { appendFileSync, constants, promises as fs } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { codeOf } from "../errors.ts";
import type { Log } from "../writing.ts";

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;

/** An existing file keeps its mode. */
export async function appending(
  path: string,
  { exclusive, truncateTo, follow }: { exclusive: boolean; truncateTo: number | undefined; follow: boolean },
): Promise<Log> {
  const flags = O_WRONLY | O_APPEND | (follow ? 0 : O_NOFOLLOW);
  const created = await fs.open(path, flags | O_CREAT | O_EXCL, 0o600).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST" || exclusive) throw error;
    return undefined;
  });
  if (created) {
    await created.chmod(0o600);
    await syncDirectory(dirname(resolve(path)));
    return fileLog(fileOf(created));
  }
  const present = await fs.open(path, flags);
  try {
    const found = await present.stat();
    if (truncateTo !== undefined && truncateTo < found.size) {
      await present.truncate(truncateTo);
      // A crash must not bring back what was cut off behind what is written next.
      await present.sync();
    }
    // A pipe or a device cannot be synced.
    return fileLog({ ...fileOf(present), ...(found.isFile() ? {} : { datasync: async () => {} }) });
  } catch (error) {
    await present.close();
    throw error;
  }
}

/** A new file survives a crash only when its directory is on disk too. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await fs.open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface OpenFile {
  /** Appends all of it before it returns. */
  write(text: string): void;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

const fileOf = (handle: FileHandle): OpenFile => ({
  // In the same turn of the event loop in which the caller has looked whether its lock is held.
  write: (text) => appendFileSync(handle.fd, text),
  datasync: () => handle.datasync(),
  close: () => handle.close(),
});

/**
 * After a failed write or sync all later ones fail: the system may have dropped what it could not write, and report the
 * next one as done.
 */
export function fileLog({ write, datasync, close }: OpenFile): Log {
  let failure: { error: unknown } | undefined;
  const attempt = async (work: () => void | Promise<void>) => {
    if (failure) throw failure.error;
    try {
      await work();
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  };
  return {
    append: (text) => attempt(() => write(text)),
    sync: () => attempt(datasync),
    close,
  };
}
