/** What happens to a thing when a run is taken back. */
import { numbersIn } from "../common/members.ts";
import { type Change, change } from "../engine/change.ts";
import type { LogEntry } from "../log/change-log.ts";
import type { Effect } from "../model/setting.ts";
import { BadArgument, type paramOf } from "../wire/call.ts";
import { operation } from "../wire/operation.ts";
import { creations, type Step } from "./things.ts";

/** A value that goes back, for people. */
export interface BackValue {
  readonly name: string;
  readonly of: NonNullable<ReturnType<typeof paramOf>>["of"];
  readonly now: unknown;
  readonly back: unknown;
}

/** What happens to a thing. Changes without `left` are sent. */
export interface Item {
  readonly target: string;
  readonly sign: "+" | "~" | "-";
  readonly says?: string | undefined;
  readonly values?: readonly BackValue[];
  readonly notes?: readonly string[];
  readonly destructive?: readonly Effect[];
  readonly changes: readonly Change[];
  /** Why it is left alone. */
  readonly left?: { readonly kind: "conflict" | "impossible"; readonly says: string };
}

/** The target with its kind: `channel design`, `draft 3`. */
export function targetOf({ operation, target, thing, from }: LogEntry): string {
  const made = Object.hasOwn(creations, operation) ? creations[operation]?.kind : undefined;
  const isMoved = operation === "messages.edit" && from !== undefined;
  const kind = isMoved ? "topic" : (thing?.replace(/ \S+$/, "") ?? made);
  if (kind === undefined || `${target} `.startsWith(`${kind} `) || /^(setting|bot) /.test(target)) return target;
  return `${kind} ${target}`;
}

export function left(entry: LogEntry, kind: "conflict" | "impossible", says: string): Item {
  const nothing = operation(entry.operation, "POST /undo");
  const target = targetOf(entry);
  return {
    target,
    sign: "~",
    left: { kind, says },
    changes: [change(nothing, {}, { target, done: "", verifyWith: "zulipctl log" })],
  };
}

export function changeOf(
  entry: LogEntry,
  { operation, args, says }: Omit<Step, "destructive">,
  more: Partial<Change> = {},
): Change {
  return {
    ...change(operation, args, {
      target: entry.target,
      done: `{target}: ${says}.`,
      verifyWith: "zulipctl log show last",
    }),
    ...more,
  };
}

/** A value of another kind than the server has now cannot be sent. */
export function sendable(entry: LogEntry, make: () => Item): Item {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof BadArgument)) throw error;
    return left(entry, "impossible", error.message);
  }
}

/** What the plan does before the item that is made. */
export class Earlier {
  /** By their old ids, the linkifiers that are made again. */
  readonly again = new Map<number, number>();
  /** Things that are removed: `linkifier 3`. */
  readonly removed = new Set<string>();
  /** Names in between, where things swapped their names. */
  readonly names = new Map<string, unknown>();
}

/** Returns the order without the plan's own, when an item is sent, and the old order of what is there then. */
export function orders(kind: string, old: unknown, now: unknown, { again, removed }: Earlier) {
  const there = numbersIn(now).filter((id) => !removed.has(`${kind} ${id}`));
  const made = kind === "linkifier" ? [...again.values()].filter((id) => !there.includes(id)) : [];
  const present = [...there, ...made];
  const back = numbersIn(old).flatMap((id) =>
    there.includes(id) ? [id] : kind === "linkifier" ? (again.get(id) ?? []) : [],
  );
  return { present, back: [...back, ...present.filter((id) => !back.includes(id))] };
}
