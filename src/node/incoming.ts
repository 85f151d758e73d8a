/** A file that is written in parts. It has a temporary name in the same directory until it is complete. */

import { promises as fs, lstatSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { minute } from "../common/unit-sizes.ts";
import { systemErrorCode } from "../errors.ts";
import type { NewFile } from "../world/writing.ts";

/** The errors of file systems without hard links. */
const noLinks = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "UNKNOWN"];

/** Returns false if the name is taken. */
async function nameFile(temporary: string, path: string): Promise<boolean> {
  try {
    // Unlike rename, link never replaces a file.
    await fs.link(temporary, path);
    await fs.rm(temporary, { force: true });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    if (!noLinks.includes(systemErrorCode(error))) throw error;
  }
  if (lstatSync(path, { throwIfNoEntry: false })) return false;
  await fs.rename(temporary, path);
  return true;
}

/** The temporary names of incomplete files. One listener for all: Node warns about many. */
const incomplete = new Set<string>();
process.on("exit", () => {
  for (const path of incomplete) rmSync(path, { force: true });
});

const temporaryPrefix = ".zulipctl-";

/** No write takes as long, in milliseconds. */
const abandonedAfter = 10 * minute;

/** Removes the temporary files of processes that were killed: they may contain keys. */
export async function removeAbandoned(directory: string): Promise<void> {
  const { processState } = await import("./process-name.ts");
  for (const name of await fs.readdir(directory)) {
    if (!name.startsWith(temporaryPrefix)) continue;
    const path = join(directory, name);
    const state = processState(name.slice(temporaryPrefix.length));
    const age = () => Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN);
    if (state === "dead" || (state === "unknown" && age() > abandonedAfter)) await fs.rm(path, { force: true });
  }
}

/** `sync`: the complete file must survive a crash. */
export async function incoming(path: string, { sync = true } = {}): Promise<NewFile> {
  const { ownPrefix } = await import("./process-name.ts");
  // The name does not contain that of the file, which may have the largest length.
  const temporary = join(dirname(path), `${temporaryPrefix}${ownPrefix}${Math.random().toString(36).slice(2)}`);
  const handle = await fs.open(temporary, "wx", 0o600);
  incomplete.add(temporary);
  return {
    write: (bytes) => handle.writeFile(bytes),
    async complete(replace) {
      await handle.chmod(0o600);
      if (sync) await handle.sync();
      await handle.close();
      if (replace) await fs.rename(temporary, path);
      else if (!(await nameFile(temporary, path))) return false;
      incomplete.delete(temporary);
      return true;
    },
    async discard() {
      await handle.close();
      await fs.rm(temporary, { force: true });
      incomplete.delete(temporary);
    },
  };
}
