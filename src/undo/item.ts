/** What happens to a thing when a run is taken back. */
import { numbersIn, valueNamed } from "../common/object-members.ts";
import { type Change, change } from "../engine/change.ts";
import type { LogEntry } from "../log/change-log.ts";
import type { ChangeEffect } from "../model/effect.ts";
import type { Need } from "../permissions/needs.ts";
import type { Field } from "../wire/call.ts";
import { operation } from "../wire/operation.ts";
import { creationOf, type Step } from "./things.ts";

/** A value that goes back, for people. Of lists of members, those that leave and those that join. */
export interface BackValue extends Field {
  readonly now: unknown;
  readonly back: unknown;
  /** Its parameter, if `name` is in words. */
  readonly param?: string;
}

export interface Thing {
  /** `channel`, `person`. Absent for something that exists once, such as `settings`. */
  readonly kind?: string | undefined;
  readonly name: string;
  readonly id?: number;
  /** The run that is taken back. */
  readonly run: string;
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

export const titleOf = ({ kind, name }: Pick<Thing, "kind" | "name">): string =>
  kind === undefined ? name : `${kind} ${name}`;

/** Tells things of a plan apart. */
export const thingKey = ({ kind, name, id }: Thing): string => `${kind} ${id ?? name}`;

const unique: Readonly<Record<string, string>> = {
  organization: "settings",
  defaults: "settings of new people",
};

const otherKinds: Readonly<Record<string, string>> = {
  "attachment.add": "attachment",
  "channel.topics.rm": "topic",
  "export.create": "export",
  "invite.add": "invitation",
  "invite.link": "invitation",
  "messages.edit": "topic",
};

/** Plans of an organization log targets with their kinds: `folder Work`. A name can begin with the kind, too. */
function bareName({ target, from = {}, to = {}, command }: LogEntry, kind: string | undefined): string {
  const isName = [from, to].some(({ name, new_name }) => name === target || new_name === target);
  const isPlan = / (org|offboard)( |$)/.test(command);
  const prefix = `${kind} `;
  return isPlan && !isName && target.startsWith(prefix) ? target.slice(prefix.length) : target;
}

/** Returns the thing that an entry is about. `made`: the id of what it made. */
export function thingOf(entry: LogEntry, isBotId: (id: number) => boolean, made?: unknown): Thing {
  const { operation: name, target, thing, at = {}, from = {}, to = {}, run } = entry;
  if (name === "api" || name === "messages.send") return { name: target, run };
  if (thing !== undefined && !Object.keys(at).length) return { name: valueNamed(unique, thing) ?? thing, run };
  const stated = creationOf(entry)?.kind ?? thing?.replace(/ \S+$/, "");
  const id = Number(made ?? Object.values(at)[0]);
  const isBot = isBotId(id) || name.startsWith("bots.");
  const isMessage = name === "messages.edit" && to.propagate_mode !== "change_all";
  const other = isMessage ? undefined : valueNamed(otherKinds, name);
  const kind = other ?? (stated === "user" ? (isBot ? "bot" : "person") : stated);
  if (kind === "draft") return { kind, name: String(id), id, run };
  // A linkifier that is added again has another id.
  const isPattern = kind === "linkifier" && typeof from.pattern === "string";
  // An undo of a whole topic can move its messages one by one.
  const known = isPattern ? String(from.pattern) : kind === "message" ? String(id) : bareName(entry, kind);
  return { kind, name: known, run, ...(id && { id }) };
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

/** What the plan does before the item that is made. */
export class Earlier {
  /** By their old ids, the linkifiers that are added again. */
  readonly again = new Map<number, { readonly id: number; readonly pattern: string }>();
  /** What is added again: values and new ids. */
  readonly remade: { readonly kind: string; readonly values: Readonly<Record<string, unknown>> }[] = [];
  /** Things that are removed: `linkifier 3`. */
  readonly removed = new Set<string>();
  /** The kinds and values of what the runs made and somebody else has removed since. */
  readonly gone: { readonly kind: string | undefined; readonly values: Readonly<Record<string, unknown>> }[] = [];
  /** The settings of the organization that are set. */
  readonly settings = new Map<string, unknown>();
}

/** Returns the order without the plan's own, when an item is sent, and the old order of what is there then. */
export function orders(kind: string, old: unknown, now: unknown, { again, removed }: Earlier) {
  const there = numbersIn(now).filter((id) => !removed.has(`${kind} ${id}`));
  const added = kind === "linkifier" ? again : new Map<number, { id: number }>();
  const present = [...new Set([...there, ...[...added.values()].map(({ id }) => id)])];
  const back = numbersIn(old).flatMap((id) => (there.includes(id) ? [id] : (added.get(id)?.id ?? [])));
  return { present, back: [...back, ...present.filter((id) => !back.includes(id))] };
}
