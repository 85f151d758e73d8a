import type { Change } from "../engine/change.ts";
import { desiredOf } from "../resolve/desired.ts";
import type { EarlierValues } from "../resolve/present.ts";
import { call } from "../wire/call.ts";

/** What the rows of a run make of things, as far as they have been read. */
export class ValuesOfRows implements EarlierValues {
  /** Until a row is compared with what is there, nothing is remembered where all rows are alike. */
  #asked: boolean;
  /** By thing and parameter. */
  readonly #set = new Map<string, Map<string, unknown>>();
  readonly #brought = new Set<string>();

  /** `asked`: rows may be compared with what is there although the first of them is not. */
  constructor(asked: boolean) {
    this.#asked = asked;
  }

  of(target: string): ReadonlyMap<string, unknown> | undefined {
    this.#asked = true;
    return this.#set.get(target);
  }

  brings(thing: string): boolean {
    this.#asked = true;
    return this.#brought.has(thing);
  }

  /** What a row sets counts for later ones. */
  learn(changes: readonly Change[]): void {
    if (!this.#asked) return;
    for (const { operation, args, asked, brings = [] } of changes) {
      for (const thing of brings) this.#brought.add(thing);
      const target = operation.before && operation.target?.(args);
      if (target === undefined) continue;
      const values = this.#set.get(target) ?? new Map<string, unknown>();
      this.#set.set(target, values);
      for (const [name, value] of desiredOf(call(operation, asked ?? args))) values.set(name, value);
    }
  }
}
