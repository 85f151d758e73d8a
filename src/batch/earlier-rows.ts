/** What earlier rows of a run change: names, values and memberships. */

import { type Change, desiredMemberships } from "../engine/change.ts";
import type { JournalEntry } from "../engine/journal.ts";
import type { JournalReplay } from "../engine/journal-replay.ts";
import { Usage } from "../errors.ts";
import { everyKind } from "../model/kinds/index.ts";
import type { EarlierValues } from "../resolve/current-values.ts";
import { type Desired, desiredOf, joinValues } from "../resolve/desired.ts";
import type { EarlierMembers } from "../resolve/member-lists.ts";
import type { KnownNames } from "../resolve/resolver.ts";
import { call } from "../wire/call.ts";
import type { AnyOperation } from "../wire/operation.ts";

/** The ids of names and the people of groups in the run's first process. The run may have changed them since. */
export class NameCache implements KnownNames {
  readonly #learned = new Map<string, Extract<JournalEntry, { is: number }>>();
  readonly #people = new Map<number, readonly number[]>();

  /** `journaled`: what an earlier process has learned. */
  constructor(private readonly journaled?: Pick<JournalReplay, "names" | "people">) {}

  known(kind: string, name: string): number | undefined {
    const key = `${kind} ${name}`;
    return this.journaled?.names.get(key) ?? this.#learned.get(key)?.is;
  }

  async peopleOf(group: number, read: () => Promise<readonly number[]>): Promise<readonly number[]> {
    const known = this.journaled?.people.get(group) ?? this.#people.get(group);
    if (known) return known;
    const people = await read();
    this.#people.set(group, people);
    return people;
  }

  remember(kind: string, name: string, is: number): void {
    this.#learned.set(`${kind} ${name}`, { name, is, kind });
  }

  /** Returns what the journal does not have yet. */
  entries(): JournalEntry[] {
    return [...this.#learned.values(), ...[...this.#people].map(([group, people]) => ({ group, people }))];
  }
}

/** `flag`: the one that adds or removes. */
const contradiction = (message: string, flag: string): Usage => Object.assign(new Usage(message), { flag });

/** The line that adds or removes a member. */
interface ChangedMember {
  line: number;
  added: boolean;
}

/** What the rows read so far change. Later rows are compared with it. */
export class EarlierRows implements EarlierValues, EarlierMembers {
  /** By thing, its changes. */
  readonly #changes = new Map<string, Change[]>();
  readonly #created = new Set<string>();
  /** Things that can be created, and that rows change or remove. */
  readonly #touched = new Set<string>();
  /** By list and member. */
  readonly #members = new Map<string, Map<number, ChangedMember>>();
  /** By list, the line that sets all members. */
  readonly #replaced = new Map<string, number>();
  /** By request, the line of a change that must not be made twice, such as a message. */
  readonly #once = new Map<string, number>();

  valuesOf(target: string): Desired {
    const all = new Map<string, unknown>();
    for (const { operation, args, desiredArgs } of this.#changes.get(target) ?? [])
      for (const [name, value] of desiredOf(call(operation, desiredArgs ?? args)))
        all.set(name, joinValues(all.get(name), value));
    return all;
  }

  creates(thing: string): boolean {
    return this.#created.has(thing);
  }

  touches(target: string): boolean {
    return this.#touched.has(target);
  }

  membersOf(list: string): ReadonlyMap<number, { added: boolean }> | undefined {
    return this.#members.get(list);
  }

  /** Throws `Usage` if it repeats or reverses an earlier row. Otherwise the row counts for later ones. */
  add(line: number, changes: readonly Change[]): void {
    for (const change of changes) this.#checkMembers(change);
    for (const change of changes) this.#checkRepetition(change);
    for (const change of changes) this.#learn(line, change);
  }

  #checkMembers(change: Change): void {
    for (const { list, added, removed, flags } of desiredMemberships(change)) {
      const sets = change.setLists?.some(({ key }) => key === list);
      const replacedAt = this.#replaced.get(list);
      if (replacedAt !== undefined && (sets || added.length + removed.length > 0)) {
        const flag = sets ? flags.whole : added.length ? flags.added : flags.removed;
        throw contradiction(`${flag}: line ${replacedAt} already sets the whole list`, flag);
      }
      for (const id of [...added, ...removed]) {
        const earlier = this.#members.get(list)?.get(id);
        if (!earlier) continue;
        const isAdded = added.includes(id);
        // With --if-changed and in lists of things to create, it is done already.
        if (earlier.added === isAdded && change.ifChanged && !sets) continue;
        const does = earlier.added === isAdded ? "does the same already" : "does the opposite";
        const flag = sets ? flags.whole : isAdded ? flags.added : flags.removed;
        throw contradiction(`${flag} ${id}: line ${earlier.line} ${does}`, flag);
      }
    }
  }

  #checkRepetition(change: Change): void {
    const line = change.operation.evidence?.duplicates && this.#once.get(requestKey(change));
    if (line === undefined) return;
    throw contradiction(`line ${line} does the same already`, Object.values(change.flags ?? {})[0] ?? "");
  }

  #learn(line: number, change: Change): void {
    const { operation, args, creates = [] } = change;
    for (const thing of creates) this.#created.add(thing);
    const touched = change.unchanged || !isCreatable(operation) ? undefined : operation.target?.(args);
    if (touched !== undefined) this.#touched.add(touched);
    const isRead = operation.before !== undefined || operation.evidence !== undefined;
    const target = isRead ? operation.target?.(args) : undefined;
    const changes = target === undefined ? undefined : this.#changes.get(target);
    if (changes) changes.push(change);
    else if (target !== undefined) this.#changes.set(target, [change]);
    if (operation.evidence?.duplicates) this.#once.set(requestKey(change), line);
    for (const { list, added, removed } of desiredMemberships(change)) {
      const members = this.#members.get(list) ?? new Map<number, ChangedMember>();
      this.#members.set(list, members);
      for (const id of added) members.set(id, { line, added: true });
      for (const id of removed) members.set(id, { line, added: false });
      if (change.setLists?.some(({ key }) => key === list)) this.#replaced.set(list, line);
    }
  }
}

/** The nouns of things that another row may create. Accounts are found by their addresses. */
const nouns = new Set(
  everyKind.flatMap(([, { noun, section, key }]) => (section !== undefined && key[0] !== "email" ? noun : [])),
);
const isCreatable = ({ name }: AnyOperation): boolean => nouns.has(name.split(".")[0] ?? "");

const requestKey = ({ operation, args }: Pick<Change, "operation" | "args">): string =>
  JSON.stringify([operation.name, args]);
