/** Watched things as flat records by kind and id, so that they can be compared. */

import { channelRecord } from "../api/channels.ts";
import { field as profileFieldRecord } from "../api/profile-fields.ts";
import { membersOf, namesOf } from "../common/members.ts";
import { groupPermissions } from "../model/group.ts";
import { isPermissionValue, newerPermission } from "../model/permission.ts";

/** In the order of comparison: profile fields and people come before what depends on them. Bots are users. */
export const tables = [
  "profile_field",
  "user",
  "channel",
  "group",
  "setting",
  "default_setting",
  "domain",
  "linkifier",
  "playground",
  "emoji",
  "folder",
  "invitation",
  "organization",
  "export",
] as const;
export type Table = (typeof tables)[number];

/** Tables whose order matters. */
export const orderedTables: ReadonlySet<Table> = new Set(["profile_field", "linkifier", "folder"]);

export type Key = number | string;
export const keyOf = (id: unknown): Key => (typeof id === "number" ? id : String(id));

/** Values by field. Lists of ids whose order does not matter are sets. */
export type Fields = Record<string, unknown>;
export const rows = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : []);

/**
 * One difference: a new thing (`from` is null), a removed one (`to` is null), a field, or one id of a set. The field
 * `order` with the key "" is the order of a table.
 */
export interface Change {
  readonly table: Table;
  readonly key: Key;
  /** Null for the whole thing. */
  readonly field: string | null;
  readonly from: unknown;
  readonly to: unknown;
}

/** Fields that servers compute, or that differ between accounts. */
const unwatchedOfChannels = new Set(["stream_id", "is_default", "is_recently_active", "subscriber_count"]);

/** Fields that are sets of ids. */
const setFields: { readonly [T in Table]?: readonly string[] } = {
  channel: ["subscribers"],
  group: ["members", "direct_subgroup_ids"],
};
export const isSet = (table: Table, field: string): boolean => setFields[table]?.includes(field) ?? false;

/** The watched fields. Of other tables, all fields except the id are watched. */
const watchedFields: { readonly [T in Table]?: readonly string[] } = {
  profile_field: namesOf(profileFieldRecord.entries).filter((name) => name !== "id"),
  user: ["full_name", "email", "delivery_email", "role", "is_bot", "bot_type", "bot_owner_id", "date_joined"],
  channel: [
    ...Object.keys(channelRecord.entries).filter((name) => !unwatchedOfChannels.has(name)),
    ...setFields.channel!,
  ],
  group: ["name", "description", "deactivated", ...groupPermissions, ...setFields.group!],
  domain: ["allow_subdomains"],
  emoji: ["name", "author_id"],
  folder: ["name", "description", "is_archived"],
  invitation: ["email", "invited_as", "is_multiuse", "invited_by_user_id"],
  organization: ["icon_url", "logo_url", "night_logo_url"],
  export: ["acting_user_id", "export_type", "pending", "failed_timestamp", "deleted_timestamp"],
};

/** Fields that servers leave out if they are false. */
const falseIfAbsent: { readonly [T in Table]?: Fields } = {
  profile_field: { display_in_profile_summary: false, use_for_user_matching: false },
};

/** Servers list people with a permission in any order. */
const withSortedIds = (value: unknown): unknown =>
  isPermissionValue(value)
    ? {
        direct_members: [...value.direct_members].sort((a, b) => a - b),
        direct_subgroups: [...value.direct_subgroups].sort((a, b) => a - b),
      }
    : value;

export const profileField = (id: number | string): string => `profile_data.${id}`;

/** Returns the watched fields of a record. Fields that it does not have are absent. */
export function fieldsOf(table: Table, record: object): Fields {
  const members = membersOf(record);
  const all = Object.keys(record);
  const others = table === "channel" || table === "group" ? all.filter((name) => newerPermission.test(name)) : [];
  const names = new Set([...(watchedFields[table] ?? all.filter((name) => name !== "id")), ...others]);
  const fields = [...names].map((name): [string, unknown] => [name, withSortedIds(members[name])]);
  const profile = table === "user" ? Object.entries(membersOf(members.profile_data)) : [];
  return Object.fromEntries([
    ...Object.entries(falseIfAbsent[table] ?? {}),
    ...fields.filter(([, value]) => value !== undefined),
    ...profile.map(([id, answer]) => [profileField(id), membersOf(answer).value]),
  ]);
}

/** Returns a setting as a thing. */
export const settingOf = (value: unknown): Fields => ({ value: withSortedIds(value) });
