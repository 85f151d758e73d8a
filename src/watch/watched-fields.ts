/** Watched things as flat records by kind and id, so that they can be compared. */

import { channelRecordSchema } from "../api/channels.ts";
import { profileFieldSchema } from "../api/profile-fields.ts";
import { membersOf, namesOf } from "../common/object-members.ts";
import { groupPermissions } from "../model/group.ts";
import { kindNamed, kinds, type WatchedKind, watchedKinds } from "../model/kinds/index.ts";
import type { Kind, KindList } from "../model/kinds/kind.ts";
import { isPermissionValue, newerPermission } from "../model/permission.ts";

export type Table = WatchedKind | "setting" | "default_setting" | "organization";

/** In the order of comparison: profile fields and people come before what depends on them. */
export const watchedTables: readonly Table[] = [...watchedKinds, "setting", "default_setting", "organization"];

/** Returns the kind of a table. Undefined for settings and the organization. */
export const kindOfTable = (table: Table): Kind | undefined =>
  table === "setting" || table === "default_setting" || table === "organization" ? undefined : kindNamed(table);

/** Returns whether the order of a table matters. */
export const isOrdered = (table: Table): boolean => kindOfTable(table)?.reorder !== undefined;

export type ThingKey = number | string;
export const watchedKey = (id: unknown): ThingKey => (typeof id === "number" ? id : String(id));

/** Values by field. Lists of ids whose order does not matter are sets. */
export type ThingFields = Record<string, unknown>;
export const watchedRows = (value: unknown): readonly ThingFields[] => (Array.isArray(value) ? value : []);

/**
 * One difference: a new thing (`from` is null), a removed one (`to` is null), a field, or one id of a set. The field
 * `order` with the key "" is the order of a table.
 */
export interface TableChange {
  readonly table: Table;
  readonly key: ThingKey;
  /** Null for the whole thing. */
  readonly field: string | null;
  readonly from: unknown;
  readonly to: unknown;
}

/** Fields that servers compute, or that differ between accounts. */
const unwatchedOfChannels = new Set(["stream_id", "is_default", "is_recently_active", "subscriber_count"]);

const listsOf = (table: Table): readonly KindList[] => Object.values(kindOfTable(table)?.lists ?? {});

/** Returns whether a field is a set of ids. */
export const isSet = (table: Table, field: string): boolean => listsOf(table).some(({ member }) => member === field);

/** Returns whether a field is a set of people. */
export const isOfPeople = (table: Table, field: string): boolean =>
  listsOf(table).some(({ member, of }) => member === field && of === "user");

/** The watched fields, where the statement of a kind does not say them. */
const watchedFields: { readonly [T in Table]?: readonly string[] } = {
  profile_field: namesOf(profileFieldSchema.entries).filter((name) => name !== "id"),
  channel: [
    ...Object.keys(channelRecordSchema.entries).filter((name) => !unwatchedOfChannels.has(name)),
    ...Object.values(kinds.channel.lists).map(({ member }) => member),
  ],
  group: [
    ...["name", "description", "deactivated", ...groupPermissions],
    ...Object.values(kinds.group.lists).map(({ member }) => member),
  ],
  organization: ["icon_url", "logo_url", "night_logo_url"],
};

/** Fields that servers leave out if they are false. */
const falseIfAbsent: { readonly [T in Table]?: ThingFields } = {
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

export const profileDataField = (id: number | string): string => `profile_data.${id}`;

/** Returns the watched fields of a record. Fields that it does not have are absent. */
export function watchedFieldsOf(table: Table, record: object): ThingFields {
  const members = membersOf(record);
  const all = Object.keys(record);
  const others = table === "channel" || table === "group" ? all.filter((name) => newerPermission.test(name)) : [];
  const names = new Set([
    ...(kindOfTable(table)?.watched ?? watchedFields[table] ?? all.filter((name) => name !== "id")),
    ...others,
  ]);
  const fields = [...names].map((name): [string, unknown] => [name, withSortedIds(members[name])]);
  const profile = table === "user" ? Object.entries(membersOf(members.profile_data)) : [];
  return Object.fromEntries([
    ...Object.entries(falseIfAbsent[table] ?? {}),
    ...fields.filter(([, value]) => value !== undefined),
    ...profile.map(([id, answer]) => [profileDataField(id), membersOf(answer).value]),
  ]);
}

/** Returns a setting as a thing. */
export const watchedSetting = (value: unknown): ThingFields => ({ value: withSortedIds(value) });
