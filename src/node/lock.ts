/**
 * Locks between processes, by proper-lockfile. By itself it tells a holder that was killed from one that is at work
 * only by age, ten seconds later; so the lock directory also holds the name of its holder.
 */
import { randomUUID } from "node:crypto";
import { promises as fs, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";

type Callback<T> = (error: NodeJS.ErrnoException | null, value?: T) => void;

/** When a process began, where the system tells: a number that the next process of that id does not have. */
function began(pid: number | "self"): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

const self = `${process.pid}~${began("self")}~${encodeURIComponent(hostname())}~`;

function state(holder: string): "ours" | "alive" | "dead" | "unknown" {
  if (holder.startsWith(self)) return "ours";
  const [pid = "", start, host] = holder.split("~");
  if (host !== encodeURIComponent(hostname())) return "unknown";
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "dead";
  }
  if (!start) return "unknown";
  return began(Number(pid)) === start ? "alive" : "dead";
}

const holders = (lock: string) => fs.readdir(lock).catch(() => []);

/** What proper-lockfile does with files, for directories that hold their holder's name. */
const directories = {
  // A directory that is not empty cannot be replaced, so that of all who rename one succeeds, name and all.
  async mkdir(lock: string) {
    const prepared = await fs.mkdtemp(`${lock}-`);
    try {
      await fs.writeFile(join(prepared, `${self}${randomUUID()}`), "");
      await fs.rename(prepared, lock);
    } catch (error) {
      await fs.rm(prepared, { recursive: true, force: true });
      const { code } = error as NodeJS.ErrnoException;
      const taken = code === "ENOTEMPTY" || (process.platform === "win32" && code === "EPERM");
      throw taken ? Object.assign(new Error(`${basename(lock)} exists`), { code: "EEXIST" }) : error;
    }
  },
  // Names are never used twice, so this cannot take away what another process has put there meanwhile.
  async rmdir(lock: string) {
    for (const holder of await holders(lock)) {
      const judged = state(holder);
      const over = judged === "unknown" ? await aged(lock) : judged !== "alive";
      if (over) await fs.rm(join(lock, holder), { force: true });
    }
    await fs.rmdir(lock).catch((error: NodeJS.ErrnoException) => {
      // The next holder has moved in already.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  },
  async stat(lock: string) {
    const [found, [holder]] = await Promise.all([fs.stat(lock), holders(lock)]);
    const judged = holder ? state(holder) : "unknown";
    if (judged === "dead") return { ...found, mtime: new Date(0) };
    if (judged === "alive") return { ...found, mtime: new Date() };
    return found;
  },
  utimes: fs.utimes,
};

const stale = 10_000;
const aged = async (lock: string) => (await fs.stat(lock)).mtimeMs < Date.now() - stale;

const calledBack =
  <A extends unknown[], T>(act: (...args: A) => Promise<T>) =>
  (...given: [...A, Callback<T>]) => {
    const callback = given.pop() as Callback<T>;
    act(...(given as unknown as A)).then((value) => callback(null, value), callback);
  };

/** Undefined where another living process holds it after `wait` milliseconds. The directory must exist. */
export async function lock(path: string, wait: number): Promise<(() => Promise<void>) | undefined> {
  const { default: lockfile } = await import("proper-lockfile");
  const pause = 50;
  try {
    return await lockfile.lock(path, {
      realpath: false,
      stale,
      retries: { retries: Math.ceil(wait / pause), factor: 1, minTimeout: pause, maxTimeout: pause },
      fs: Object.fromEntries(Object.entries(directories).map(([name, act]) => [name, calledBack(act as never)])),
      // Only a person removes the lock of a living process. What the lock guards is not worth a crash.
      onCompromised: () => {},
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOCKED") return undefined;
    throw error;
  }
}
