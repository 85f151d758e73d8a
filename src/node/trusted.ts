/** Checks that only this user and root can change a directory or a file. */
import { lstatSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join, parse, resolve, sep } from "node:path";
import type { Access, DirectoryFlaw } from "../world/file-access.ts";

/** The largest number of links in a path. */
const mostLinks = 40;

/** Many systems give each user a private group, which can write to the files of that user. */
function onlyMember(gid: number): boolean {
  try {
    const { username, gid: own } = userInfo();
    const line = readFileSync("/etc/group", "utf8")
      .split("\n")
      .find((each) => each.split(":")[2] === String(gid));
    const [name, , , members = ""] = line?.split(":") ?? [];
    return gid === own && name === username && (members === "" || members === username);
  } catch {
    return false;
  }
}

function flawOf(path: string, { uid, gid, mode }: Stats, user: number): DirectoryFlaw | undefined {
  if (uid !== user && uid !== 0)
    return { reason: `${path} belongs to another user (uid ${uid})`, fix: `chown ${user} ${path}` };
  // In a sticky directory, nobody can replace the files of others.
  if ((mode & 0o1000) !== 0) return undefined;
  const fix = `chmod go-w ${path}`;
  if ((mode & 0o002) !== 0) return { reason: `others can write to ${path}`, fix };
  return (mode & 0o020) === 0 || onlyMember(gid)
    ? undefined
    : { reason: `the members of a group can write to ${path}`, fix };
}

export const distrustReason = (directory: string): string | undefined => directoryFlaw(directory)?.reason;

/** Returns why somebody else may have made files in a directory. Undefined if nobody can. */
export function directoryFlaw(directory: string): DirectoryFlaw | undefined {
  const user = process.getuid?.();
  // Windows has no such modes, and protects the directories of a user otherwise.
  if (user === undefined) return undefined;
  const whole = resolve(directory);
  const { root } = parse(whole);
  let todo = whole.slice(root.length).split(sep).filter(Boolean);
  let at = root;
  for (let links = 0; links <= mostLinks; ) {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (stats.isSymbolicLink()) {
      if (stats.uid !== user && stats.uid !== 0) return flawOf(at, stats, user);
      const target = resolve(dirname(at), readlinkSync(at));
      todo = [...target.slice(root.length).split(sep).filter(Boolean), ...todo];
      at = root;
      links++;
      continue;
    }
    // Opening a file in it fails anyway.
    if (!stats.isDirectory()) return undefined;
    const flaw = flawOf(at, stats, user);
    const [next, ...rest] = todo;
    if (flaw || next === undefined) return flaw;
    at = join(at, next);
    todo = rest;
  }
  return { reason: `${directory} leads through too many links`, fix: `ls -l ${directory}` };
}

/** Returns what others can do with a file. Root can change everything anyway. Those of its group are meant to read it. */
export function accessOf({ uid, mode }: Pick<Stats, "uid" | "mode">): Access {
  const user = process.geteuid?.();
  if (user === undefined) return { readable: false, writable: false };
  const access = { readable: (mode & 0o004) !== 0, writable: (mode & 0o022) !== 0 };
  return uid === user || uid === 0 ? access : { ...access, owner: `user id ${uid}` };
}
