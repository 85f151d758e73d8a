/** What changes replace, for the log: read before they are sent, each kind once for a run. */
import type { Fields } from "../common/object-members.ts";
import { desiredOf, joinValues, withSet } from "../resolve/desired.ts";
import { asStatedOperation, type Change } from "./change.ts";
import { subjectOf } from "./task.ts";
import type { Transport } from "./transport.ts";

/** Returns the values that a change sets, with those that the server sets beside them. */
export function valuesAfter({ operation, args }: Pick<Change, "operation" | "args">): Fields {
  const implied = (operation.implies?.(args) ?? []).map(({ name, value }) => [name, value] as const);
  return { ...Object.fromEntries(implied), ...Object.fromEntries(desiredOf({ operation, args })) };
}

export class PreviousValues {
  readonly #read = new Map<Change, Fields>();
  /** By subject, what changes of this run have set. */
  readonly #set = new Map<string, Fields>();

  constructor(private readonly transport: Transport) {}

  /** Reads what these changes replace. What cannot be read is left out. */
  async read(changes: readonly Change[], alone: boolean): Promise<void> {
    if (!this.transport.previous) return;
    for (const change of changes) {
      if (this.#read.has(change)) continue;
      const values = await this.transport.previous(asStatedOperation(change), alone);
      if (values) this.#read.set(change, values);
    }
  }

  /** Returns what a change replaces: of values only those that it sets. */
  of(sent: Change): Fields | undefined {
    const read = this.#read.get(sent);
    const change = asStatedOperation(sent);
    const set = this.#set.get(subjectOf(change)) ?? {};
    if (!read) {
      const values = change.before && withSet(change.before, set);
      return values && Object.fromEntries(Object.keys(change.before ?? {}).map((name) => [name, values[name]]));
    }
    const values = withSet(read, set);
    if (change.operation.previous) return values;
    const names = Object.keys(valuesAfter(change)).filter((name) => values[name] !== undefined);
    return names.length ? Object.fromEntries(names.map((name) => [name, values[name]])) : undefined;
  }

  /** Later changes of the same thing replace what this one set. `made`: without what the server ignored. */
  learn(change: Change, made: Change): void {
    if (!this.#read.has(change) && !change.before) return;
    const subject = subjectOf(asStatedOperation(change));
    const set = this.#set.get(subject) ?? {};
    const later = Object.entries(valuesAfter(asStatedOperation(made))).map(([name, value]) => [
      name,
      joinValues(set[name], value),
    ]);
    this.#set.set(subject, { ...set, ...Object.fromEntries(later) });
  }
}
