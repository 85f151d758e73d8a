/** Logs changes. The log is loaded before the first change, so reads start faster. */

import type { Sender, SentChange } from "../client/sending.ts";
import { membersOf } from "../common/members.ts";
import { asError } from "../errors.ts";
import type { ChangeLog, LoggedChange } from "../log/change-log.ts";
import type { World } from "../world/world.ts";

export class Recorder {
  #opening: Promise<ChangeLog> | undefined;
  #log: ChangeLog | undefined;
  /** Entries are written in the order in which changes end. */
  #pending: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  /** In a terminal: the number of changes that can be taken back, up to two, and whether one of them was destructive. */
  #reversible = 0;
  #asks = false;
  #keepsPrevious: Promise<boolean> | undefined;

  constructor(
    private readonly world: World,
    private readonly argv: readonly string[],
  ) {}

  /** Queues an entry. Never throws or waits. */
  record(sender: Sender, change: SentChange, find: LoggedChange["find"]): void {
    if (this.#failure) return;
    const made = { sender, change, find, time: this.world.clock.now() };
    this.#pending = this.#pending.then(() => this.#add(made)).catch((error) => this.#fail(error));
  }

  /** Returns the log. A failure is reported when a change is to be logged. */
  #open(): Promise<ChangeLog> {
    this.#opening ??= import("../log/change-log.ts").then(({ ChangeLog }) => ChangeLog.open(this.world, this.argv));
    return this.#opening;
  }

  /**
   * Returns whether the configuration lets the log keep what changes replace. Opens the log, so that a change can be logged
   * whatever happens while it is sent.
   */
  async keepsPrevious(): Promise<boolean> {
    this.#keepsPrevious ??= Promise.allSettled([this.world.settings.load(), this.#open()]).then(([loaded]) => {
      const { log, record_previous } = membersOf(loaded.status === "fulfilled" ? loaded.value?.document : undefined);
      return log !== false && record_previous !== false;
    });
    return this.#keepsPrevious;
  }

  async #add(made: LoggedChange): Promise<void> {
    if (this.#failure) return;
    this.#log ??= await this.#open();
    const entry = await this.#log.add(made);
    const { stderr, stdout } = this.world;
    if (!entry || this.#asks || this.#reversible > 1 || !stderr.isTerminal || !stdout.isTerminal) return;
    const { whyNot } = await import("../undo/parts.ts");
    if (whyNot(entry) !== undefined) return;
    this.#reversible++;
    this.#asks = made.change.asks === true;
  }

  /** The run for the hint in a terminal, if it made something destructive or several changes. Call `close` first. */
  get undoable(): string | undefined {
    return this.#asks || this.#reversible > 1 ? this.#log?.run : undefined;
  }

  #fail(error: unknown): void {
    this.#failure ??= asError(error);
  }

  /** Resolves when everything is written. Returns the error, if any. */
  async close(): Promise<Error | undefined> {
    await this.#pending;
    const [log] = await Promise.allSettled([this.#opening]);
    if (log.status === "fulfilled") await log.value?.close().catch((error) => this.#fail(error));
    return this.#failure;
  }
}
