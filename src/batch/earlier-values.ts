import type { Change } from "../engine/change.ts";
import { desiredOf } from "../resolve/desired.ts";
import type { EarlierValues } from "../resolve/present.ts";
import { call } from "../wire/call.ts";

/** What the rows of a run make of things, in their order. */
export class ValuesOfRows implements EarlierValues {
  /** Until a row is compared with what is there, nothing is remembered where all rows are alike. */
  #asked: boolean;
  /** Only what stands before this line counts as earlier. */
  line = Number.POSITIVE_INFINITY;
  /** By thing and parameter, the lines that set it and to what. */
  readonly #set = new Map<string, Map<string, { line: number; value: unknown }[]>>();
  /** By what there will be, the first line that says so. */
  readonly #brought = new Map<string, number>();

  /** `asked`: rows may be compared with what is there although the first of them is not. */
  constructor(asked: boolean) {
    this.#asked = asked;
  }

  of(target: string): ReadonlyMap<string, unknown> | undefined {
    this.#asked = true;
    const parameters = this.#set.get(target);
    if (!parameters) return undefined;
    const values = new Map<string, unknown>();
    for (const [name, lines] of parameters) {
      const last = lines.findLast(({ line }) => line < this.line);
      if (last) values.set(name, last.value);
    }
    return values;
  }

  brings(thing: string): boolean {
    this.#asked = true;
    return (this.#brought.get(thing) ?? Number.POSITIVE_INFINITY) < this.line;
  }

  /** What a row sets counts for later ones. */
  learn(line: number, changes: readonly Change[]): void {
    if (!this.#asked) return;
    for (const { operation, args, asked, brings = [] } of changes) {
      for (const thing of brings) this.#brought.set(thing, this.#brought.get(thing) ?? line);
      const target = operation.before && operation.target?.(args);
      if (target === undefined) continue;
      const parameters = this.#set.get(target) ?? new Map<string, { line: number; value: unknown }[]>();
      this.#set.set(target, parameters);
      for (const [name, value] of desiredOf(call(operation, asked ?? args))) {
        const lines = parameters.get(name);
        if (lines) lines.push({ line, value });
        else parameters.set(name, [{ line, value }]);
      }
    }
  }
}
