/** Lines of a sorted file, of those that nobody but this user and root can have written. */
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
 * The lines that begin with `prefix`, `most` at most: then the last of all is among them, so that what all have in
 * common at their beginning is what the given ones have. No file gives none.
 */
export function linesFrom(path: string, prefix: string, most: number): string[] {
  let text: string;
  try {
    text = readOwn(path);
  } catch {
    return [];
  }
  text = text && `\n${text}`;
  const start = text.indexOf(`\n${prefix}`);
  const last = text.lastIndexOf(`\n${prefix}`, text.length - 2);
  if (start < 0 || last < 0) return [];
  const end = text.indexOf("\n", last + 1);
  const found = text.slice(start + 1, end < 0 ? text.length : end).split("\n", most);
  if (found.length === most) found[most - 1] = text.slice(last + 1, end < 0 ? text.length : end);
  return found;
}
