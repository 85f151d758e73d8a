import { promises as fs, type Stats } from "node:fs";
import type { Access } from "../world.ts";

/** The administrator can change everything anyway, so that what is root's is as good as ours. */
export async function accessOf({ uid, mode }: Pick<Stats, "uid" | "mode">): Promise<Access> {
  // Windows has no such bits; Node makes some up.
  const us = process.geteuid?.();
  if (us === undefined) return { readable: false, writable: false };
  const access = { readable: (mode & 0o044) !== 0, writable: (mode & 0o022) !== 0 };
  return uid === us || uid === 0 ? access : { ...access, owner: await nameOf(uid) };
}

/** People of a directory service are not in the file, and keep their number. */
async function nameOf(uid: number): Promise<string> {
  const people = await fs.readFile("/etc/passwd", "utf8").catch(() => "");
  const line = people.split("\n").find((person) => person.split(":")[2] === String(uid));
  return line?.split(":")[0] || `user id ${uid}`;
}
