/**
 * What a call does to people and content, as data: each operation states it beside its parameters. `src/effects` compares it
 * with what is there, and finds the effects.
 */

import type { KindName } from "../model/kinds/index.ts";
import type { ListName } from "../model/kinds/lists.ts";

/** An id, an address, or the account in use. */
export type AffectedAccount = number | string | "self";

/** A list of people or groups. */
export interface ListOf {
  readonly list: ListName;
  /** The id of the thing. A raw request may have only its name. */
  readonly of: number | string;
}

export type Impact =
  /** People or groups leave a list. `isWhole`: the list is set as a whole. */
  | ({ readonly does: "leave"; readonly who: readonly AffectedAccount[]; readonly isWhole?: boolean } & ListOf)
  | ({ readonly does: "join"; readonly who: readonly AffectedAccount[] } & ListOf)
  /** An account is deactivated. `deletes`: what is deleted with it. */
  | { readonly does: "deactivate"; readonly account: AffectedAccount; readonly deletes?: readonly string[] }
  | { readonly does: "reactivate"; readonly account: AffectedAccount }
  | { readonly does: "role"; readonly account: AffectedAccount; readonly role: number }
  | { readonly does: "give bot"; readonly bot: number; readonly owner: number }
  | { readonly does: "invite"; readonly role: number | undefined; readonly addresses?: string }
  | { readonly does: "invite again"; readonly id: number }
  /** A thing is archived, deactivated or removed. */
  | { readonly does: "remove"; readonly kind: KindName; readonly id: number | string }
  /** Fields, settings and permissions of something that is there get new values. */
  | {
      readonly does: "set";
      readonly kind: "channel" | "group" | "organization" | "profile_field";
      readonly id?: number;
      readonly values: Readonly<Record<string, unknown>>;
    }
  /** Something new gets these values. */
  | {
      readonly does: "create";
      readonly kind: "channel" | "group";
      readonly name: string;
      /** Who is in it from the beginning. Absent if it is not known. */
      readonly members?: readonly AffectedAccount[];
      readonly values: Readonly<Record<string, unknown>>;
    }
  | { readonly does: "delete message"; readonly id: number }
  | { readonly does: "delete topic"; readonly channel: number; readonly topic: string }
  /** A message is moved, alone or with others of its topic. */
  | {
      readonly does: "move";
      readonly message: number;
      readonly topic?: string | undefined;
      readonly channel?: number | undefined;
      readonly mode: "change_one" | "change_later" | "change_all";
    }
  | { readonly does: "replace key"; readonly account: AffectedAccount }
  | { readonly does: "export"; readonly type: string | undefined };

/** Why a call has no effects on people and content, or that nobody knows. */
type NoImpacts = { readonly none: string } | { readonly unknown: string };

/** What a call does, from those of its arguments that are known. */
export type Impacts<A> = NoImpacts | ((args: Partial<A>) => readonly Impact[]);

/** Returns an impact on a thing, if it is known: a raw request may name it in a way that only the server understands. */
export const ifKnown = <T>(
  thing: T | undefined,
  impact: (thing: T) => Impact | readonly Impact[],
): readonly Impact[] => {
  if (thing === undefined) return [];
  return [impact(thing)].flat();
};

/** Returns who joins a list, and who leaves it. */
export const listImpacts = (
  list: ListOf["list"],
  of: number,
  added: readonly AffectedAccount[] = [],
  removed: readonly AffectedAccount[] = [],
): Impact[] => [
  ...(added.length ? [{ does: "join", list, of, who: added } as const] : []),
  ...(removed.length ? [{ does: "leave", list, of, who: removed } as const] : []),
];
