/** A file that comes piece by piece: under a name of its own beside its place, until it is there whole. */
import { randomUUID } from "node:crypto";
import { promises as fs, rmSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "../errors.ts";
import type { Incoming } from "../writing.ts";
import { renameOver } from "./renaming.ts";

/** Bytes that may wait while others are written. */
const most = 1024 * 1024;

/** File systems that know no second name for a file say so in one of these. */
const unlinkable = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "UNKNOWN"];

/** False where something has the name already. */
async function named(made: string, path: string): Promise<boolean> {
  try {
    // Unlike a renaming, this refuses a name that is taken, whoever took it and when.
    await fs.link(made, path);
    await fs.rm(made, { force: true });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!unlinkable.includes(codeOf(error))) throw error;
  }
  return renamed(made, path);
}

/** The same where there are no links: the name is taken first, by an empty file. */
async function renamed(made: string, path: string): Promise<boolean> {
  try {
    await (await fs.open(path, "wx", 0o600)).close();
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    await renameOver(made, path);
  } catch (error) {
    await fs.rm(path, { force: true });
    throw error;
  }
  return true;
}

/** What is written goes to the file while the next pieces come. */
class Writer {
  readonly #handle: FileHandle;
  #waiting: Uint8Array[] = [];
  #size = 0;
  #writing: Promise<void> | undefined;
  #failed: { error: unknown } | undefined;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#throwFailure();
    this.#waiting.push(bytes);
    this.#size += bytes.length;
    this.#writing ??= this.#drain();
    while (this.#size > most && this.#writing !== undefined) await this.#writing;
    this.#throwFailure();
  }

  /** Resolves when everything is in the file. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failed) throw this.#failed.error;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length) {
        const batch = this.#waiting;
        const size = this.#size;
        this.#waiting = [];
        this.#size = 0;
        const { bytesWritten } = await this.#handle.writev(batch);
        // A disk that is nearly full takes a part.
        if (bytesWritten < size) await this.#handle.appendFile(Buffer.concat(batch).subarray(bytesWritten));
      }
    } catch (error) {
      this.#failed = { error };
    } finally {
      this.#writing = undefined;
    }
  }
}

export async function incoming(path: string): Promise<Incoming> {
  // The file's own name may be as long as names can be.
  const made = join(dirname(path), `.zulipctl-${randomUUID()}`);
  const handle = await fs.open(made, "wx", 0o600);
  // A second signal ends the process at once.
  const leaving = () => rmSync(made, { force: true });
  process.on("exit", leaving);
  const writer = new Writer(handle);
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    await handle.close();
  };
  const over = () => void process.removeListener("exit", leaving);
  return {
    write: (bytes) => writer.write(bytes),
    async complete(replace) {
      await writer.flush();
      await handle.chmod(0o600);
      await handle.sync();
      await close();
      if (!replace && !(await named(made, path))) return false;
      if (replace) await renameOver(made, path);
      over();
      return true;
    },
    async discard() {
      // What is being written must have ended before the file is closed.
      await writer.flush().catch(() => undefined);
      await close().catch(() => undefined);
      await fs.rm(made, { force: true });
      over();
    },
  };
}

/** What has a name, links followed. */
export async function kindOf(path: string): Promise<"file" | "directory" | "other" | undefined> {
  const gone = (error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return undefined;
    throw error;
  };
  const there = await fs.stat(path).catch(gone);
  if (there) return there.isFile() ? "file" : there.isDirectory() ? "directory" : "other";
  return (await fs.lstat(path).catch(gone)) && "other";
}
