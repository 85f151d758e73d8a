/** The things that runs changed, as the log names them. */
import { valueNamed } from "../common/object-members.ts";
import type { LogEntry } from "../log/change-log.ts";
import { creationOf } from "./kind-steps.ts";

export interface Thing {
  /** `channel`, `person`. Absent for something that exists once, such as `settings`. */
  readonly kind?: string | undefined;
  readonly name: string;
  readonly id?: number;
  /** The run that is taken back. */
  readonly run: string;
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
  // A journal names what has no answer by its kind and id.
  const isNameless = kind === "message" || (target === thing && id > 0);
  const known = isPattern ? String(from.pattern) : isNameless ? String(id) : bareName(entry, kind);
  return { kind, name: known, run, ...(id && { id }) };
}
