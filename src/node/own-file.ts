/** Files that nobody but this user and root can have written. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";

const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** Windows has no such owners. */
export function isOwn({ uid, mode }: Pick<Stats, "uid" | "mode">): boolean {
  const user = process.geteuid?.();
  return user === undefined || ((uid === user || uid === 0) && (mode & 0o022) === 0);
}

/** Opens a regular file to read and waits for no pipe; throws for what is none, or for what others can have written. */
export function openOwn(path: string): number {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK);
  const found = fstatSync(fd);
  if (found.isFile() && isOwn(found)) return fd;
  closeSync(fd);
  throw new Error(`others can have written ${path}`);
}

/** The text of such a file. */
export function readOwn(path: string): string {
  const fd = openOwn(path);
  try {
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}
