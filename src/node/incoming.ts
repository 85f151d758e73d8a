/** A file that is written in parts. It has a temporary name in the same directory until it is complete. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, promises as fs, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { codeOf } from "../errors.ts";
import type { Incoming } from "../writing.ts";

/** The size of the write buffer, in bytes. */
const highWaterMark = 1024 * 1024;

/** The errors of file systems without hard links. */
const noLinks = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "UNKNOWN"];

/** Returns false if the name is taken. */
async function nameFile(made: string, path: string): Promise<boolean> {
  try {
    // Unlike rename, link never replaces a file.
    await fs.link(made, path);
    await fs.rm(made, { force: true });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!noLinks.includes(codeOf(error))) throw error;
  }
  if ((await kindOf(path)) !== undefined) return false;
  await fs.rename(made, path);
  return true;
}

export async function incoming(path: string): Promise<Incoming> {
  // It is not derived from the name, which may have the largest length.
  const made = join(dirname(path), `.zulipctl-${randomUUID()}`);
  const stream = createWriteStream(made, { flags: "wx", mode: 0o600, flush: true, highWaterMark });
  await once(stream, "open");
  const leaving = () => rmSync(made, { force: true });
  process.on("exit", leaving);
  // Without a listener an error would end the process. The next write throws it.
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
      if (!replace && !(await nameFile(made, path))) return false;
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

/** Follows links. */
export async function kindOf(path: string): Promise<"file" | "directory" | "other" | undefined> {
  const gone = (error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return undefined;
    throw error;
  };
  const there = await fs.stat(path).catch(gone);
  if (there) return there.isFile() ? "file" : there.isDirectory() ? "directory" : "other";
  return (await fs.lstat(path).catch(gone)) && "other";
}
