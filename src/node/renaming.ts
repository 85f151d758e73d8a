/** A file in the place of another. */
import { promises as fs } from "node:fs";
import { codeOf } from "../errors.ts";

/** What Windows says of a file that somebody has open at this moment, be it a virus scanner. */
const inUse = ["EACCES", "EBUSY", "EPERM"];
/** Milliseconds before each further try. */
const pauses = [10, 30, 100, 300, 600];

/** Elsewhere a file that is open is replaced like any other, and a refusal is meant. */
export async function renameOver(
  from: string,
  to: string,
  { platform = process.platform, rename = fs.rename }: { platform?: NodeJS.Platform; rename?: typeof fs.rename } = {},
): Promise<void> {
  for (const before of platform === "win32" ? pauses : []) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (!inUse.includes(codeOf(error))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, before));
  }
  return rename(from, to);
}

/** A new file takes the place of what is there, a link included; `make` makes it, and nothing is left where it fails. */
export async function replace(path: string, make: (made: string) => Promise<void>): Promise<void> {
  // Nobody can guess it, and what is there already is refused; node:crypto takes 3 ms to load.
  const made = `${path}-${process.pid}-${Math.random().toString(36).slice(2)}`;
  try {
    await make(made);
    await renameOver(made, path);
  } catch (error) {
    await fs.rm(made, { force: true });
    throw error;
  }
}
