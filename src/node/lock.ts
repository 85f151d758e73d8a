/**
 * Locks between processes, also of several machines or containers that share a directory. A lock is a directory that
 * holds its holder's file: one whole directory is renamed into place, so of all who try one succeeds.
 *
 * No library judges as is needed here: they tell a dead holder by its process id alone, which says nothing in another
 * container, or by the age of a file, which is wrong by as much as two machines' clocks differ.
 */
import { randomUUID } from "node:crypto";
import { closeSync, promises as fs, openSync, readFileSync, readlinkSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Clock, type Lock, longestSilence } from "../world.ts";
import { clock as real } from "./clock.ts";

/** Milliseconds between two signs of life, and between two looks for one. */
const beat = 2000;
const pause = 50;

const orEmpty = (read: () => string): string => {
  try {
    return read();
  } catch {
    return "";
  }
};

/** When a process began, where the system tells: a number that the next process of that id does not have. */
function began(pid: number | "self"): { at: string; over: boolean } {
  const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A zombie waits for a parent that may never ask.
  return { at: fields[19] ?? "", over: fields[0] === "Z" || fields[0] === "X" };
}

/** Where process ids and their beginnings mean the same: one boot, and one namespace of either. */
function whereabouts(): string {
  const boot = orEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
  const [pids, times] = ["pid", "time"].map((name) => orEmpty(() => readlinkSync(`/proc/self/ns/${name}`)));
  return boot && pids ? `${boot} ${pids} ${times}`.replace(/[^\w-]+/g, ".") : "";
}

const here = whereabouts();
const self = `${process.pid}~${began("self").at}~${here}~`;

function state(holder: string): "alive" | "dead" | "unknown" {
  if (holder.startsWith(self)) return "alive";
  const [pid = "", start, where] = holder.split("~");
  if (!here || where !== here || !start) return "unknown";
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "dead";
  }
  const { at, over } = began(Number(pid));
  if (!at) return "unknown";
  return at === start && !over ? "alive" : "dead";
}

const unless =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(error.code ?? "")) throw error;
  };

/** Whoever holds it, with the sign of life that its file bears now. */
async function holderOf(place: string): Promise<{ name: string; sign: string } | undefined> {
  const [name] = (await fs.readdir(place).catch(unless("ENOENT"))) ?? [];
  if (name === undefined) return undefined;
  // Opened anew each time: file systems of a network tell the present state only then.
  const sign = await fs.readFile(join(place, name), "latin1").catch(unless("ENOENT", "EISDIR"));
  return { name, sign: sign ?? "" };
}

// Names are never used twice, so this cannot take away what another process has put there meanwhile.
async function evict(place: string, name: string): Promise<void> {
  await fs.rm(join(place, name), { recursive: true, force: true });
  // The next holder may have moved in already.
  await fs.rmdir(place).catch(unless("ENOENT", "ENOTEMPTY", "EEXIST"));
}

class Held implements Lock {
  readonly #file: string;
  readonly #timer: NodeJS.Timeout;
  #beats = 0;
  #lost = false;

  constructor(file: string) {
    this.#file = file;
    this.#timer = setInterval(() => void this.#beat(), beat).unref();
    process.once("exit", this.#atExit);
  }

  held(): boolean {
    try {
      if (!this.#lost) closeSync(openSync(this.#file, "r"));
    } catch {
      this.#lost = true;
    }
    return !this.#lost;
  }

  async release(): Promise<void> {
    this.#end();
    await evict(dirname(this.#file), basename(this.#file));
  }

  async #beat(): Promise<void> {
    try {
      await fs.writeFile(this.#file, String(++this.#beats), { flag: "r+" });
    } catch (error) {
      // Whatever else is wrong with the disk may pass.
      this.#lost ||= (error as NodeJS.ErrnoException).code === "ENOENT";
    }
  }

  #end(): void {
    clearInterval(this.#timer);
    process.off("exit", this.#atExit);
  }

  readonly #atExit = () => {
    try {
      rmSync(this.#file, { force: true });
      rmdirSync(dirname(this.#file));
    } catch {
      // The next one finds a dead holder.
    }
  };
}

async function take(place: string): Promise<Lock | undefined> {
  const name = `${self}${randomUUID()}`;
  const prepared = await fs.mkdtemp(`${place}-`);
  try {
    await fs.writeFile(join(prepared, name), "0", { flag: "wx", mode: 0o600 });
    await fs.rename(prepared, place);
    return new Held(join(place, name));
  } catch (error) {
    await fs.rm(prepared, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    // A directory that is not empty cannot be replaced.
    if (code === "ENOTEMPTY" || code === "EEXIST" || (process.platform === "win32" && code === "EPERM"))
      return undefined;
    throw error;
  }
}

/** One file has one lock, whatever links lead to it. */
const actual = async (path: string): Promise<string> =>
  (await fs.realpath(path).catch(unless("ENOENT", "ENOTDIR"))) ?? path;

/**
 * Undefined where a living process holds it after `wait` milliseconds. Of a holder whose process id means nothing here
 * that is found out from its signs of life, which may take longer. Rejects with the reason of `stop`.
 */
export async function lock(
  path: string,
  wait: number,
  stop?: AbortSignal,
  clock: Pick<Clock, "monotonic" | "sleep"> = real,
): Promise<Lock | undefined> {
  const place = `${await actual(path)}.lock`;
  const until = clock.monotonic() + wait;
  let seen: { name: string; sign: string; since: number; moved: boolean } | undefined;
  for (;;) {
    const now = clock.monotonic();
    const holder = await holderOf(place);
    if (!holder) {
      const taken = await take(place);
      if (taken) return taken;
      // Where an empty directory cannot be replaced, one that a killed process has left would stand in the way for ever.
      await fs.rmdir(place).catch(unless("ENOENT", "ENOTEMPTY", "EEXIST", "EPERM", "EBUSY"));
      if (now >= until + longestSilence) return undefined;
      await clock.sleep(pause, stop);
      continue;
    }
    const { name, sign } = holder;
    const same = seen?.name === name;
    if (!seen || !same || seen.sign !== sign) seen = { name, sign, since: now, moved: same };
    const judged = state(name);
    if (judged === "dead" || (judged === "unknown" && now - seen.since >= longestSilence)) await evict(place, name);
    else if ((judged === "alive" || seen.moved) && now >= until) return undefined;
    else await clock.sleep(pause, stop);
  }
}
