/** Has what was changed written down. The log is loaded with the first change, so that reads are not the slower for it. */

import type { Concluded } from "../client/concluded.ts";
import type { Sender } from "../client/sending.ts";
import type { ChangeLog, Made } from "../log/change-log.ts";
import type { World } from "../world.ts";

export class Recorder {
  readonly #world: World;
  readonly #argv: readonly string[];
  #log: ChangeLog | undefined;
  /** What takes longer than a moment, such as opening the log; what is recorded meanwhile comes after it. */
  #pending: Promise<void> | undefined;
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
    const made = { sender, change, time: clock.now() };
    const before = this.#pending;
    const adding = before === undefined ? this.#add(made) : before.then(() => this.#add(made));
    if (!adding) return;
    const pending: Promise<void> = adding.then(() => {
      if (this.#pending === pending) this.#pending = undefined;
    });
    this.#pending = pending;
  }

  #add(made: Made): void | Promise<void> {
    const fails = (error: unknown) => this.#fails(error as Error);
    try {
      if (this.#failure) return undefined;
      return (this.#log ? this.#log.add(made) : this.#first(made))?.catch(fails);
    } catch (error) {
      return fails(error);
    }
  }

  async #first(made: Made): Promise<void> {
    const { ChangeLog } = await import("../log/change-log.ts");
    this.#log = await ChangeLog.open(this.#world, this.#argv);
    await this.#log.add(made);
  }

  #fails(error: Error): void {
    this.#failure ??= error;
  }

  /** Resolves when everything is written; gives why it is not. */
  async close(): Promise<Error | undefined> {
    while (this.#pending !== undefined) await this.#pending;
    await this.#log?.close().catch((error: Error) => this.#fails(error));
    return this.#failure;
  }
}
