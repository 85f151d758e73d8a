/** A file that comes piece by piece: under a name of its own beside its place, until it is there whole. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, promises as fs, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { codeOf } from "../errors.ts";
import type { Incoming } from "../writing.ts";

/** Bytes that may wait while others are written. */
const highWaterMark = 1024 * 1024;

/** What file systems without hard links answer. */
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
  if ((await kindOf(path)) !== undefined) return false;
  await fs.rename(made, path);
  return true;
}

export async function incoming(path: string): Promise<Incoming> {
  // The file's own name may be as long as names can be.
  const made = join(dirname(path), `.zulipctl-${randomUUID()}`);
  const stream = createWriteStream(made, { flags: "wx", mode: 0o600, flush: true, highWaterMark });
  await once(stream, "open");
  // A second signal ends the process at once.
  const leaving = () => rmSync(made, { force: true });
  process.on("exit", leaving);
  // Without a listener an error would end the process; the next write throws it.
  stream.on("error", () => undefined);
  const over = () => void process.removeListener("exit", leaving);
  return {
    async write(bytes) {
      if (stream.errored) throw stream.errored;
      if (!stream.write(bytes)) await once(stream, "drain");
    },
    async complete(replace) {
      await finished(stream.end());
      await fs.chmod(made, 0o600);
      if (!replace && !(await named(made, path))) return false;
      if (replace) await fs.rename(made, path);
      over();
      return true;
    },
    async discard() {
      if (!stream.closed) await finished(stream.destroy()).catch(() => undefined);
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
