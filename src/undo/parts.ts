/** Sorts the changes of a run: values and lists of a thing become one part, whatever changed in between. */

import { deactivateBot } from "../api/bots.ts";
import { archiveChannel, updateChannel } from "../api/channels.ts";
import { addDomain, removeDomain } from "../api/domains.ts";
import { removeEmoji } from "../api/emoji.ts";
import { createInvitationLink, sendInvitations } from "../api/invitations.ts";
import { removeLinkifier, reorderLinkifiers } from "../api/linkifiers.ts";
import { updateMessage } from "../api/messages.ts";
import { updateOrganization } from "../api/organization.ts";
import { deactivateUser } from "../api/people.ts";
import { removePlayground } from "../api/playgrounds.ts";
import { operationNamed } from "../api/registry.ts";
import { membersOf, numbersIn, valueNamed } from "../common/members.ts";
import type { LogEntry } from "../log/change-log.ts";
import type { ListName } from "../model/kinds/lists.ts";
import { channelSettings } from "../model/organization.ts";
import { sameValue } from "../resolve/desired.ts";
import { paramOf } from "../wire/call.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { valueKey } from "./later.ts";
import { moveParts } from "./moves.ts";
import { noOldValue, noProfile, reasonOf } from "./reasons.ts";
import { creationOf, madeBy, removalOf } from "./things.ts";
import { valuesIn } from "./values.ts";

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
  /** The name in between, and when it was replaced, if the run changed a name twice. */
  readonly between?: { readonly name: unknown; readonly position: number };
  /** The name before the run, in the part that goes back to the name in between. */
  readonly origin?: unknown;
}

/** Members that the run added and removed, at the end. */
export interface ListPart extends Common {
  readonly kind: "list";
  readonly list: ListName;
  /** The id of the thing that has the list. */
  readonly owner: number;
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

export interface ThingPart extends Common {
  readonly kind: "made" | "lost" | "removed" | "invited" | "moved" | "merged" | "impossible";
  readonly id?: unknown;
}

export type Part = ValuePart | ListPart | ThingPart;

/** The parameters whose values only one thing can have. */
const names: ReadonlySet<string> = new Set(["new_name", "name"]);

/** Reading does not tell what was there. */
const unreadable: ReadonlySet<AnyOperation> = new Set([removeEmoji, updateMessage]);

const isReadable = (operation: AnyOperation) =>
  (operation.before ?? operation.previous) !== undefined && !unreadable.has(operation);

const kindOf = (entry: LogEntry): ThingPart["kind"] => {
  const isDone = entry.outcome === "done";
  if (entry.operation === updateMessage.name && entry.from) return "moved";
  if (entry.operation === sendInvitations.name || entry.operation === createInvitationLink.name) return "invited";
  if (entry.outcome === "unknown" && creationOf(entry)) return "lost";
  return isDone && removalOf(entry) && entry.from ? "removed" : "impossible";
};

/**
 * Returns what the server changed beside the change, as changes of their own. `earlier`: what the run had set until then.
 * The log has what was there before the run. `removedDomains`: the number of domains that it had removed, less those added.
 */
function besides(entry: LogEntry, earlier: ReadonlyMap<string, ValuePart>, removedDomains: number): LogEntry[] {
  const { at = {}, from = {} } = entry;
  const also = ({ name }: AnyOperation, more: Partial<LogEntry>): LogEntry => ({ ...entry, operation: name, ...more });
  const isNow = (thing: string, name: string, value: unknown, isBefore: boolean) => {
    const set = earlier.get(`${thing} ${name} `);
    return set ? set.to === value : isBefore;
  };
  const settings = membersOf(from.settings);
  const setting = { target: "settings", thing: "organization", at: {} };
  const dropped = (names: readonly string[], value: unknown, after: unknown): LogEntry[] =>
    names
      .filter((name) => isNow("organization", name, value, settings[name] === value))
      .map((name) => also(updateOrganization, { ...setting, from: { [name]: value }, to: { [name]: after } }));
  switch (operationNamed(entry.operation)) {
    case archiveChannel: {
      const { is_default_stream } = from;
      const listed = { from: { is_default_stream }, to: { is_default_stream: false } };
      return [
        ...(is_default_stream === true ? [also(updateChannel, listed)] : []),
        ...dropped(channelSettings, at.stream_id, -1),
      ];
    }
    case removeLinkifier: {
      const order = numbersIn(from.ordered_linkifier_ids);
      const now = earlier.get("linkifiers ordered_linkifier_ids ")?.to ?? order;
      const to = { ordered_linkifier_ids: numbersIn(now).filter((id) => id !== at.filter_id) };
      const all = { target: "linkifiers", thing: "linkifiers", at: {}, from: { ordered_linkifier_ids: order }, to };
      return order.length ? [also(reorderLinkifiers, all)] : [];
    }
    case removeDomain:
      return from.domains === removedDomains + 1 ? dropped(["emails_restricted_to_domains"], true, false) : [];
    case removePlayground:
      return dropped(["default_code_block_language"], from.pygments_language, "");
    case deactivateUser: {
      const bots = numbersIn(from.bots);
      const given = [...earlier.values()].map(({ name, entry }) => name === "bot_owner_id" && entry.at?.bot_id);
      const state = { from: { is_active: true }, to: { is_active: false } };
      return [...new Set([...bots, ...given.flatMap(numbersIn)])]
        .filter((bot) => isNow(`user ${bot}`, "bot_owner_id", at.user_id, bots.includes(bot)))
        .map((bot_id) =>
          also(deactivateBot, { ...state, target: String(bot_id), thing: `user ${bot_id}`, at: { bot_id } }),
        );
    }
    default:
      return [];
  }
}

/** What a run changed of a thing that it made belongs to what it made. It is not compared if it may not be applied. */
function withLater(part: Part, { to = {}, outcome }: LogEntry): Part {
  if (part.kind !== "made") return part;
  const later = Object.entries(to).map(([each, value]) => [each, outcome === "done" ? value : undefined]);
  return { ...part, entry: { ...part.entry, to: { ...part.entry.to, ...Object.fromEntries(later) } } };
}

/** What a run changed of a thing before it removed it is made again as it was before the run. */
function asBefore(entry: LogEntry, values: Map<string, ValuePart>): LogEntry {
  const from: Record<string, unknown> = { ...entry.from };
  for (const [key, part] of values) {
    if (entry.thing === undefined || part.entry.thing !== entry.thing) continue;
    if (part.name === "draft") from.drafts = [part.from];
    else from[part.name] = part.from;
    values.delete(key);
  }
  return { ...entry, from };
}

/** Where two things swapped their names, a name goes back over the one in between. */
function stepsOf({ between, ...part }: ValuePart, all: readonly ValuePart[]): ValuePart[] {
  const isTaken = ({ operation, to }: ValuePart) => operation === part.operation && to === part.from;
  if (!between || !all.some(isTaken)) return [part];
  const { name, position } = between;
  return [
    { ...part, to: name, ends: [name] },
    { ...part, from: name, position, origin: part.from },
  ];
}

/** Returns the parts in the order in which they are taken back: the last first. */
export function partsOf(entries: readonly LogEntry[]): Part[] {
  const parts: Part[] = [];
  const values = new Map<string, ValuePart>();
  const members = new Map<string, Common & Pick<ListPart, "list" | "owner"> & { adds: Map<number, boolean[]> }>();
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
    if (creation && ids.length) {
      for (const id of ids) {
        made.set(`${creation.kind} ${id}`, parts.length);
        parts.push({ ...common, kind: "made", id });
      }
    } else if (memberships) {
      for (const { list: key, name: list, owner, added, removed } of memberships)
        for (const id of [...added, ...removed]) {
          const found = members.get(key) ?? { ...common, list, owner, adds: new Map() };
          members.set(key, found);
          found.adds.set(id, [...(found.adds.get(id) ?? []), added.includes(id)]);
        }
    } else if (to && operation && isReadable(operation) && kind === "impossible") {
      for (const [name, all] of Object.entries(to)) {
        const old = valuesIn(name, valueNamed(from, name));
        for (const [of, value] of valuesIn(name, all)) {
          const key = valueKey(thing, name, of);
          const earlier = values.get(key);
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
            ...(earlier && names.has(name) && { between: { name: earlier.to, position } }),
          });
        }
      }
    } else {
      parts.push({ position, kind, entry: kind === "removed" ? asBefore(entry, values) : entry });
    }
  };
  let removedDomains = 0;
  for (const [position, entry] of entries.entries()) {
    const dropped = besides(entry, values, removedDomains);
    for (const each of [entry, ...dropped]) add(each, position);
    if (entry.outcome === "done" && entry.operation === removeDomain.name) removedDomains++;
    if (entry.outcome === "done" && entry.operation === addDomain.name) removedDomains--;
  }
  for (const { adds, ...list } of members.values()) {
    const changed = [...adds].filter(([, all]) => all[0] === all.at(-1));
    const idsOf = (isAdded: boolean) => changed.flatMap(([id, all]) => (all[0] === isAdded ? [id] : []));
    parts.push({ ...list, kind: "list", added: idsOf(true), removed: idsOf(false) });
  }
  const isChanged = ({ operation, name, from, to, ends }: ValuePart) =>
    ends.some((end) => !sameValue(paramOf(operation, name, to), from, end));
  const changes = [...values.values()].filter(isChanged).flatMap((part, _, all) => stepsOf(part, all));
  const moves = moveParts(parts.flatMap(({ kind, ...part }) => (kind === "moved" ? [{ kind, ...part }] : [])));
  return [...parts.filter(({ kind }) => kind !== "moved"), ...moves, ...changes].sort(
    (one, other) => other.position - one.position,
  );
}

/** Returns whether an entry deactivated an account with its profile. Only the server tells whether it comes back. */
export const deletesProfile = ({ operation, to }: LogEntry): boolean =>
  operation === deactivateUser.name && membersOf(to?.actions).delete_profile === true;

/** Returns why an entry alone cannot be undone, as far as the log tells. Undefined if it can. */
export function whyNot(entry: LogEntry): string | undefined {
  const parts = partsOf([entry]);
  const isEmpty = (part: Part) => part.kind === "list" && !part.added.length && !part.removed.length;
  if (entry.outcome === "refused" || parts.every(isEmpty)) return "nothing was changed";
  if (deletesProfile(entry)) return `from feature level 490 on, ${noProfile}`;
  const isSought = parts.some(({ kind }) => kind === "lost") && creationOf(entry)?.update;
  if (isSought) return `${reasonOf(entry)}: undo looks for it`;
  if (parts.some(({ kind }) => kind === "impossible" || kind === "lost")) return reasonOf(entry);
  const isUnknown = (part: Part) => part.kind === "value" && part.from === undefined;
  return parts.every(isUnknown) ? noOldValue : undefined;
}
