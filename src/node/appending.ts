/** Opens files to append to them, with lines that are synced to disk on request. */
import { appendFileSync, constants, promises as fs } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { systemErrorCode } from "../errors.ts";
import type { AppendOptions, Log } from "../world/writing.ts";
import { isOpenedByShell } from "./opened-by-shell.ts";

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

const namedPipe = () => new Error("it is a named pipe, not a regular file");

/** Opens an existing file. Opening a named pipe without a reader would block, and signals would not end that. */
async function openPresent(path: string, flags: number): Promise<FileHandle> {
  if (isOpenedByShell(path, "stdout", "stderr")) return fs.open(path, flags);
  const handle = await fs.open(path, flags | O_NONBLOCK).catch((error: unknown) => {
    throw systemErrorCode(error) === "ENXIO" ? namedPipe() : error;
  });
  if (!(await handle.stat()).isFIFO()) return handle;
  await handle.close();
  throw namedPipe();
}

/** An existing file keeps its mode. */
export async function appending(
  path: string,
  { exclusive, truncateTo, follow }: AppendOptions & { follow: boolean },
): Promise<Log> {
  const flags = O_WRONLY | O_APPEND | (follow ? 0 : O_NOFOLLOW);
  const created = await fs.open(path, flags | O_CREAT | O_EXCL, 0o600).catch((error: unknown) => {
    if (systemErrorCode(error) !== "EEXIST" || exclusive) throw error;
    return undefined;
  });
  if (created) {
    await created.chmod(0o600);
    await syncDirectory(dirname(resolve(path)));
    return logOf(created, true);
  }
  const present = await openPresent(path, flags);
  try {
    const found = await present.stat();
    if (truncateTo !== undefined && truncateTo < found.size) {
      await present.truncate(truncateTo);
      // After a crash, the removed part must not reappear before what is written next.
      await present.sync();
    }
    return logOf(present, found.isFile());
  } catch (error) {
    await present.close();
    throw error;
  }
}

/** A new file survives a crash only if its directory is on disk too. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await fs.open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const logOf = (handle: FileHandle, isFile: boolean): Log => ({
  // Synchronous, so that the caller's check of its lock still holds.
  append: async (text) => appendFileSync(handle.fd, text),
  // Pipes and devices cannot be synced.
  sync: async () => (isFile ? handle.datasync() : undefined),
  close: () => handle.close(),
});
