/** Changes as `watch` prints them: a record for programs, a sentence for people. */
import { daysOf, effectOf } from "../organization/risky-settings.ts";
import { withoutSecrets } from "../organization/snapshot.ts";
import type { Event } from "./events.ts";
import { type Named, Names } from "./names.ts";
import type { WatchedState } from "./state.ts";
import type { Change, Fields, Table } from "./things.ts";

export interface WatchRecord {
  /** When it was noticed, as ISO 8601. */
  readonly time: string;
  readonly kind: string;
  /** The name of the event: `channel.archived`. */
  readonly action: string;
  readonly target: Named;
  readonly property: string | null;
  readonly from: unknown;
  readonly to: unknown;
  readonly destructive: boolean;
  /** It happened while no events came. */
  readonly missed: boolean;
  /** The server's event without secrets. Null for missed events. */
  readonly event: Event | null;
}

interface Wording {
  readonly action: string;
  /** A sentence with `{target}`, `{property}`, `{from}` and `{to}`. */
  readonly sentence: string;
  readonly destructive?: boolean | ((from: unknown, to: unknown) => boolean);
  /** The usual name of the field. */
  readonly property?: string;
}

const powers = new Set<unknown>(["owner", "administrator"]);

const changed = "{target}: {property} changed from {from} to {to}";

/** By table and field, the name of a change. With two names, the first is for true and the second for false. */
const wordings: { readonly [T in Table]?: Readonly<Record<string, Wording | readonly [Wording, Wording]>> } = {
  user: {
    is_active: [
      { action: "reactivated", sentence: "{target} was reactivated" },
      { action: "deactivated", sentence: "{target} was deactivated", destructive: true },
    ],
    role: {
      action: "role_changed",
      sentence: "{target} is now {to}, and was {from}",
      destructive: (from, to) => powers.has(from) || powers.has(to) || from === "guest",
    },
    full_name: { action: "renamed", sentence: "{from} was renamed to {to}" },
    email: { action: "email_changed", sentence: changed },
    delivery_email: { action: "email_changed", sentence: changed },
    bot_owner_id: { action: "owner_changed", sentence: changed, property: "bot_owner" },
  },
  channel: {
    is_archived: [
      { action: "archived", sentence: "{target} was archived", destructive: true },
      { action: "restored", sentence: "{target} was restored" },
    ],
    name: { action: "renamed", sentence: "#{from} was renamed to #{to}" },
    invite_only: { action: "updated", sentence: changed, property: "is_private", destructive: (_, to) => to === false },
    is_web_public: { action: "updated", sentence: changed, destructive: (_, to) => to === true },
    message_retention_days: {
      action: "retention_changed",
      sentence: changed,
      destructive: (from, to) => daysOf(to) < daysOf(from),
    },
  },
  group: {
    deactivated: [
      { action: "deactivated", sentence: "{target} was deactivated", destructive: true },
      { action: "reactivated", sentence: "{target} was reactivated" },
    ],
    name: { action: "renamed", sentence: "group {from} was renamed to {to}" },
    description: { action: "described", sentence: changed },
  },
  organization: {
    deactivated: { action: "deactivated", sentence: "the organization was deactivated", destructive: true },
    icon_url: { action: "icon_changed", sentence: "the icon of the organization was changed" },
    logo_url: { action: "logo_changed", sentence: "the logo of the organization was changed" },
    night_logo_url: { action: "logo_changed", sentence: "the dark logo of the organization was changed" },
  },
  export: {
    pending: { action: "finished", sentence: "{target} was finished" },
    failed_timestamp: { action: "failed", sentence: "{target} failed" },
    deleted_timestamp: { action: "deleted", sentence: "{target} was deleted", destructive: true },
  },
  folder: {
    is_archived: [
      { action: "archived", sentence: "{target} was archived" },
      { action: "restored", sentence: "{target} was restored" },
    ],
    name: { action: "renamed", sentence: "folder {from} was renamed to {to}" },
  },
};

/** Returns which ids were added to a set, and which were removed. */
const moves: Readonly<Record<string, readonly [Wording, Wording]>> = {
  subscribers: [
    { action: "subscribed", sentence: "{to} subscribed to {target}" },
    { action: "unsubscribed", sentence: "{from} unsubscribed from {target}", destructive: true },
  ],
  members: [
    { action: "member_added", sentence: "{to} was added to {target}" },
    { action: "member_removed", sentence: "{from} was removed from {target}", destructive: true },
  ],
  direct_subgroup_ids: [
    { action: "subgroup_added", sentence: "{to} was added to {target}", property: "subgroups" },
    {
      action: "subgroup_removed",
      sentence: "{from} was removed from {target}",
      property: "subgroups",
      destructive: true,
    },
  ],
};

/** Settings and small things are changed, others are updated. */
const changedOf: ReadonlySet<Table> = new Set([
  "setting",
  "default_setting",
  "domain",
  "linkifier",
  "playground",
  "emoji",
  "profile_field",
]);

function wordingOf({ table, field, from, to }: Change): Wording {
  const made = changedOf.has(table) ? "added" : "created";
  if (field === null && from === null) return { action: made, sentence: `{target} was ${made}` };
  if (field === null) return { action: "removed", sentence: "{target} was removed", destructive: true };
  if (field === "order")
    return { action: "reordered", sentence: `the order of the ${table.replace("_", " ")}s changed` };
  const move = moves[field];
  if (move) return from === null ? move[0] : move[1];
  const wording = wordings[table]?.[field];
  if (wording && "action" in wording) return wording;
  if (wording) return to === true ? wording[0] : wording[1];
  if (field.endsWith("_group")) return { action: "permission_changed", sentence: changed };
  if (field.startsWith("profile_data.")) return { action: "profile_changed", sentence: changed };
  return { action: changedOf.has(table) ? "changed" : "updated", sentence: changed };
}

/** A record with its origin. */
export interface Noticed {
  readonly record: WatchRecord;
  /** A sentence with places for words of the record. */
  readonly sentence: string;
  /** Messages have none. */
  readonly change: Change | undefined;
}

interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly event: Event | null;
}

/** Describes a change that was just applied. */
export function recordOf(state: WatchedState, change: Change, { now, event }: Moment): Noticed {
  const names = new Names(state);
  const { table, key, field } = change;
  const wording = wordingOf(change);
  const isSetting = table === "setting" || table === "default_setting";
  const gone = field === null && change.to === null ? (change.from as Fields) : undefined;
  const target = field === "order" ? { kind: table, id: null, name: null } : names.thing(table, key, gone);
  const property = isSetting ? String(key) : (wording.property ?? field);
  const inWords = (value: unknown): unknown => {
    if (field !== null) return names.value(table, isSetting ? String(key) : field, value);
    if (isSetting || typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, names.value(table, name, each)]));
  };
  const [from, to] = [inWords(change.from), inWords(change.to)];
  const { destructive = false } = wording;
  const record = {
    time: new Date(now).toISOString(),
    kind: target.kind,
    action: `${target.kind}.${wording.action}`,
    target,
    property,
    from,
    to,
    destructive: isSetting
      ? effectOf(String(key), from, to) !== undefined
      : typeof destructive === "function"
        ? destructive(from, to)
        : destructive,
    missed: event === null,
    event: event && withoutSecrets(event),
  };
  return { record, sentence: wording.sentence, change };
}
