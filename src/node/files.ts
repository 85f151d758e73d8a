/** Files and directories. What is written is for the owner alone: 0600 in 0700. */
import { randomUUID } from "node:crypto";
import { constants, createReadStream, promises as fs } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, resolve, sep } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import type { Files, Log } from "../world.ts";

const missing = (error: unknown) => ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

const unless =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (missing(error)) return otherwise;
    throw error;
  };

/** Closes a directory to others, unless it is shared on purpose or somebody else's. */
async function close(directory: string): Promise<void> {
  const { mode, uid } = await fs.stat(directory);
  const sticky = (mode & 0o1000) !== 0;
  if ((mode & 0o077) !== 0 && !sticky && uid === process.getuid?.()) await fs.chmod(directory, 0o700);
}

const made = (directory: string) =>
  fs.mkdir(directory, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });

// Node's own `recursive` never ends where a directory cannot be made although its parent is there, as below /proc.
async function madeWithParents(directory: string): Promise<void> {
  try {
    await made(directory);
  } catch (error) {
    const parent = dirname(directory);
    if (!missing(error) || parent === directory) throw error;
    await madeWithParents(parent);
    await made(directory);
  }
}

/** Makes the directory of a file. `own` are zulipctl's: they and those below become 0700 also where they were wider. */
async function makeDirectory(path: string, own: readonly string[]): Promise<void> {
  const directory = dirname(resolve(path));
  await madeWithParents(directory);
  const root = own.find((root) => `${directory}${sep}`.startsWith(`${root}${sep}`));
  // A variable may name a directory that holds more than our files.
  if (root === undefined || [homedir(), process.cwd(), dirname(root)].includes(root)) return;
  for (let at = directory; at.length >= root.length; at = dirname(at)) await close(at);
}

/** `own` are the directories that belong to zulipctl alone. */
export const filesOf = (own: readonly string[]): Files => ({
  read: (path) => fs.readFile(path, "utf8").catch(unless(undefined)),
  stream: (path) => createReadStream(path),
  async guarded(path) {
    const handle = await fs.open(path).catch(unless(undefined));
    if (!handle) return undefined;
    try {
      const { accessOf } = await import("./access.ts");
      // Of what was opened, for at the path something else may stand by now.
      return { access: await accessOf(await handle.stat()), text: await handle.readFile("utf8") };
    } finally {
      await handle.close();
    }
  },
  async write(path, text) {
    await makeDirectory(path, own);
    const { default: writeFileAtomic } = await import("write-file-atomic");
    await writeFileAtomic(path, text, { mode: 0o600 });
  },
  remove: (path) => fs.rm(path, { force: true }).catch(unless(undefined)),
  list: (directory) => fs.readdir(directory).catch(unless([])),
  async append(path, { exclusive = false, truncateTo, afresh } = {}) {
    await makeDirectory(path, own);
    if (afresh !== undefined) return log(await renewed(await fs.realpath(path), afresh));
    const handle = await fs.open(path, exclusive ? "ax" : "a", 0o600);
    try {
      const { mode, size } = await handle.stat();
      if ((mode & 0o177) !== 0) await handle.chmod(0o600);
      if (truncateTo !== undefined && truncateTo < size) {
        await handle.truncate(truncateTo);
        // A crash must not bring back what was cut off behind what is written next.
        await handle.sync();
      }
      await keepEntry(dirname(resolve(path)));
    } catch (error) {
      await handle.close();
      throw error;
    }
    return log(handle);
  },
  async lock(path, wait, stop) {
    await makeDirectory(path, own);
    const { lock } = await import("./lock.ts");
    return lock(resolve(path), wait, stop);
  },
});

/** A copy of the first `length` bytes, in the file's place. */
async function renewed(path: string, length: number): Promise<FileHandle> {
  const made = `${path}-${randomUUID()}`;
  let handle: FileHandle | undefined;
  try {
    await fs.copyFile(path, made, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    handle = await fs.open(made, "a");
    await handle.chmod(0o600);
    await handle.truncate(length);
    await handle.sync();
    await fs.rename(made, path);
    await keepEntry(dirname(path));
    return handle;
  } catch (error) {
    await handle?.close();
    await fs.rm(made, { force: true });
    throw error;
  }
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
      // What comes at the same moment, such as several answers, comes to the disk together.
      await Promise.all([before, immediate()]);
    } finally {
      next = undefined;
    }
    await written;
    await handle.datasync();
  };
  /** What goes out together when the write before it is over. */
  let waiting = "";
  return {
    append(text) {
      waiting += text;
      if (waiting !== text) return written;
      // After a failed write the file's end is unknown: everything later fails too.
      written = written.then(() => {
        const all = waiting;
        waiting = "";
        return handle.appendFile(all);
      });
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
