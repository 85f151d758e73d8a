/** Files and directories. New files have mode 0600, new directories 0700. Existing ones keep their mode. */

import { promises as fs } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { MiB } from "../common/unit-sizes.ts";
import { systemErrorCode } from "../errors.ts";
import type { Files } from "../world/world.ts";
import type { RollingLog } from "../world/writing.ts";
import { incoming, removeAbandoned } from "./incoming.ts";
import { bytesFromEnd, bytesOf, openRegular, type ReadingOptions, readWhole } from "./reading.ts";
import { accessOf, directoryFlaw, distrustReason } from "./trusted.ts";

/** The default size limit of a file that is read into memory, in bytes. */
const mostBytes = 16 * MiB;

const missing = (error: unknown) => ["ENOENT", "ENOTDIR"].includes(systemErrorCode(error));

const ifMissing =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (missing(error)) return otherwise;
    throw error;
  };

/** Another write may make the directory at the same time. */
const makeSingleDirectory = (directory: string) =>
  fs.mkdir(directory, 0o700).catch((error: unknown) => {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  });

// Node's own `recursive` never ends if the parent exists and the system still reports ENOENT, as below /proc.
async function makeDirectory(directory: string): Promise<void> {
  try {
    await makeSingleDirectory(directory);
  } catch (error) {
    const parent = dirname(directory);
    if (!missing(error) || parent === directory) throw error;
    await makeDirectory(parent);
    await makeSingleDirectory(directory);
  }
}

const below = (path: string, root: string): boolean => `${path}${sep}`.startsWith(`${root}${sep}`);

/** Throws if others can change the files in a directory. */
function checkTrusted(directory: string): void {
  const reason = distrustReason(directory);
  if (reason) throw new Error(reason);
}

export interface OwnDirectories {
  /**
   * zulipctl's own directories. It writes there only if nobody else can, and follows no link to a file. Reading with
   * access tells whether others can.
   */
  written?: readonly string[];
  /** The directories of these in which it reads only regular files that nobody else can write. */
  read?: readonly string[];
  /** The directories of these whose files need not survive a crash. */
  disposable?: readonly string[];
}

export function filesOf(
  { written = [], read = [], disposable = [] }: OwnDirectories,
  { stop }: Pick<ReadingOptions, "stop"> = {},
): Files {
  const owned = (path: string, roots: readonly string[]) => roots.some((root) => below(resolve(path), root));

  /** Makes the directory of a file. Returns whether it is one of zulipctl's own. */
  async function prepare(path: string): Promise<boolean> {
    const directory = dirname(resolve(path));
    const own = owned(path, written);
    if (own) checkTrusted(directory);
    await makeDirectory(directory);
    if (own) checkTrusted(directory);
    return own;
  }

  /** Returns the options for reading a file. Throws if it must not be read. */
  function reading(path: string): ReadingOptions {
    const plain = owned(path, read);
    if (plain) checkTrusted(dirname(resolve(path)));
    // What was done before a signal is still logged, so its own files are read after it.
    return { ...(!owned(path, written) && { stop }), plain };
  }

  const files: Files = {
    async read(path, largest = mostBytes) {
      return (await readWhole(path, largest, reading(path)).catch(ifMissing(undefined)))?.text;
    },
    async readWithAccess(path) {
      const found = await readWhole(path, mostBytes, reading(path)).catch(ifMissing(undefined));
      if (!found) return undefined;
      const flaw = owned(path, written) ? directoryFlaw(dirname(resolve(path))) : undefined;
      return { access: { ...accessOf(found.stats), ...(flaw && { directoryFlaw: flaw }) }, text: found.text };
    },
    async *stream(path) {
      yield* bytesOf(path, reading(path));
    },
    async *streamFromEnd(path) {
      yield* bytesFromEnd(path, reading(path));
    },
    open: openRegular,
    async write(path, text) {
      if (await prepare(path)) await removeAbandoned(dirname(resolve(path)));
      const file = await incoming(path, { sync: !owned(path, disposable) });
      try {
        await file.write(Buffer.from(text));
        await file.complete(true);
      } catch (error) {
        await file.discard();
        throw error;
      }
    },
    createFile: async (path) => {
      // Only its own directories are made.
      if (owned(path, written)) await prepare(path);
      return incoming(path);
    },
    async kind(path) {
      const target = await fs.stat(path).catch(ifMissing(undefined));
      if (target) return target.isFile() ? "file" : target.isDirectory() ? "directory" : "other";
      return (await fs.lstat(path).catch(ifMissing(undefined))) && "other";
    },
    remove: (path) => fs.rm(path, { force: true }).catch(ifMissing(undefined)),
    list: (directory) => fs.readdir(directory).catch(ifMissing([])),
    async sweep(directory, names, keeps) {
      const within = await fs.lstat(directory).catch(ifMissing(undefined));
      if (!within?.isDirectory()) return;
      for (const name of await files.list(directory)) {
        const path = join(directory, name);
        const found = await fs.lstat(path).catch(ifMissing(undefined));
        if (!found?.isDirectory() || keeps(name, found.mtimeMs)) continue;
        for (const file of await files.list(path)) if (names.test(file)) await files.remove(join(path, file));
        await fs.rmdir(path).catch(() => undefined);
      }
    },
    async identity(path) {
      const found = await fs.stat(path, { bigint: true }).catch(ifMissing(undefined));
      return found && { id: `${found.dev}:${found.ino}`, plain: found.isFile() };
    },
    realPath: (path) => fs.realpath(path).catch(ifMissing(undefined)),
    async append(path, { exclusive = false, truncateTo } = {}) {
      const own = await prepare(path);
      const { appending } = await import("./appending.ts");
      return appending(path, { exclusive, truncateTo, follow: !own });
    },
    rollingLog(path, options) {
      let opened: Promise<RollingLog> | undefined;
      const open = async () => {
        const { rolling } = await import("./rolling.ts");
        return rolling(path, options, { prepare: () => prepare(path), lock: () => files.lock(path, 0) });
      };
      return {
        async add(line) {
          opened ??= open();
          await (await opened).add(line);
        },
        close: async () => (await opened)?.close(),
      };
    },
    async temporary(work) {
      const directory = await fs.mkdtemp(join(tmpdir(), "zulipctl-"));
      try {
        return await work(directory);
      } finally {
        await fs.rm(directory, { recursive: true, force: true });
      }
    },
    async lock(path, wait, stop) {
      await prepare(path);
      const { lock } = await import("./lock.ts");
      return lock(resolve(path), wait, stop);
    },
  };
  return files;
}
