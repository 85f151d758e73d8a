/** Has what was changed written down. The log is loaded with the first change, so that reads are not the slower for it. */

import type { Concluded } from "../client/concluded.ts";
import type { Sender } from "../client/sending.ts";
import type { ChangeLog } from "../log/change-log.ts";
import type { World } from "../world.ts";

export class Recorder {
  readonly #world: World;
  readonly #argv: readonly string[];
  #log: Promise<ChangeLog> | undefined;
  #failure: Error | undefined;

  constructor(world: World, argv: readonly string[]) {
    this.#world = world;
    this.#argv = argv;
  }

  /** Never throws, and does not wait. */
  record(sender: Sender, change: Concluded): void {
    const { env, clock } = this.#world;
    // What a server in memory is made to do is gone with it.
    if (this.#failure || sender.site === env.ZULIPCTL_SANDBOX) return;
    const time = clock.now();
    const opened = this.#log ?? this.#open();
    this.#log = opened.then(async (log) => {
      if (!this.#failure) await log.add({ sender, change, time }).catch((error: Error) => this.#fails(error));
      return log;
    });
    this.#log.catch((error: Error) => this.#fails(error));
  }

  async #open(): Promise<ChangeLog> {
    const { ChangeLog } = await import("../log/change-log.ts");
    return ChangeLog.open(this.#world, this.#argv);
  }

  #fails(error: Error): void {
    this.#failure ??= error;
  }

  /** Resolves when everything is written; gives why it is not. */
  async close(): Promise<Error | undefined> {
    const log = await this.#log?.catch(() => undefined);
    await log?.close().catch((error: Error) => this.#fails(error));
    return this.#failure;
  }
}
