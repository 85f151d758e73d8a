/** What happens to a thing when a run is taken back. */
import { type Change, change } from "../engine/change.ts";
import type { LogEntry } from "../log/change-log.ts";
import type { ChangeEffect } from "../model/effect.ts";
import type { Need } from "../permissions/needs.ts";
import type { Field } from "../wire/call.ts";
import { operation } from "../wire/operation.ts";
import type { Step } from "./kind-steps.ts";
import { type Thing, titleOf } from "./thing.ts";

/** A value that goes back, for people. Of lists of members, those that leave and those that join. */
export interface BackValue extends Field {
  readonly now: unknown;
  readonly back: unknown;
  /** Its parameter, if `name` is in words. */
  readonly param?: string;
}

/** Why something is left alone. */
export interface Left {
  readonly kind: "conflict" | "impossible";
  readonly says: string;
  /** Somebody else set it. */
  readonly value?: BackValue | undefined;
}

/** What happens to a thing. Changes without `left` are sent. */
export interface Item extends Thing {
  readonly sign: "+" | "~" | "-";
  readonly says?: string | undefined;
  readonly values?: readonly BackValue[];
  readonly notes?: readonly string[];
  /** What its changes do to people and content. */
  readonly effects?: readonly ChangeEffect[];
  readonly changes: readonly Change[];
  /** What its changes take, beyond what each operation needs. */
  readonly needs?: readonly Need[];
  /** It archives, deactivates or brings back what was there before the run. */
  readonly isSwitch?: boolean;
  /** Why it is left alone. */
  readonly left?: Left;
}

const verifyWith = ({ run }: Thing): string => `zulipctl undo ${run} --dry-run`;

export function left(thing: Thing, entry: LogEntry, kind: Left["kind"], says: string, value?: BackValue): Item {
  const nothing = operation(entry.operation, "POST /undo", { effects: { none: "it is never sent" } });
  const words = { target: titleOf(thing), done: "", verifyWith: verifyWith(thing) };
  return { ...thing, sign: "~", left: { kind, says, value }, changes: [change(nothing, {}, words)] };
}

/** Makes the change of a step. `what`: the values that it updates. */
export function changeOf(
  thing: Thing,
  { operation, args, says, what }: Step & { readonly what?: string },
  more: Partial<Change> = {},
): Change {
  const { kind, name } = thing;
  const title = kind === undefined ? name : `${kind} {target}`;
  const [verb = "", ...rest] = says.split(" ");
  const sentence = [`${verb.charAt(0).toUpperCase()}${verb.slice(1)}`, title, ...rest].join(" ");
  const done = `${sentence}${what === undefined ? "" : `: ${what}`}.`;
  return { ...change(operation, args, { target: name, done, verifyWith: verifyWith(thing) }), ...more };
}
