/** Sorts the changes of a run: values and lists of a thing become one part, whatever changed in between. */

import { removeEmoji } from "../api/emoji.ts";
import { createInvitationLink, sendInvitations } from "../api/invitations.ts";
import { updateMessage } from "../api/messages.ts";
import { deactivateUser } from "../api/people.ts";
import { operationNamed } from "../api/registry.ts";
import { counted } from "../common/counted.ts";
import { membersOf, valueNamed } from "../common/object-members.ts";
import type { LogEntry } from "../log/change-log.ts";
import { hasEffect } from "../log/read-log.ts";
import { fieldLabel } from "../model/field.ts";
import type { ListName } from "../model/kinds/lists.ts";
import { sameValue } from "../resolve/desired.ts";
import { fieldOf, paramOf } from "../wire/call.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { besides, DomainCount } from "./besides.ts";
import { type Between, memberKey, messageKey, valueKey } from "./later.ts";
import { moveParts } from "./moves.ts";
import { noOldValue, reasonOf } from "./reasons.ts";
import { creationOf, madeBy, removalOf } from "./things.ts";
import { ordered, valuesIn } from "./values.ts";

interface Common {
  /** The place of its first change in the run. */
  readonly position: number;
  readonly entry: LogEntry;
}

/** A value before and after the run. */
export interface ValuePart extends Common {
  readonly kind: "value";
  readonly operation: AnyOperation;
  readonly name: string;
  /** Tells values apart. */
  readonly key: string;
  readonly from: unknown;
  readonly to: unknown;
  /** The values that the run may have left: several if it is not known whether the last change was applied. */
  readonly ends: readonly unknown[];
  /** All values that the run set. It may have set the old one last. */
  readonly all: readonly unknown[];
}

/** Members that the run added and removed, at the end. */
export interface ListPart extends Common {
  readonly kind: "list";
  readonly list: ListName;
  /** The id of the thing that has the list. */
  readonly owner: number;
  readonly added: readonly number[];
  readonly removed: readonly number[];
  /** Members that are again as they were before the run, and whether they were in the list. */
  readonly restored: ReadonlyMap<number, boolean>;
  /** Members that another run changed before the next one of these runs did. */
  readonly overtaken: ReadonlyMap<number, { readonly by: string; readonly isAdded: boolean }>;
}

export interface ThingPart extends Common {
  readonly kind: "made" | "lost" | "removed" | "invited" | "moved" | "merged" | "overtaken" | "impossible";
  readonly id?: unknown;
  /** The run that has overtaken it, if the log has one, and of which value or how many messages. */
  readonly by?: string | undefined;
  readonly value?: ValuePart;
  readonly count?: number;
}

export type Part = ValuePart | ListPart | ThingPart;

/** Reading does not tell what was there. */
const unreadable: ReadonlySet<AnyOperation> = new Set([removeEmoji, updateMessage]);

const isReadable = (operation: AnyOperation) =>
  (operation.before ?? operation.previous) !== undefined && !unreadable.has(operation);

const kindOf = (entry: LogEntry): ThingPart["kind"] => {
  if (entry.operation === updateMessage.name && entry.from) return "moved";
  if (entry.operation === sendInvitations.name || entry.operation === createInvitationLink.name) return "invited";
  if (entry.outcome === "unknown" && creationOf(entry)) return "lost";
  return removalOf(entry) && entry.from ? "removed" : "impossible";
};

/** What a run changed of a thing that it made belongs to what it made. It is not compared if it may not be applied. */
function withLater(part: Part, { to = {}, outcome }: LogEntry): Part {
  if (part.kind !== "made") return part;
  const later = Object.entries(to).map(([each, value]) => [each, outcome === "done" ? value : undefined]);
  return { ...part, entry: { ...part.entry, to: { ...part.entry.to, ...Object.fromEntries(later) } } };
}

/**
 * What a run changed of a thing before it removed it is made again as it was before the run. `isOvertaken`: as another run
 * has changed it since.
 */
function asBefore(
  entry: LogEntry,
  values: Map<string, ValuePart>,
  isOvertaken: (part: ValuePart, found: unknown) => boolean,
): LogEntry {
  const from: Record<string, unknown> = { ...entry.from };
  for (const [key, part] of values) {
    if (entry.thing === undefined || part.entry.thing !== entry.thing) continue;
    if (isOvertaken(part, from[part.name])) values.delete(key);
    else if (part.name === "draft") from.drafts = [part.from];
    else from[part.name] = part.from;
    values.delete(key);
  }
  return { ...entry, from };
}

/** Returns whether a run found a value that earlier ones did not leave: somebody else has set it. Orders change by themselves. */
function isReplaced(value: ValuePart, { run }: LogEntry, found: unknown): boolean {
  const { operation, name, entry: last, from, to, all } = value;
  if (found === undefined || run === last.run || ordered.has(operation)) return false;
  return [from, ...all].every((each) => !sameValue(paramOf(operation, name, to), each, found));
}

/** How members changed. */
interface Gathered {
  readonly adds: Map<number, boolean[]>;
  readonly overtaken: Map<number, { readonly by: string; readonly isAdded: boolean }>;
}

/** Returns the parts in the order in which they are taken back: the last first. */
export function partsOf(entries: readonly LogEntry[], between: Between = () => undefined): Part[] {
  const parts: Part[] = [];
  const values = new Map<string, ValuePart>();
  const members = new Map<string, Common & Pick<ListPart, "list" | "owner"> & Gathered>();
  /** By what they changed, the last changes. */
  const lasts = new Map<string, LogEntry | undefined>();
  /** By thing that the run made, the index of its part. */
  const made = new Map<unknown, number>();
  const add = (entry: LogEntry, position: number): void => {
    const { operation: name, outcome, at, from = {}, to, thing } = entry;
    if (outcome === "refused") return;
    const own = made.get(thing);
    const part = own === undefined ? undefined : parts[own];
    if (part && own !== undefined) {
      parts[own] = withLater(part, entry);
      return;
    }
    const creation = outcome === "done" ? creationOf(entry) : undefined;
    const ids = creation ? madeBy(creation, entry) : [];
    const operation = operationNamed(name);
    const isList = to && thing !== undefined && outcome === "done";
    const memberships = isList ? operation?.memberships?.(Object.assign({}, at, to)) : undefined;
    const common = { position, entry };
    const kind = kindOf(entry);
    const overtakenBy = (key: string) => between(key, lasts.get(key), entries[position]);
    /** Returns whether somebody else has changed a value since. What they found does not come back. */
    const isOvertaken = (value: ValuePart, found: unknown): boolean => {
      const by = overtakenBy(value.key);
      if (by === undefined && !isReplaced(value, entry, found)) return false;
      if (!sameValue(paramOf(value.operation, value.name, value.to), value.from, found))
        parts.push({ position: value.position, kind: "overtaken", entry: value.entry, by, value });
      return true;
    };
    if (creation && ids.length) {
      for (const id of ids) {
        made.set(`${creation.kind} ${id}`, parts.length);
        parts.push({ ...common, kind: "made", id });
      }
    } else if (memberships) {
      for (const { list: key, name: list, owner, added, removed } of memberships)
        for (const id of [...added, ...removed]) {
          const found = members.get(key) ?? { ...common, list, owner, adds: new Map(), overtaken: new Map() };
          members.set(key, found);
          const isAdded = added.includes(id);
          const earlier = found.adds.get(id) ?? [];
          const by = overtakenBy(memberKey(key, id));
          found.adds.set(id, by === undefined ? [...earlier, isAdded] : [isAdded]);
          if (by !== undefined && earlier[0] !== isAdded) found.overtaken.set(id, { by, isAdded: !isAdded });
          lasts.set(memberKey(key, id), entries[position]);
        }
    } else if (to && operation && isReadable(operation) && kind === "impossible") {
      for (const [name, all] of Object.entries(to)) {
        const old = valuesIn(name, valueNamed(from, name));
        for (const [of, value] of valuesIn(name, all)) {
          const key = valueKey(thing, name, of);
          const found = values.get(key);
          const earlier = found && !isOvertaken(found, old.get(of)) ? found : undefined;
          lasts.set(key, entries[position]);
          values.set(key, {
            kind: "value",
            position: earlier?.position ?? position,
            operation,
            key,
            entry: { ...entry, from: { ...from, ...earlier?.entry.from } },
            name,
            from: earlier ? earlier.from : old.get(of),
            to: value,
            ends: [value, ...(outcome === "done" ? [] : (earlier?.ends ?? []))],
            all: [value, ...(earlier?.all ?? [])],
          });
        }
      }
    } else {
      parts.push({ position, kind, entry: kind === "removed" ? asBefore(entry, values, isOvertaken) : entry });
    }
  };
  const removedDomains = new DomainCount();
  for (const [position, entry] of entries.entries()) {
    const dropped = besides(entry, values, removedDomains.before(entry));
    for (const each of [entry, ...dropped]) add(each, position);
  }
  for (const { adds, ...list } of members.values()) {
    const isChanged = (all: readonly boolean[]) => all[0] === all.at(-1);
    const idsOf = (isAdded: boolean) =>
      [...adds].flatMap(([id, all]) => (isChanged(all) && all[0] === isAdded ? [id] : []));
    const restored = [...adds].flatMap(([id, all]): [number, boolean][] => (isChanged(all) ? [] : [[id, !all[0]]]));
    parts.push({ ...list, kind: "list", added: idsOf(true), removed: idsOf(false), restored: new Map(restored) });
  }
  const isChanged = ({ operation, name, from, to, all }: ValuePart) =>
    all.some((each) => !sameValue(paramOf(operation, name, to), from, each));
  const changes = [...values.values()].filter(isChanged);
  const moves = moveParts(
    parts.flatMap(({ kind, ...part }) =>
      kind === "moved" ? [{ kind, position: part.position, entry: part.entry }] : [],
    ),
    (id, first, last) => between(messageKey(id), first, last),
  );
  return [...parts.filter(({ kind }) => kind !== "moved"), ...moves, ...changes].sort(
    (one, other) => other.position - one.position,
  );
}

/** Returns whether an entry deactivated an account with its profile. Only the server tells whether it comes back. */
export const deletesProfile = ({ operation, to }: LogEntry): boolean =>
  operation === deactivateUser.name && membersOf(to?.actions).delete_profile === true;

/** Returns what another run has overtaken. */
export const overtakenIn = ({ value, count = 0 }: ThingPart): string =>
  value
    ? `${fieldLabel(fieldOf(value.operation, value.name, value.to).name)} was changed`
    : `${counted(count, "message")} of it: moved`;

const nothingChanged = "nothing was changed";

/** Returns why an entry alone cannot be undone, as far as the log tells. Undefined if it can. */
export function whyNot(entry: LogEntry): string | undefined {
  const parts = partsOf([entry]);
  const isEmpty = (part: Part) => part.kind === "list" && !part.added.length && !part.removed.length;
  if (parts.every(isEmpty)) return nothingChanged;
  if (deletesProfile(entry)) return "from feature level 490 on, an account without its profile cannot be reactivated";
  const isSought = parts.some(({ kind }) => kind === "lost") && creationOf(entry)?.update;
  if (isSought) return `${reasonOf(entry)}: undo looks for it`;
  if (parts.some(({ kind }) => kind === "impossible" || kind === "lost")) return reasonOf(entry);
  const isUnknown = (part: Part) => part.kind === "value" && part.from === undefined;
  return parts.every(isUnknown) ? noOldValue : undefined;
}

/** Returns whether an entry changed something, or may have. What was so already changed nothing. */
export const changedSomething = (entry: LogEntry): boolean => hasEffect(entry) && whyNot(entry) !== nothingChanged;
