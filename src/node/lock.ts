/**
 * Locks between processes, also of several machines or containers that share a directory. A lock is a directory that
 * holds its holder's file: one whole directory is renamed into place, so of all who try one succeeds. The holder writes to
 * its file now and then, because a process id says nothing on another machine.
 */
import { randomUUID } from "node:crypto";
import { closeSync, promises as fs, openSync, readFileSync, readlinkSync, rmdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../errors.ts";
import { type Clock, type Lock, longestSilence } from "../world.ts";
import { clock as real } from "./clock.ts";

/** Milliseconds between two signs of life, and between two looks for one. */
const beat = 2000;
const pause = 50;

function readable(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

/** When a process of this machine began, where the system tells: the next process with its id began at another time. */
function began(pid: number | "self"): string {
  const stat = readable(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

/** Where process ids mean the same: containers may share the machine's name. */
const here = `${hostname()}.${readable(() => readlinkSync("/proc/self/ns/pid"))}`.replace(/[^\w-]+/g, ".");
const self = `${process.pid}~${began("self")}~${here}~`;

function state(holder: string): "alive" | "dead" | "unknown" {
  if (holder.startsWith(self)) return "alive";
  const [pid, start, where] = holder.split("~");
  if (where !== here || !start) return "unknown";
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return "dead";
  }
  return began(Number(pid)) === start ? "alive" : "dead";
}

const unless =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(codeOf(error))) throw error;
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
    clearInterval(this.#timer);
    process.off("exit", this.#atExit);
    await evict(dirname(this.#file), basename(this.#file));
  }

  async #beat(): Promise<void> {
    try {
      await fs.writeFile(this.#file, String(++this.#beats), { flag: "r+" });
    } catch (error) {
      // Whatever else is wrong with the disk may pass.
      this.#lost ||= codeOf(error) === "ENOENT";
    }
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
    // A directory that is not empty cannot be replaced; on Windows none can.
    const taken = ["ENOTEMPTY", "EEXIST", ...(process.platform === "win32" ? ["EPERM"] : [])];
    return unless(...taken)(error);
  }
}

/**
 * Undefined where a living process holds it after `wait` milliseconds. Of a holder on another machine that is found out
 * from its signs of life, which may take longer. Rejects with the reason of `stop`.
 */
export async function lock(
  path: string,
  wait: number,
  stop?: AbortSignal,
  clock: Pick<Clock, "monotonic" | "sleep"> = real,
): Promise<Lock | undefined> {
  // One file has one lock, whatever links lead to it.
  const place = `${(await fs.realpath(path).catch(unless("ENOENT", "ENOTDIR"))) ?? path}.lock`;
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
    const found = state(name);
    if (found === "dead" || (found === "unknown" && now - seen.since >= longestSilence)) await evict(place, name);
    else if ((found === "alive" || seen.moved) && now >= until) return undefined;
    else await clock.sleep(pause, stop);
  }
}
