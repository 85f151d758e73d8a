import type { Change } from "../engine/change.ts";
import type { EarlierValues } from "../resolve/present.ts";
import { wishesOf } from "../resolve/wishes.ts";
import { call } from "../wire/call.ts";

/** What the rows of a run make of things, in their order. */
export class ValuesOfRows implements EarlierValues {
  /** Only what stands before this line counts as earlier. */
  line = Number.POSITIVE_INFINITY;
  /** By thing and parameter, the lines that set it and to what. */
  readonly #set = new Map<string, Map<string, { line: number; value: unknown }[]>>();

  of(target: string): ReadonlyMap<string, unknown> | undefined {
    const parameters = this.#set.get(target);
    if (!parameters) return undefined;
    const values = new Map<string, unknown>();
    for (const [name, lines] of parameters) {
      const last = lines.findLast(({ line }) => line < this.line);
      if (last) values.set(name, last.value);
    }
    return values;
  }

  /** What a row sets counts for later ones. */
  learn(line: number, changes: readonly Change[]): void {
    for (const { operation, args, asked } of changes) {
      const target = operation.before && operation.target?.(args);
      if (target === undefined) continue;
      const parameters = this.#set.get(target) ?? new Map<string, { line: number; value: unknown }[]>();
      this.#set.set(target, parameters);
      for (const [name, value] of wishesOf(call(operation, asked ?? args))) {
        const lines = parameters.get(name);
        if (lines) lines.push({ line, value });
        else parameters.set(name, [{ line, value }]);
      }
    }
  }
}
