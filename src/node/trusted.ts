/** Returns whether only this user and root can change a directory. */
import { promises as fs, lstatSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { userInfo } from "node:os";
import { dirname, parse, resolve, sep } from "node:path";
import type { Access } from "../world.ts";

/** Links that one path may lead through. */
const most = 40;

/** Many systems give each user a group of its own name, and let its members write what the user makes. */
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

function flaw(path: string, { uid, gid, mode }: Stats, user: number): string | undefined {
  if (uid !== user && uid !== 0) return `${path} belongs to another user (uid ${uid})`;
  // Whoever may write to a directory may replace what is in it, unless it is sticky: then only what is theirs.
  if ((mode & 0o1000) !== 0) return undefined;
  if ((mode & 0o002) !== 0) return `others can write to ${path}`;
  return (mode & 0o020) === 0 || onlyMember(gid) ? undefined : `the members of a group can write to ${path}`;
}

/** Why files in a directory may be somebody else's doing; undefined where they are not. What is missing is nobody's. */
export function distrusted(directory: string): string | undefined {
  const user = process.getuid?.();
  // Windows keeps what belongs to a user where others cannot write, and has no such bits.
  if (user === undefined) return undefined;
  const whole = resolve(directory);
  const { root } = parse(whole);
  let todo = whole.slice(root.length).split(sep).filter(Boolean);
  let at = root;
  for (let links = 0; links <= most; ) {
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (!found) return undefined;
    if (found.isSymbolicLink()) {
      if (found.uid !== user && found.uid !== 0) return flaw(at, found, user);
      const target = resolve(dirname(at), readlinkSync(at));
      todo = [...target.slice(root.length).split(sep).filter(Boolean), ...todo];
      at = root;
      links++;
      continue;
    }
    // Nothing can lie in it, and whoever opens what should hears so.
    if (!found.isDirectory()) return undefined;
    const wrong = flaw(at, found, user);
    const [next, ...rest] = todo;
    if (wrong || next === undefined) return wrong;
    // Not with `join`, which looks at each character anew: this is asked of every file that is kept.
    at = at === root ? `${root}${next}` : `${at}${sep}${next}`;
    todo = rest;
  }
  return `${directory} leads through too many links`;
}

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
