/** Files and directories. New files have mode 0600, new directories 0700. Existing ones keep their mode. */

import { promises as fs } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { MiB } from "../common/unit-sizes.ts";
import { systemErrorCode } from "../errors.ts";
import type { Files } from "../world/world.ts";
import type { RollingLog, RollingLogOptions } from "../world/writing.ts";
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

const isIn = (path: string, roots: readonly string[] = []): boolean => roots.some((root) => below(resolve(path), root));

/** Makes the directory of a file. Returns whether it is one of zulipctl's own. */
async function makeDirectoryOf(path: string, { written }: OwnDirectories): Promise<boolean> {
  const directory = dirname(resolve(path));
  const own = isIn(path, written);
  if (own) checkTrusted(directory);
  await makeDirectory(directory);
  if (own) checkTrusted(directory);
  return own;
}

/** A broken link is `other`. */
async function kindOf(path: string) {
  const target = await fs.stat(path).catch(ifMissing(undefined));
  if (target) return target.isFile() ? "file" : target.isDirectory() ? "directory" : "other";
  return (await fs.lstat(path).catch(ifMissing(undefined))) && "other";
}

const remove = (path: string) => fs.rm(path, { force: true }).catch(ifMissing(undefined));

const list = (directory: string): Promise<string[]> => fs.readdir(directory).catch(ifMissing([]));

const sweep: Files["sweep"] = async (directory, names, keeps) => {
  const within = await fs.lstat(directory).catch(ifMissing(undefined));
  if (!within?.isDirectory()) return;
  for (const name of await list(directory)) {
    const path = join(directory, name);
    const found = await fs.lstat(path).catch(ifMissing(undefined));
    if (!found?.isDirectory() || keeps(name, found.mtimeMs)) continue;
    for (const file of await list(path)) if (names.test(file)) await remove(join(path, file));
    await fs.rmdir(path).catch(() => undefined);
  }
};

async function identityOf(path: string) {
  const found = await fs.stat(path, { bigint: true }).catch(ifMissing(undefined));
  return found && { id: `${found.dev}:${found.ino}`, plain: found.isFile() };
}

const temporary: Files["temporary"] = async (work) => {
  const directory = await fs.mkdtemp(join(tmpdir(), "zulipctl-"));
  try {
    return await work(directory);
  } finally {
    await fs.rm(directory, { recursive: true, force: true });
  }
};

function readersOf({ written, read }: OwnDirectories, { stop }: Pick<ReadingOptions, "stop">) {
  /** Throws if the file must not be read. */
  function optionsFor(path: string): ReadingOptions {
    const plain = isIn(path, read);
    if (plain) checkTrusted(dirname(resolve(path)));
    // What was done before a signal is still logged, so its own files are read after it.
    return { ...(!isIn(path, written) && { stop }), plain };
  }
  return {
    async read(path, largest = mostBytes) {
      return (await readWhole(path, largest, optionsFor(path)).catch(ifMissing(undefined)))?.text;
    },
    async readWithAccess(path) {
      const found = await readWhole(path, mostBytes, optionsFor(path)).catch(ifMissing(undefined));
      if (!found) return undefined;
      const flaw = isIn(path, written) ? directoryFlaw(dirname(resolve(path))) : undefined;
      return { access: { ...accessOf(found.stats), ...(flaw && { directoryFlaw: flaw }) }, text: found.text };
    },
    async *stream(path) {
      yield* bytesOf(path, optionsFor(path));
    },
    async *streamFromEnd(path) {
      yield* bytesFromEnd(path, optionsFor(path));
    },
  } satisfies Partial<Files>;
}

async function writeFile(path: string, text: string, own: OwnDirectories): Promise<void> {
  if (await makeDirectoryOf(path, own)) await removeAbandoned(dirname(resolve(path)));
  const file = await incoming(path, { sync: !isIn(path, own.disposable) });
  try {
    await file.write(Buffer.from(text));
    await file.complete(true);
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function lockFile(own: OwnDirectories, path: string, wait: number, stop?: AbortSignal) {
  await makeDirectoryOf(path, own);
  const { lock } = await import("./lock.ts");
  return lock(resolve(path), wait, stop);
}

function rollingLogOf(path: string, options: RollingLogOptions, own: OwnDirectories): RollingLog {
  let opened: Promise<RollingLog> | undefined;
  const open = async () => {
    const { rolling } = await import("./rolling.ts");
    const prepare = () => makeDirectoryOf(path, own);
    return rolling(path, options, { prepare, lock: () => lockFile(own, path, 0) });
  };
  return {
    async add(line) {
      opened ??= open();
      await (await opened).add(line);
    },
    close: async () => (await opened)?.close(),
  };
}

const writersOf = (own: OwnDirectories) =>
  ({
    write: (path, text) => writeFile(path, text, own),
    async createFile(path) {
      // Only its own directories are made.
      if (isIn(path, own.written)) await makeDirectoryOf(path, own);
      return incoming(path);
    },
    async append(path, { exclusive = false, truncateTo } = {}) {
      const isOwn = await makeDirectoryOf(path, own);
      const { appending } = await import("./appending.ts");
      return appending(path, { exclusive, truncateTo, follow: !isOwn });
    },
    rollingLog: (path, options) => rollingLogOf(path, options, own),
    lock: (path, wait, stop) => lockFile(own, path, wait, stop),
  }) satisfies Partial<Files>;

export const filesOf = (own: OwnDirectories, { stop }: Pick<ReadingOptions, "stop"> = {}): Files => ({
  ...readersOf(own, { stop }),
  ...writersOf(own),
  open: openRegular,
  kind: kindOf,
  remove,
  list,
  sweep,
  identity: identityOf,
  realPath: (path) => fs.realpath(path).catch(ifMissing(undefined)),
  temporary,
});
