/** What earlier rows of a run change: names, values and memberships. */
import { type Change, desiredMemberships } from "../engine/change.ts";
import type { Entry } from "../engine/journal.ts";
import { desiredOf } from "../resolve/desired.ts";
import type { EarlierValues } from "../resolve/present.ts";
import type { KnownNames } from "../resolve/resolver.ts";
import type { Earlier } from "../resolve/rosters.ts";
import { call } from "../wire/call.ts";

/** The ids of names in the run's first process. The run may have renamed things since. */
export class NameCache implements KnownNames {
  /** By kind and name. */
  readonly #known: ReadonlyMap<string, number>;
  readonly #learned = new Map<string, { name: string; is: number; kind: string }>();

  constructor(known: ReadonlyMap<string, number> = new Map()) {
    this.#known = known;
  }

  known(kind: string, name: string): number | undefined {
    const key = `${kind} ${name}`;
    return this.#known.get(key) ?? this.#learned.get(key)?.is;
  }

  learned(kind: string, name: string, is: number): void {
    this.#learned.set(`${kind} ${name}`, { name, is, kind });
  }

  /** Returns the names that the journal does not have yet. */
  entries(): Entry[] {
    return [...this.#learned.values()];
  }
}

/** The changes that the rows read so far make to things. */
export class ValuesOfRows implements EarlierValues {
  /** Nothing is kept until a row is compared with the current state, if all rows have the same form. */
  #asked: boolean;
  /** By thing and parameter. */
  readonly #set = new Map<string, Map<string, unknown>>();
  readonly #brought = new Set<string>();

  /** `asked`: later rows may be compared with the current state even if the first is not. */
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

  /** Records what a row sets, for later rows. */
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

export interface Contradiction {
  message: string;
  /** The flag that adds or removes. */
  at: string;
}

/** Checks memberships of all rows: none may repeat or reverse another. */
export class Memberships implements Earlier {
  /** By list and member, the line that adds it, or the negative line that removes it. */
  readonly #said = new Map<string, Map<number, number>>();
  /** By list, the line that sets all members. */
  readonly #whole = new Map<string, number>();

  says(list: string, id: number): boolean | undefined {
    const line = this.#said.get(list)?.get(id);
    return line === undefined ? undefined : line > 0;
  }

  *all(list: string): Generator<[id: number, added: boolean]> {
    for (const [id, line] of this.#said.get(list) ?? []) yield [id, line > 0];
  }

  /** Returns what contradicts an earlier row. Otherwise the row counts for later ones. */
  examine(line: number, changes: readonly Change[]): Contradiction | undefined {
    const all = changes.flatMap((change) =>
      desiredMemberships(change).map((membership) => ({ ...membership, change })),
    );
    for (const { list, added, removed, flags, change } of all) {
      const said = this.#said.get(list);
      const whole = this.#whole.get(list);
      const sets = change.whole?.includes(list);
      if (whole !== undefined && (sets || added.length + removed.length > 0)) {
        const flag = sets ? flags.whole : added.length ? flags.added : flags.removed;
        return { message: `${flag}: line ${whole} already sets the whole list`, at: flag };
      }
      for (const [ids, flag, sign] of [
        [added, flags.added, 1],
        [removed, flags.removed, -1],
      ] as const) {
        const id = said && ids.find((each) => said.has(each));
        if (id === undefined) continue;
        const before = said?.get(id) ?? 0;
        const does = before * sign > 0 ? "does the same already" : "does the opposite";
        const at = sets ? flags.whole : flag;
        return { message: `${at} ${id}: line ${Math.abs(before)} ${does}`, at };
      }
    }
    for (const { list, added, removed, change } of all) {
      const said = this.#said.get(list) ?? new Map<number, number>();
      this.#said.set(list, said);
      for (const id of added) said.set(id, line);
      for (const id of removed) said.set(id, -line);
      if (change.whole?.includes(list)) this.#whole.set(list, line);
    }
    return undefined;
  }
}

/** Finds rows that repeat an earlier one, for changes such as letters. */
export class Repetitions {
  readonly #lines = new Map<string, number>();

  examine(line: number, changes: readonly Change[]): Contradiction | undefined {
    for (const { operation, args, flags = {} } of changes) {
      if (!operation.evidence?.once) continue;
      const key = JSON.stringify([operation.name, args]);
      const before = this.#lines.get(key);
      if (before !== undefined)
        return { message: `line ${before} does the same already`, at: Object.values(flags)[0] ?? "" };
      this.#lines.set(key, line);
    }
    return undefined;
  }
}
