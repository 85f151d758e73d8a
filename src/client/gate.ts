/** What a server is too old for is refused before it is sent. */
import type { TooOld } from "../errors.ts";
import type { Call, Spelling } from "../wire/call.ts";
import { type Gap, gaps, gapsTyped, mayBeTooNew, type Typed } from "../wire/encode.ts";
import { type AnyOperation, alters } from "../wire/operation.ts";
import { type Level, tooOld } from "./level.ts";

export class Gate {
  readonly #host: string;
  readonly #level: Level;
  /** The arguments of calls that the server is known to take. */
  readonly #passed = new WeakSet<object>();

  constructor(host: string, level: Level) {
    this.#host = host;
    this.#level = level;
  }

  /** A remembered level is asked again before a call is refused for it. */
  async pass(asked: Call, spelled: Spelling = {}): Promise<void> {
    const { operation, args } = asked;
    if (this.#passed.has(args)) return;
    if (mayBeTooNew(asked)) await this.insist(operation, (level) => gaps(asked, level, spelled), spelled);
    this.#passed.add(args);
  }

  async foresee(operation: AnyOperation, typed: readonly Typed[], spelled?: Spelling): Promise<void> {
    // What every server knows is no reason to ask for the level.
    if (gapsTyped(operation, typed, 0).length)
      await this.insist(operation, (level) => gapsTyped(operation, typed, level), spelled);
  }

  async insist(operation: AnyOperation, lacking: (level: number) => Gap[], spelled: Spelling = {}): Promise<void> {
    const missing = await this.#level.missing(lacking);
    if (missing) throw this.tooOld(operation, missing.gap, { has: missing.has, spelled, outcome: "not_sent" });
  }

  tooOld(
    operation: AnyOperation,
    { flag, needs }: Gap,
    { has, spelled, outcome }: { has: number; spelled: Spelling; outcome: "not_sent" | "not_applied" },
  ): TooOld {
    const what = flag ?? spelled.command ?? `${operation.method} ${operation.path}`;
    return tooOld(what, this.#host, { needs, has }, alters(operation) ? outcome : undefined);
  }
}
