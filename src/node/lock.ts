/**
 * Locks between processes, also on several machines or containers that share a directory. A lock is a directory with
 * the file of its holder. It is renamed into place, so only one process succeeds. The holder writes to its file
 * regularly, because a process id says nothing on another machine.
 */
import { randomUUID } from "node:crypto";
import { closeSync, promises as fs, openSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { type Clock, type Lock, lockTimeout } from "../world/world.ts";
import { clock as realClock } from "./clock.ts";
import { ownPrefix, processState } from "./process-name.ts";

/** The time between two heartbeats, and between two checks of a lock, in milliseconds. */
const heartbeatInterval = 2000;
const checkInterval = 50;

const ignoring =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(systemErrorCode(error))) throw error;
  };

/** Returns the holder and its latest heartbeat. */
async function holderOf(place: string): Promise<{ name: string; heartbeat: string } | undefined> {
  const [name] = (await fs.readdir(place).catch(ignoring("ENOENT"))) ?? [];
  if (name === undefined) return undefined;
  // Network file systems return the current content only to a new opening.
  const heartbeat = await fs.readFile(join(place, name), "latin1").catch(ignoring("ENOENT", "EISDIR"));
  return { name, heartbeat: heartbeat ?? "" };
}

// Names are unique, so this never removes the lock of another process.
async function evict(place: string, name: string): Promise<void> {
  await fs.rm(join(place, name), { recursive: true, force: true });
  // The next holder may have it already.
  await fs.rmdir(place).catch(ignoring("ENOENT", "ENOTEMPTY", "EEXIST"));
}

/** The locks of this process. One listener for all: Node warns about many. */
const held = new Set<Held>();
process.on("exit", () => {
  for (const lock of held) lock.releaseAtExit();
});

class Held implements Lock {
  readonly #file: string;
  readonly #timer: NodeJS.Timeout;
  #beats = 0;
  #isLost = false;

  constructor(file: string) {
    this.#file = file;
    this.#timer = setInterval(() => void this.#beat(), heartbeatInterval).unref();
    held.add(this);
  }

  isHeld(): boolean {
    try {
      if (!this.#isLost) closeSync(openSync(this.#file, "r"));
    } catch {
      this.#isLost = true;
    }
    return !this.#isLost;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    held.delete(this);
    await evict(dirname(this.#file), basename(this.#file));
  }

  async #beat(): Promise<void> {
    try {
      await fs.writeFile(this.#file, String(++this.#beats), { flag: "r+" });
    } catch (error) {
      // Other disk errors may be temporary.
      this.#isLost ||= systemErrorCode(error) === "ENOENT";
    }
  }

  releaseAtExit(): void {
    try {
      rmSync(this.#file, { force: true });
      rmdirSync(dirname(this.#file));
    } catch {
      // The next process finds a dead holder.
    }
  }
}

async function tryLock(place: string): Promise<Lock | undefined> {
  const name = `${ownPrefix}${randomUUID()}`;
  const prepared = await fs.mkdtemp(`${place}-`);
  try {
    await fs.writeFile(join(prepared, name), "0", { flag: "wx", mode: 0o600 });
    await fs.rename(prepared, place);
    return new Held(join(place, name));
  } catch (error) {
    await fs.rm(prepared, { recursive: true, force: true });
    // A directory with files cannot be replaced. On Windows no directory can.
    const taken = ["ENOTEMPTY", "EEXIST", ...(process.platform === "win32" ? ["EPERM"] : [])];
    return ignoring(...taken)(error);
  }
}

/**
 * Returns undefined if a living process holds it after `wait` milliseconds. Checking a holder on another machine may
 * take longer. Rejects with the reason of `stop`.
 */
export async function lock(
  path: string,
  wait: number,
  stop?: AbortSignal,
  clock: Pick<Clock, "monotonic" | "sleep"> = realClock,
): Promise<Lock | undefined> {
  // Links to one file have one lock.
  const place = `${(await fs.realpath(path).catch(ignoring("ENOENT", "ENOTDIR"))) ?? path}.lock`;
  const until = clock.monotonic() + wait;
  let lastSeen: { name: string; heartbeat: string; since: number; isBeating: boolean } | undefined;
  for (;;) {
    const now = clock.monotonic();
    const holder = await holderOf(place);
    if (!holder) {
      const taken = await tryLock(place);
      if (taken) return taken;
      // On Windows, the empty directory of a killed process would block forever.
      await fs.rmdir(place).catch(ignoring("ENOENT", "ENOTEMPTY", "EEXIST", "EPERM", "EBUSY"));
      if (now >= until + lockTimeout) return undefined;
      await clock.sleep(checkInterval, stop);
      continue;
    }
    const { name, heartbeat } = holder;
    const same = lastSeen?.name === name;
    if (!lastSeen || !same || lastSeen.heartbeat !== heartbeat)
      lastSeen = { name, heartbeat, since: now, isBeating: same };
    const found = processState(name);
    if (found === "dead" || (found === "unknown" && now - lastSeen.since >= lockTimeout)) await evict(place, name);
    else if ((found === "alive" || lastSeen.isBeating) && now >= until) return undefined;
    else await clock.sleep(checkInterval, stop);
  }
}
