/** Locks of lists that a command sets as a whole, between the runs that share a state directory. */
import { join } from "node:path";
import type { Server } from "../client/server.ts";
import { asError, Interrupted, Usage } from "../errors.ts";
import type { Lock, World } from "../world/world.ts";

export class ListLocks {
  readonly #held = new Map<string, Lock>();

  /** `wait`: in milliseconds. */
  constructor(
    private readonly world: World,
    private readonly wait: number,
  ) {}

  /** Resolves when this process holds the list. Throws `Usage` if another run does not release it. */
  async hold({ site }: Server, list: string): Promise<void> {
    const { files, directories, signals } = this.world;
    const path = join(directories.state, "lists", encodeURIComponent(`${new URL(site).host}${list}`));
    if (this.#held.has(path)) return;
    const lock = await files.lock(path, this.wait, signals.stop).catch((cause) => {
      if (cause instanceof Interrupted) throw cause;
      throw new Usage(`cannot lock ${path}: ${asError(cause).message}`, {
        cause,
        hint: "ZULIPCTL_STATE_DIR names another directory for locks.",
        outcome: "not_sent",
      });
    });
    if (!lock)
      throw new Usage("another run is setting the same list", {
        outcome: "not_sent",
        hint: "Wait until that run ends, or wait longer with --max-wait.",
      });
    this.#held.set(path, lock);
  }

  async release(): Promise<void> {
    for (const lock of this.#held.values()) await lock.release();
    this.#held.clear();
  }
}
