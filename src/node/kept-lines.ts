/** Lines of a file that nobody but this user and root can have written. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";

const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** Windows has no such owners. */
const isOwn = ({ uid, mode }: Pick<Stats, "uid" | "mode">): boolean => {
  const user = process.geteuid?.();
  return user === undefined || ((uid === user || uid === 0) && (mode & 0o022) === 0);
};

/** The text of a regular file; throws for what is none, and for what others can have written. Waits for no pipe. */
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
 * The lines that begin with `prefix`, `most` at most: the last of all is among them, so that the given lines have no
 * longer beginning in common than all. A missing file has none.
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
