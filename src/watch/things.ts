/** What is watched, as flat records that can be compared: each thing of an organization by its kind and its id. */
import { channelRecord } from "../api/channels.ts";
import type { GroupSetting } from "../api/group-setting.ts";
import { groupPermissions } from "../api/permission-settings.ts";
import { organizationSettings } from "../api/settings.ts";

/** In the order in which they are compared: what goes with a profile field or a person goes first. A bot stands among the users. */
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

/** Tables in which the order of the things means something. */
export const ordered: ReadonlySet<Table> = new Set(["profile_field", "linkifier"]);

export type Key = number | string;

/** Values by field; lists of ids whose order means nothing are sets. */
export type Fields = Record<string, unknown>;

/**
 * One difference: a thing that came (`from` is null) or went (`to` is null), a field, or one id in a set. The field `order`
 * of no thing (key "") is the order of a table.
 */
export interface Change {
  readonly table: Table;
  readonly key: Key;
  /** Null where it is the thing whole. */
  readonly field: string | null;
  readonly from: unknown;
  readonly to: unknown;
}

/** What a server works out by itself, or tells each account differently. */
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

/** The fields that hold sets of ids. */
const setsOf: { readonly [T in Table]?: readonly string[] } = {
  channel: ["subscribers"],
  group: ["members", "direct_subgroup_ids"],
};
export const isSet = (table: Table, field: string): boolean => setsOf[table]?.includes(field) ?? false;

export const isPermission = (value: unknown): value is Exclude<GroupSetting, number> =>
  typeof value === "object" && value !== null && "direct_members" in value && "direct_subgroups" in value;

/** Servers list who has a permission in any order. */
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

/** What a record of `register` or of an event says that is watched; what it does not say is absent. */
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
  /** Of a setting. */
  value: (value: unknown): Fields => ({ value: inOrder(value) }),
  /** Of a small thing: everything but its id. */
  other: ({ id: _, ...record }: { id?: unknown }): Fields => ({ ...record }),
};

/** By id. */
export const invitationsIn = (all: readonly { readonly id: number }[]): Map<Key, Fields> =>
  new Map(all.map((invitation) => [invitation.id, fieldsOf.invitation(invitation)]));
