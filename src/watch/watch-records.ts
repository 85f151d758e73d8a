/** Changes as `watch` prints them: a record for programs, a sentence for people. */

import { membersOf, textOrNull } from "../common/object-members.ts";
import { isDestructive } from "../model/change-words.ts";
import { listActions } from "../model/kinds/lists.ts";
import { isPermissionName } from "../model/permission.ts";
import { withoutSecrets } from "../organization/snapshot.ts";
import type { Event } from "./event-changes.ts";
import { kindOfTable, type Table, type TableChange } from "./watched-fields.ts";
import { type WatchedThing, watchedNames } from "./watched-names.ts";
import type { WatchedState } from "./watched-state.ts";

export interface WatchRecord {
  /** When it was noticed, as ISO 8601. */
  readonly time: string;
  readonly kind: string;
  /** The name of the event: `channel.archived`. */
  readonly action: string;
  readonly target: WatchedThing;
  readonly property: string | null;
  readonly from: unknown;
  readonly to: unknown;
  readonly destructive: boolean;
  /** It happened while no events came. */
  readonly missed: boolean;
  /** The server's event without secrets. Null for missed events. */
  readonly event: Event | null;
}

/** An action, and a sentence with `{target}`, `{property}`, `{from}` and `{to}`. */
type ActionWording = readonly [action: string, sentence: string];

const changedSentence = "{target}: {property} changed from {from} to {to}";

/** Returns the actions that make a field true and false. */
function switchOf(table: Table, field: string): readonly [isTrue: string, isFalse: string] | undefined {
  const state = kindOfTable(table)?.state;
  if (state?.member !== field) return undefined;
  const [archived, restored] = state.events;
  return state.value ? [archived, restored] : [restored, archived];
}

const wordings: Readonly<Record<string, ActionWording>> = {
  "user.role": ["role_changed", "{target} is now {to}, and was {from}"],
  "user.full_name": ["renamed", "{from} was renamed to {to}"],
  "user.email": ["email_changed", changedSentence],
  "user.delivery_email": ["email_changed", changedSentence],
  "user.bot_owner_id": ["owner_changed", changedSentence],
  "channel.name": ["renamed", "#{from} was renamed to #{to}"],
  "channel.message_retention_days": ["retention_changed", changedSentence],
  "group.name": ["renamed", "group {from} was renamed to {to}"],
  "group.description": ["described", changedSentence],
  "organization.deactivated": ["deactivated", "the organization was deactivated"],
  "organization.icon_url": ["icon_changed", "the icon of the organization was changed"],
  "organization.logo_url": ["logo_changed", "the logo of the organization was changed"],
  "organization.night_logo_url": ["logo_changed", "the dark logo of the organization was changed"],
  "export.pending": ["finished", "{target} was finished"],
  "export.failed_timestamp": ["failed", "{target} failed"],
  "export.deleted_timestamp": ["deleted", "{target} was deleted"],
  "folder.name": ["renamed", "folder {from} was renamed to {to}"],
};

/** Returns the wording for an id that comes to or goes from a list. */
function memberWording(table: Table, field: string, isNew: boolean): ActionWording | undefined {
  const [list] = Object.values(kindOfTable(table)?.lists ?? {}).filter(({ member }) => member === field);
  if (!list) return undefined;
  const [joined, left] = listActions(list);
  if (isNew) return list.joined ?? [joined, "{to} was added to {target}"];
  return list.left ?? [left, "{from} was removed from {target}"];
}

/** Settings and small things are added and changed. Others are created and updated. */
const isSmall = (table: Table): boolean => {
  const kind = kindOfTable(table);
  return kind ? kind.state === undefined && kind.section !== undefined : table !== "organization";
};

const wasSentence = (action: string): ActionWording => [action, `{target} was ${action}`];

function wordingOf({ table, field, from, to }: TableChange): ActionWording {
  const [added, updated] = isSmall(table) ? (["added", "changed"] as const) : (["created", "updated"] as const);
  if (field === null) return wasSentence(from === null ? added : "removed");
  if (field === "order") return ["reordered", `the order of the ${kindOfTable(table)?.plural} changed`];
  const name = `${table}.${field}`;
  const actions = switchOf(table, field);
  if (actions) return wasSentence(actions[to === true ? 0 : 1]);
  const wording = memberWording(table, field, from === null) ?? wordings[name];
  if (wording) return wording;
  if (isPermissionName(field)) return ["permission_changed", changedSentence];
  return [field.startsWith("profile_data.") ? "profile_changed" : updated, changedSentence];
}

/** A record with its origin. */
export interface WatchedChange {
  readonly record: WatchRecord;
  /** A sentence with places for words of the record. */
  readonly sentence: string;
  /** Messages have none. */
  readonly change: TableChange | undefined;
}

/** Describes a change that was just applied. `now`: milliseconds since 1970. */
export function recordOf(
  state: WatchedState,
  change: TableChange,
  { now, event }: { now: number; event: Event | null },
): WatchedChange {
  const names = watchedNames(state);
  const { table, key, field } = change;
  const [verb, sentence] = wordingOf(change);
  const isSetting = table === "setting" || table === "default_setting";
  const removed = field === null && change.to === null ? membersOf(change.from) : undefined;
  const target = field === "order" ? { kind: table, id: null, name: null } : names.thing(table, key, removed);
  const property = isSetting ? String(key) : field && names.property(field);
  const valueInWords = (value: unknown): unknown => {
    if (field !== null) return names.value(table, isSetting ? String(key) : field, value);
    if (isSetting || typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [names.property(name), names.value(table, name, each)]),
    );
  };
  const [from, to] = [valueInWords(change.from), valueInWords(change.to)];
  const action = `${target.kind}.${verb}`;
  const record = {
    time: new Date(now).toISOString(),
    kind: target.kind,
    action,
    target,
    property,
    from,
    to,
    destructive: isDestructive(action, property, from, to),
    missed: event === null,
    event: event && withoutSecrets(event),
  };
  return { record, sentence, change };
}

/** Returns the record of a message that the account received. `now`: milliseconds since the epoch. */
export function receivedMessage(event: Event, now: number): WatchedChange {
  const message = membersOf(event.message);
  const record = {
    time: new Date(now).toISOString(),
    kind: "message",
    action: "message.received",
    target: {
      kind: "message",
      id: Number(message.id),
      name: textOrNull(message.subject),
    },
    property: null,
    from: null,
    to: null,
    destructive: false,
    missed: false,
    event,
  };
  return { record, sentence: `message from ${message.sender_full_name}`, change: undefined };
}
