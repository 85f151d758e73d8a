/** What runs changed after the runs that are taken back, by what it was: a value of a thing, or a membership. */
import { operationNamed } from "../api/registry.ts";
import type { LogEntry } from "../log/change-log.ts";
import { hasEffect } from "./history.ts";
import { creationOf, madeBy, madeKey } from "./things.ts";
import { valuesIn } from "./values.ts";

export const valueKey = (thing: string | undefined, name: string, of: unknown): string => `${thing} ${name} ${of}`;
export const memberKey = (list: string, id: number): string => `${list} ${id}`;

export const thingKeyOf = (thing: string): string => `thing ${thing}`;

/** Returns keys of what an entry changed. */
function keysOf(entry: LogEntry): string[] {
  const { thing } = entry;
  const creation = creationOf(entry);
  const made = (creation ? madeBy(creation, entry) : []).map((id) => thingKeyOf(madeKey(entry, id)));
  return [...made, ...(thing === undefined ? [] : [thingKeyOf(thing)]), ...valueKeysOf(entry)];
}

function valueKeysOf({ operation, thing, at, to }: LogEntry): string[] {
  if (!to || thing === undefined) return [];
  const memberships = operationNamed(operation)?.memberships?.({ ...at, ...to }) ?? [];
  if (memberships.length)
    return memberships.flatMap(({ list, added, removed }) => [...added, ...removed].map((id) => memberKey(list, id)));
  return Object.entries(to).flatMap(([name, value]) =>
    [...valuesIn(name, value).keys()].map((of) => valueKey(thing, name, of)),
  );
}

interface Since {
  /** The last later run that changed it, unless that run was taken back itself. */
  readonly run?: string;
  /** An undo took it back, and had the answer. */
  readonly isBack: boolean;
}

export class Later {
  readonly #changes = new Map<string, { readonly run: string; readonly isDone: boolean }[]>();

  /** `entries`: the oldest first. `undoes`: the runs that an undo took back. `redone`: undos that were taken back. */
  constructor(
    entries: readonly LogEntry[],
    private readonly own: ReadonlySet<string>,
    private readonly isOwn: (entry: LogEntry) => boolean,
    private readonly undoes: (run: string) => readonly string[],
    private readonly redone: ReadonlySet<string>,
  ) {
    for (const entry of entries) {
      if (!hasEffect(entry)) continue;
      for (const key of keysOf(entry)) {
        // What came before the last change of these runs is in their old values.
        if (this.isOwn(entry)) this.#changes.set(key, []);
        else this.#changes.get(key)?.push({ run: entry.run, isDone: entry.outcome === "done" });
      }
    }
  }

  /** Returns what happened to it since. An undo, with what it took back, counts as nothing. */
  of(key: string): Since {
    const since = this.#changes.get(key) ?? [];
    const known = new Set([...since.map(({ run }) => run), ...this.own]);
    const taken = new Set<string>();
    let isBack = false;
    for (const { run, isDone } of since.toReversed()) {
      if (taken.has(run)) continue;
      const undone = this.undoes(run).filter((each) => known.has(each));
      if (!undone.length) return { run, isBack: false };
      for (const each of undone) taken.add(each);
      isBack ||= isDone && !this.redone.has(run) && undone.some((each) => this.own.has(each));
    }
    return { isBack };
  }
}
