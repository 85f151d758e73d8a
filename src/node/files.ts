/** Files and directories. What is made is for the owner alone: 0600 in 0700; what was there keeps its mode. */
import { randomUUID } from "node:crypto";
import { constants, promises as fs } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import type { Files } from "../world.ts";
import type { Log, Rolling } from "../writing.ts";
import { bytesOf, type ReadingOptions, whole } from "./reading.ts";
import { renameOver } from "./renaming.ts";
import { distrusted } from "./trusted.ts";

/** Bytes of a file that is read whole, where nothing else is said. */
const most = 16 * 1024 * 1024;

const missing = (error: unknown) => ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

const unless =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (missing(error)) return otherwise;
    throw error;
  };

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

const below = (path: string, root: string): boolean => `${path}${sep}`.startsWith(`${root}${sep}`);

/** Throws the reason where others could have put there what is read, or change what is written. */
function insist(directory: string): void {
  const reason = distrusted(directory);
  if (reason) throw new Error(reason);
}

export interface Own {
  /** zulipctl's own directories: nothing is written where others can write, and no link is followed to a file. */
  written?: readonly string[];
  /** Those of them from which nothing is read where others can write, and nothing but regular files. */
  read?: readonly string[];
}

export function filesOf(
  { written = [], read = [] }: Own,
  { stop, wait = 30_000 }: Partial<ReadingOptions> = {},
): Files {
  const owned = (path: string, roots: readonly string[]) => roots.some((root) => below(resolve(path), root));

  /** Makes the directory of a file that is to be written. */
  async function prepare(path: string): Promise<boolean> {
    const directory = dirname(resolve(path));
    const own = owned(path, written);
    if (own) insist(directory);
    await madeWithParents(directory);
    if (own) insist(directory);
    return own;
  }

  /** How a file is opened that is to be read; throws where it must not be. */
  function reading(path: string): ReadingOptions {
    const plain = owned(path, read);
    if (plain) insist(dirname(resolve(path)));
    return { stop, wait: files.wait ?? wait, plain };
  }

  const files: Files = {
    wait,
    async read(path, largest = most) {
      return (await whole(path, largest, reading(path)).catch(unless(undefined)))?.text;
    },
    async guarded(path) {
      const found = await whole(path, most, reading(path)).catch(unless(undefined));
      if (!found) return undefined;
      const { accessOf } = await import("./access.ts");
      // Of what was opened, for at the path something else may stand by now.
      return { access: await accessOf(found.stats), text: found.text };
    },
    async *stream(path) {
      yield* bytesOf(path, reading(path));
    },
    async write(path, text) {
      await prepare(path);
      await replace(path, async (made) => {
        const handle = await fs.open(made, "wx", 0o600);
        try {
          await handle.chmod(0o600);
          await handle.writeFile(text);
          await handle.sync();
        } finally {
          await handle.close();
        }
      });
    },
    incoming: async (path) => (await import("./incoming.ts")).incoming(path),
    kind: async (path) => (await import("./incoming.ts")).kindOf(path),
    remove: (path) => fs.rm(path, { force: true }).catch(unless(undefined)),
    list: (directory) => fs.readdir(directory).catch(unless([])),
    async identity(path) {
      const found = await fs.stat(path, { bigint: true }).catch(unless(undefined));
      return found && { id: `${found.dev}:${found.ino}`, plain: found.isFile() };
    },
    async append(path, { exclusive = false, truncateTo, afresh } = {}) {
      const own = await prepare(path);
      if (afresh !== undefined) return renewed(own ? path : await fs.realpath(path), afresh);
      return appending(path, { exclusive, truncateTo, follow: !own });
    },
    rolling(path, options) {
      let opened: Promise<Rolling> | undefined;
      const open = async () => {
        const { rolling } = await import("./rolling.ts");
        return rolling(path, options, { prepare: () => prepare(path), lock: () => files.lock(path, 0) });
      };
      return {
        add: async (line) => {
          opened ??= open();
          await (await opened).add(line);
        },
        close: async () => (await opened?.catch(() => undefined))?.close(),
      };
    },
    async lock(path, wait, stop) {
      await prepare(path);
      const { lock } = await import("./lock.ts");
      return lock(resolve(path), wait, stop);
    },
  };
  return files;
}

/** A new file takes the place of what is there, a link included; `make` makes it, and nothing is left where it fails. */
async function replace(path: string, make: (made: string) => Promise<void>): Promise<void> {
  const made = `${path}-${randomUUID()}`;
  try {
    await make(made);
    await renameOver(made, path);
  } catch (error) {
    await fs.rm(made, { force: true });
    throw error;
  }
}

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/** A file that is there keeps its mode, and what is no file its kind. */
async function appending(
  path: string,
  { exclusive, truncateTo, follow }: { exclusive: boolean; truncateTo: number | undefined; follow: boolean },
): Promise<Log> {
  const flags = O_WRONLY | O_APPEND | (follow ? 0 : O_NOFOLLOW);
  const handle = await fs.open(path, flags | O_CREAT | O_EXCL, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST" || exclusive) throw error;
    return undefined;
  });
  if (handle) {
    await handle.chmod(0o600);
    await keepEntry(dirname(resolve(path)));
    return log(handle);
  }
  const present = await reopened(path, flags);
  try {
    const found = await present.stat();
    if (!found.isFile()) return log(present, { syncs: false });
    if (truncateTo !== undefined && truncateTo < found.size) {
      await present.truncate(truncateTo);
      // A crash must not bring back what was cut off behind what is written next.
      await present.sync();
    }
    return log(present);
  } catch (error) {
    await present.close();
    throw error;
  }
}

/** Opened without waiting for the reader of a pipe; once there is one, what is written waits for it. */
async function reopened(path: string, flags: number): Promise<FileHandle> {
  const first = await fs.open(path, flags | O_NONBLOCK);
  if (!(await first.stat()).isFIFO()) return first;
  try {
    return await fs.open(path, flags);
  } finally {
    await first.close();
  }
}

/** A copy of the first `length` bytes, in the file's place. */
async function renewed(path: string, length: number): Promise<Log> {
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
  return log(await fs.open(path, O_WRONLY | O_APPEND | O_NOFOLLOW));
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
export function log(
  handle: Pick<FileHandle, "appendFile" | "datasync" | "close">,
  { syncs = true }: { syncs?: boolean } = {},
): Log {
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
    if (syncs) await handle.datasync();
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
