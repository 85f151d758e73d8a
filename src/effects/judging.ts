/** What the parts of a judgment share: the impacts of a run, what is there, and what was found. */

import { once } from "../common/once.ts";
import type { MovedMessages } from "../engine/change.ts";
import { undefinedOnFailure } from "../errors.ts";
import type { ChangeEffect } from "../model/effect.ts";
import { kindNamed } from "../model/kinds/index.ts";
import { listNamed } from "../model/kinds/lists.ts";
import type { Removals } from "../model/removal-limit.ts";
import type { AffectedAccount, Impact, ListOf } from "../wire/impact.ts";
import type { Present } from "./present.ts";

/** How much is judged, besides what stops a run. Less is read for less. */
export interface Depth {
  /** What needs confirmation. */
  readonly asks: boolean;
  /** All that takes something from people, as summaries count it. */
  readonly takes: boolean;
  /** All that is shown. */
  readonly shows: boolean;
  /** How many messages are deleted, which may stop the run. */
  readonly counts?: boolean;
}

export const everything: Depth = { asks: true, takes: true, shows: true };

/** One change of a run. */
export interface Subject {
  readonly impacts: readonly Impact[];
  /** Why nobody knows what it does. */
  readonly unknown?: string | undefined;
  /** The lists that it sets as a whole, as `channel 7 subscribers`. */
  readonly wholeLists?: readonly string[] | undefined;
  /** Its command does not compare those lists again before it sends, as plans do. */
  readonly comparesOnce?: boolean;
  readonly moved?: MovedMessages | undefined;
  /** The number of messages that it deletes, if it is known. */
  readonly deleted?: number | undefined;
  /** What the user called the thing. */
  readonly title?: string | undefined;
}

/** What a run takes out of one list, of the people, or of the things of one kind. */
export interface Loss extends Removals {
  /** Follows "this would": `remove 40 of 41 subscribers of channel "design"`. */
  readonly says: string;
  /** The changes that take it, by their numbers. */
  readonly changes: readonly number[];
  /** It is one list, and not the people or things of the organization. */
  readonly isList?: true;
  /** Nothing is left of the list. */
  readonly isEmptied?: boolean;
}

/** A list that nobody is in afterwards. */
export interface Emptied {
  readonly says: string;
  readonly changes: readonly number[];
}

/** Messages that a change deletes. */
export interface DeletedMessages {
  readonly n: number;
  readonly count: number;
  /** There are more than were counted. */
  readonly isMore: boolean;
}

/** What locks the account in use out, or leaves nobody who can let somebody in. */
export interface Lockout {
  /** A sentence without its end. */
  readonly says: string;
  /** The text of the effect. */
  readonly text: string;
  /** The flag that allows it. Without it nothing does. */
  readonly overrideFlag?: "--allow-lockout";
  readonly hint?: string;
  readonly changes: readonly number[];
}

/** What could not be read. */
export interface Unread {
  /** Follows "zulipctl cannot read". */
  readonly what: string;
  readonly reason: string;
  /** What it may hide, as the flag that allows it. */
  readonly allowedBy?: "--allow-empty" | "--max-removals";
  readonly changes: readonly number[];
}

type Does = Impact["does"];

/** An impact, and the number of its change. */
export interface Occurrence<D extends Does = Does> {
  readonly n: number;
  readonly impact: Extract<Impact, { does: D }>;
}

export class Judging {
  /** By change. */
  readonly effects: ChangeEffect[][];
  readonly losses: Loss[] = [];
  readonly emptied: Emptied[] = [];
  readonly lockouts: Lockout[] = [];
  readonly deletions: DeletedMessages[] = [];
  readonly unread: Unread[] = [];

  readonly present: Present;

  constructor(
    readonly subjects: readonly Subject[],
    present: Present,
    readonly depth: Depth,
  ) {
    // Thousands of changes need these as often.
    this.present = {
      ...present,
      accounts: once(present.accounts),
      channels: once(present.channels),
      groups: once(present.groups),
    };
    this.effects = subjects.map(() => []);
  }

  get asks(): boolean {
    return this.depth.asks;
  }

  add(n: number, ...effects: readonly ChangeEffect[]): void {
    this.effects[n]?.push(...effects);
  }

  /** Adds what the run takes out of a list, of the people, or of the things of one kind. */
  lose(loss: Loss): void {
    this.losses.push(loss);
  }

  /** Adds a list that nobody is in afterwards. */
  empty(list: Emptied): void {
    this.emptied.push(list);
  }

  /** Adds what locks the account in use out, also as an effect. */
  lock(lockout: Lockout): void {
    this.lockouts.push(lockout);
    for (const n of new Set(lockout.changes)) this.add(n, { kind: "lockout", text: lockout.text });
  }

  /** Returns the impacts of some kinds, in the order of the run. */
  of<D extends Does>(...kinds: readonly D[]): Occurrence<D>[] {
    const wanted = new Set<Does>(kinds);
    return this.subjects.flatMap(({ impacts }, n) =>
      impacts
        .filter((impact): impact is Extract<Impact, { does: D }> => wanted.has(impact.does))
        .map((impact) => ({ n, impact })),
    );
  }

  /** Reads something. What cannot be read is noted, and undefined. */
  async read<T>(
    read: () => Promise<T>,
    unread: Omit<Unread, "reason"> & { readonly silent?: boolean },
  ): Promise<T | undefined> {
    const { silent = false, ...noted } = unread;
    let reason = "";
    const found = await undefinedOnFailure(
      read().catch((error: Error) => {
        reason = error.message;
        throw error;
      }),
    );
    if (found === undefined && reason && !silent) this.unread.push({ ...noted, reason });
    return found;
  }

  /** Returns the id of an account. Undefined if it is not found. */
  async idOf(account: AffectedAccount): Promise<number | undefined> {
    if (typeof account === "number") return account;
    if (account === "self") return (await this.present.ownAccount()).user_id;
    const address = account.toLowerCase();
    const all = await undefinedOnFailure(this.present.accounts());
    const has = (found?: string | null) => found?.toLowerCase() === address;
    return [...(all?.values() ?? [])].find(({ email, delivery_email }) => has(delivery_email) || has(email))?.user_id;
  }

  /** Returns the id of the thing that a list belongs to. Undefined if none has the name. */
  async ownerId({ list, of }: ListOf): Promise<number | undefined> {
    if (typeof of === "number") return of;
    const { kind } = listNamed(list);
    const { title = "name", id = "id", fold = String } = kindNamed(kind);
    const all = await undefinedOnFailure(this.present.records(kind));
    const found = all?.find((record) => fold(String(record[title])) === fold(of));
    return found && Number(found[id]);
  }
}
