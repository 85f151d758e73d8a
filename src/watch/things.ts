/** Watched things as flat records by kind and id, so that they can be compared. */
import { channelRecord } from "../api/channels.ts";
import type { GroupSetting } from "../api/group-setting.ts";
import { groupPermissions } from "../api/permission-settings.ts";
import { organizationSettings } from "../api/settings.ts";

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
export const ordered: ReadonlySet<Table> = new Set(["profile_field", "linkifier"]);

export type Key = number | string;

/** Values by field. Lists of ids whose order does not matter are sets. */
export type Fields = Record<string, unknown>;

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
const ofChannel = Object.keys(channelRecord.entries).filter((name) => !unwatchedOfChannels.has(name));
const ofPerson = [
  "full_name",
  "email",
  "delivery_email",
  "role",
  "is_bot",
  "bot_type",
  "bot_owner_id",
  "date_joined",
] as const;
const ofGroup = ["name", "description", "deactivated", ...groupPermissions] as const;
export const settingNames = Object.keys(organizationSettings);
const ofField = [
  "name",
  "type",
  "hint",
  "field_data",
  "required",
  "editable_by_user",
  "display_in_profile_summary",
] as const;

/** Fields that are sets of ids. */
const setsOf: { readonly [T in Table]?: readonly string[] } = {
  channel: ["subscribers"],
  group: ["members", "direct_subgroup_ids"],
};
export const isSet = (table: Table, field: string): boolean => setsOf[table]?.includes(field) ?? false;

export const isPermission = (value: unknown): value is Exclude<GroupSetting, number> =>
  typeof value === "object" && value !== null && "direct_members" in value && "direct_subgroups" in value;

/** Servers list people with a permission in any order. */
const inOrder = (value: unknown): unknown =>
  isPermission(value)
    ? {
        direct_members: [...value.direct_members].sort((a, b) => a - b),
        direct_subgroups: [...value.direct_subgroups].sort((a, b) => a - b),
      }
    : value;

const picked = (record: object, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value: unknown = Reflect.get(record, name);
      return value === undefined ? [] : [[name, inOrder(value)]];
    }),
  );

export const profileField = (id: number | string): string => `profile_data.${id}`;

/** Returns the watched fields of a record. Fields that it does not have are absent. */
export const fieldsOf = {
  user: (record: object): Fields => ({
    ...picked(record, ofPerson),
    ...Object.fromEntries(
      Object.entries(Object(Reflect.get(record, "profile_data"))).map(([id, said]) => [
        profileField(id),
        Object(said).value,
      ]),
    ),
  }),
  channel: (record: object): Fields => ({ ...picked(record, ofChannel), ...picked(record, ["subscribers"]) }),
  group: (record: object): Fields => picked(record, [...ofGroup, "members", "direct_subgroup_ids"]),
  profile_field: (record: object): Fields => picked(record, ofField),
  folder: (record: object): Fields => picked(record, ["name", "description", "is_archived"]),
  invitation: (record: object): Fields => picked(record, ["email", "invited_as", "is_multiuse", "invited_by_user_id"]),
  organization: (record: object): Fields => picked(record, ["icon_url", "logo_url", "night_logo_url"]),
  export: (record: object): Fields =>
    picked(record, ["acting_user_id", "export_type", "pending", "failed_timestamp", "deleted_timestamp"]),
  /** Makes a setting. */
  value: (value: unknown): Fields => ({ value: inOrder(value) }),
  /** Makes a small thing of all its fields except the id. */
  other: ({ id: _, ...record }: { id?: unknown }): Fields => ({ ...record }),
};

/** By id. */
export const invitationsIn = (all: readonly { readonly id: number }[]): Map<Key, Fields> =>
  new Map(all.map((invitation) => [invitation.id, fieldsOf.invitation(invitation)]));
