/** Reads files that only this user or root can have written. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";

const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** Windows has no such owners and modes. */
const isOwn = ({ uid, mode }: Pick<Stats, "uid" | "mode">): boolean => {
  const user = process.geteuid?.();
  return user === undefined || ((uid === user || uid === 0) && (mode & 0o022) === 0);
};

/** Returns the text of a regular file. Throws if others can have written it. */
export function readOwn(path: string): string {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    const found = fstatSync(fd);
    if (!found.isFile() || !isOwn(found)) throw new Error(`others can have written ${path}`);
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

/**
 * Returns at most `most` of the lines that begin with `prefix`. A missing file has none. The last line is included:
 * shells complete what all lines have in common, so the rest must not have more in common.
 */
export function linesFrom(path: string, prefix: string, most: number): string[] {
  try {
    const lines = readOwn(path).split("\n").slice(0, -1);
    const found = lines.filter((line) => line.startsWith(prefix));
    return found.length > most ? [...found.slice(0, most - 1), found.at(-1)!] : found;
  } catch {
    return [];
  }
}
