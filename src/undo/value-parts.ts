/** Joins the changes of each value to one: from what the first run found to what the last one set. */
import { valueNamed } from "../common/object-members.ts";
import type { LogEntry } from "../log/change-log.ts";
import { sameValue } from "../resolve/desired.ts";
import { paramOf } from "../wire/call.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { type Between, valueKey } from "./later-changes.ts";
import type { RunChange, ThingPart, ValuePart } from "./part.ts";
import { ordered, valuesIn } from "./values.ts";

const isSame = ({ operation, name, to }: ValuePart, one: unknown, other: unknown): boolean =>
  sameValue(paramOf(operation, name, to), one, other);

/**
 * Returns whether a run found a value that earlier ones did not leave: somebody else has set it. `isUndone`: an undo between
 * them may have left any value of theirs. Orders change by themselves.
 */
function isReplaced(value: ValuePart, { run }: LogEntry, found: unknown, isUndone: boolean): boolean {
  const { operation, entry: last, from, to, all } = value;
  if (found === undefined || run === last.run || ordered.has(operation)) return false;
  const left = isUndone || last.outcome !== "done" ? [from, ...all] : [to];
  return left.every((each) => !isSame(value, each, found));
}

export class ValueParts {
  readonly #values = new Map<string, ValuePart>();
  /** By key, the line that changed a value last. */
  readonly #lasts = new Map<string, LogEntry>();
  readonly #overtaken: ThingPart[] = [];

  constructor(private readonly between: Between) {}

  /** The values that were added so far, by key. */
  get byKey(): ReadonlyMap<string, ValuePart> {
    return this.#values;
  }

  /** The values that were changed, although they may be back. */
  get changed(): ValuePart[] {
    return [...this.#values.values()].filter((value) => value.all.some((each) => !isSame(value, value.from, each)));
  }

  /** What somebody else changed between two of the runs: what the first one found does not come back. */
  get overtaken(): readonly ThingPart[] {
    return this.#overtaken;
  }

  /** Adds the values that an operation set. */
  add(change: RunChange, operation: AnyOperation): void {
    const { position, entry, line } = change;
    const { outcome, from = {}, to = {}, thing } = entry;
    for (const [name, all] of Object.entries(to)) {
      const old = valuesIn(name, valueNamed(from, name));
      for (const [of, value] of valuesIn(name, all)) {
        const key = valueKey(thing, name, of);
        const found = this.#values.get(key);
        const earlier = found && !this.#isOvertaken(found, change, old.get(of)) ? found : undefined;
        this.#lasts.set(key, line);
        this.#values.set(key, {
          kind: "value",
          position: earlier?.position ?? position,
          operation,
          key,
          entry: { ...entry, from: { ...from, ...earlier?.entry.from } },
          name,
          from: earlier ? earlier.from : old.get(of),
          to: value,
          ends: [value, ...(outcome === "done" ? [] : (earlier?.ends ?? []))],
          all: [value, ...(earlier?.all ?? [])],
        });
      }
    }
  }

  /** Returns the removal of a thing with the values that it had before the runs, and forgets these. */
  removal(change: RunChange): LogEntry {
    const { entry } = change;
    const from: Record<string, unknown> = { ...entry.from };
    for (const [key, value] of this.#values) {
      if (entry.thing === undefined || value.entry.thing !== entry.thing) continue;
      this.#values.delete(key);
      if (this.#isOvertaken(value, change, from[value.name])) continue;
      if (value.name === "draft") from.drafts = [value.from];
      else from[value.name] = value.from;
    }
    return { ...entry, from };
  }

  /** Returns whether somebody else has changed a value before a change that found it so. */
  #isOvertaken(value: ValuePart, { entry, line }: RunChange, found: unknown): boolean {
    const since = this.between(value.key, this.#lasts.get(value.key), line);
    const by = since?.run;
    if (by === undefined && !isReplaced(value, entry, found, since !== undefined)) return false;
    if (!isSame(value, value.from, found))
      this.#overtaken.push({ position: value.position, kind: "overtaken", entry: value.entry, by, value });
    return true;
  }
}
