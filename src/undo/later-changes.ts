/** What runs changed after the runs that are taken back, by what it was: a value of a thing, or a membership. */
import { reorderLinkifiers } from "../api/linkifiers.ts";
import { updateMessage } from "../api/messages.ts";
import type { LogEntry } from "../log/change-log.ts";
import { hasEffect } from "../log/read-log.ts";
import type { Membership } from "../wire/operation.ts";
import { againKeys, creationOf, madeBy, madeKey, membershipsOf } from "./kind-steps.ts";
import { movedIds } from "./move-parts.ts";
import { DomainCount, sideChanges } from "./side-changes.ts";
import { valuesIn } from "./values.ts";

export const valueKey = (thing: string | undefined, name: string, of: unknown): string => `${thing} ${name} ${of}`;
export const memberKey = (list: string, id: number): string => `${list} ${id}`;

export const messageKey = (id: number): string => `message ${id}`;

export const thingKeyOf = (thing: string): string => `thing ${thing}`;

/** Returns keys of what an entry changed. */
export function keysOf(entry: LogEntry): string[] {
  const { thing } = entry;
  const moved = entry.operation === updateMessage.name ? (movedIds(entry) ?? []) : [];
  const creation = creationOf(entry);
  const made = (creation ? madeBy(creation, entry) : []).map((id) => thingKeyOf(madeKey(entry, id)));
  return [
    ...made,
    ...againKeys(entry),
    ...moved.map(messageKey),
    ...(thing === undefined ? [] : [thingKeyOf(thing)]),
    ...valuesOf(entry).keys(),
  ];
}

/** Returns what an entry set, by key. Members have no value. */
function valuesOf(entry: LogEntry): ReadonlyMap<string, unknown> {
  const { thing, to } = entry;
  if (!to || thing === undefined) return new Map();
  const memberships = membershipsOf(entry) ?? [];
  if (memberships.length) {
    const keys = ({ list, added, removed }: Membership) => [...added, ...removed].map((id) => memberKey(list, id));
    return new Map(memberships.flatMap(keys).map((key) => [key, undefined]));
  }
  return new Map(
    Object.entries(to).flatMap(([name, all]) =>
      [...valuesIn(name, all)].map(([of, value]) => [valueKey(thing, name, of), value] as const),
    ),
  );
}

interface Since {
  /** The last later run that changed it, unless that run was taken back itself. */
  readonly run?: string;
  /** An undo took it back, and had the answer. */
  readonly isBack: boolean;
  /** The same, also if that undo was taken back without it. */
  readonly wasBack: boolean;
  /** An undo may have taken it back, and had no answer. */
  readonly mayBeBack: boolean;
  /** The value that the last undo has set. */
  readonly left?: unknown;
}

interface LaterChange {
  readonly run: string;
  readonly isDone: boolean;
  readonly isOwn: boolean;
  /** The number of its line. */
  readonly place: number;
  /** What it set a value to. */
  readonly value: unknown;
}

/**
 * Returns the run that changed something between two changes of runs that are taken back together. It is absent if only
 * undos of them did. Undefined if the log has nothing between.
 */
export type Between = (
  key: string,
  first: LogEntry | undefined,
  last: LogEntry | undefined,
) => { readonly run?: string | undefined } | undefined;

export class LaterChanges {
  readonly #changes = new Map<string, LaterChange[]>();
  readonly #places = new Map<LogEntry | undefined, number>();

  /** `entries`: the oldest first. `undoes`: the runs that an undo took back. `redone`: undos that were taken back. */
  constructor(
    entries: readonly LogEntry[],
    private readonly own: ReadonlySet<string>,
    private readonly isOwn: (entry: LogEntry) => boolean,
    private readonly undoes: (run: string) => readonly string[],
    private readonly redone: ReadonlySet<string>,
  ) {
    const removedDomains = new DomainCount();
    for (const [place, entry] of entries.entries()) {
      if (!hasEffect(entry)) continue;
      const isOwn = this.isOwn(entry);
      this.#places.set(entry, place);
      const isOrder = ({ operation }: LogEntry) => operation === reorderLinkifiers.name;
      // What a removal leaves is still in its order.
      const dropped = sideChanges(entry, new Map(), removedDomains.before(entry)).filter(
        (each) => isOwn || !isOrder(each),
      );
      const values = new Map([entry, ...dropped].flatMap((each) => [...valuesOf(each)]));
      for (const key of new Set([entry, ...dropped].flatMap(keysOf))) {
        const all = this.#changes.get(key) ?? [];
        if (!all.length && !isOwn) continue;
        this.#changes.set(key, all);
        all.push({ run: entry.run, isDone: entry.outcome === "done", isOwn, place, value: values.get(key) });
      }
    }
  }

  /** Returns what happened to it since. An undo, with what it took back, counts as nothing. */
  of(key: string): Since {
    const all = this.#changes.get(key) ?? [];
    return this.#sinceIn(all.slice(all.findLastIndex(({ isOwn }) => isOwn) + 1));
  }

  between: Between = (key, first, last) => {
    const [begin, end] = [this.#places.get(first), this.#places.get(last)];
    if (begin === undefined || end === undefined || first?.run === last?.run) return undefined;
    const all = this.#changes.get(key) ?? [];
    const found = all.filter(({ isOwn, place }) => !isOwn && place > begin && place < end);
    return found.length ? { run: this.#sinceIn(found).run } : undefined;
  };

  #sinceIn(since: readonly LaterChange[]): Since {
    const known = new Set([...since.map(({ run }) => run), ...this.own]);
    const taken = new Set<string>();
    let isBack = false;
    let wasBack = false;
    let mayBeBack = false;
    const left = since.at(-1)?.value;
    for (const { run, isDone } of since.toReversed()) {
      if (taken.has(run)) continue;
      const undone = this.undoes(run).filter((each) => known.has(each));
      if (!undone.length) return { run, isBack: false, wasBack: false, mayBeBack: false };
      for (const each of undone) taken.add(each);
      if (!undone.some((each) => this.own.has(each))) continue;
      const isRedone = this.redone.has(run);
      wasBack ||= isDone;
      isBack ||= isDone && !isRedone;
      mayBeBack ||= !isDone && !isRedone;
    }
    return { isBack, wasBack, mayBeBack, left };
  }
}
