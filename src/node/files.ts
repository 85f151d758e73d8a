/** Files and directories. What is made is for the owner alone: 0600 in 0700; what was there keeps its mode. */
import { promises as fs } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { codeOf } from "../errors.ts";
import type { Files } from "../world.ts";
import type { Rolling } from "../writing.ts";
import { bytesOf, type ReadingOptions, whole } from "./reading.ts";
import { accessOf, distrusted } from "./trusted.ts";

/** Bytes of a file that is read whole, where nothing else is said. */
const most = 16 * 1024 * 1024;

const missing = (error: unknown) => ["ENOENT", "ENOTDIR"].includes(codeOf(error));

const unless =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (missing(error)) return otherwise;
    throw error;
  };

const made = (directory: string) =>
  fs.mkdir(directory, 0o700).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
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
  /** Those of them that may be lost with the power: nothing there waits for the disk. */
  passing?: readonly string[];
}

export function filesOf(
  { written = [], read = [], passing = [] }: Own,
  { stop }: Pick<ReadingOptions, "stop"> = {},
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
    return { stop, plain };
  }

  const files: Files = {
    async read(path, largest = most) {
      return (await whole(path, largest, reading(path)).catch(unless(undefined)))?.text;
    },
    async guarded(path) {
      const found = await whole(path, most, reading(path)).catch(unless(undefined));
      if (!found) return undefined;
      // Of what was opened, for at the path something else may stand by now.
      return { access: await accessOf(found.stats), text: found.text };
    },
    async *stream(path) {
      yield* bytesOf(path, reading(path));
    },
    open: async (path) => (await import("./open-file.ts")).openRegular(path),
    async write(path, text) {
      await prepare(path);
      // Nobody can guess the name, and an existing file is refused; node:crypto takes 3 ms to load.
      const made = `${path}-${process.pid}-${Math.random().toString(36).slice(2)}`;
      try {
        const handle = await fs.open(made, "wx", 0o600);
        try {
          await handle.chmod(0o600);
          await handle.writeFile(text);
          if (!owned(path, passing)) await handle.sync();
        } finally {
          await handle.close();
        }
        await fs.rename(made, path);
      } catch (error) {
        await fs.rm(made, { force: true });
        throw error;
      }
    },
    incoming: async (path) => {
      // People name a directory that is there; one of zulipctl's own is made.
      if (owned(path, written)) await prepare(path);
      return (await import("./incoming.ts")).incoming(path);
    },
    kind: async (path) => (await import("./incoming.ts")).kindOf(path),
    remove: (path) => fs.rm(path, { force: true }).catch(unless(undefined)),
    list: (directory) => fs.readdir(directory).catch(unless([])),
    async sweep(directory, names, keeps) {
      const within = await fs.lstat(directory).catch(unless(undefined));
      if (!within?.isDirectory()) return;
      for (const name of await files.list(directory)) {
        const path = join(directory, name);
        const found = await fs.lstat(path).catch(unless(undefined));
        if (!found?.isDirectory() || keeps(name, found.mtimeMs)) continue;
        for (const file of await files.list(path)) if (names.test(file)) await files.remove(join(path, file));
        await fs.rmdir(path).catch(() => undefined);
      }
    },
    async identity(path) {
      const found = await fs.stat(path, { bigint: true }).catch(unless(undefined));
      return found && { id: `${found.dev}:${found.ino}`, plain: found.isFile() };
    },
    actual: (path) => fs.realpath(path).catch(unless(undefined)),
    async append(path, { exclusive = false, truncateTo } = {}) {
      const own = await prepare(path);
      const { appending } = await import("./appending.ts");
      return appending(path, { exclusive, truncateTo, follow: !own });
    },
    rolling(path, options) {
      let opened: Promise<Rolling> | undefined;
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
    async lock(path, wait, stop) {
      await prepare(path);
      const { lock } = await import("./lock.ts");
      return lock(resolve(path), wait, stop);
    },
  };
  return files;
}
