/** A snapshot: what a server says about an organization at one moment. It can be saved in a file. */

import { channelRecordSchema } from "../api/channels.ts";
import { domainSchema } from "../api/domains.ts";
import { realm_playgrounds } from "../api/events.ts";
import { folderSchema } from "../api/folders.ts";
import { groupSetting } from "../api/group-setting.ts";
import { invitationSchema } from "../api/invitations.ts";
import { linkifierSchema } from "../api/linkifiers.ts";
import { newestAnswer } from "../api/organization.ts";
import { profileFieldSchema } from "../api/profile-fields.ts";
import { permissionInfo } from "../api/settings.ts";
import { keyBy } from "../common/group-by.ts";
import { hasMembers, membersOf } from "../common/object-members.ts";
import { day } from "../common/unit-sizes.ts";
import { Usage } from "../errors.ts";
import { groupPermissions } from "../model/group.ts";
import { type GroupSetting, isPermissionValue } from "../model/permission.ts";
import { roles } from "../model/person.ts";
import { readJson } from "../notation/read-json.ts";
import { fits } from "../wire/fits.ts";
import {
  anything,
  boolean,
  integer,
  list,
  nullable,
  object,
  optional,
  record,
  string,
  time,
  typeError,
  type Value,
  word,
} from "../wire/types.ts";
import type { FileEntry } from "./content.ts";

const person = object({
  user_id: integer,
  full_name: string,
  email: string,
  delivery_email: optional(nullable(string)),
  is_bot: boolean,
  is_owner: optional(boolean),
  is_admin: optional(boolean),
  is_guest: optional(boolean),
  role: optional(integer),
  bot_type: optional(nullable(integer)),
  bot_owner_id: optional(nullable(integer)),
  date_joined: optional(string),
  is_deleted: optional(boolean),
  profile_data: optional(record(object({ value: nullable(anything) }))),
});
export type Person = Value<typeof person>;

const channel = object({
  ...channelRecordSchema.entries,
  subscribers: optional(list(integer)),
});
export type SnapshotChannel = Value<typeof channel>;

const group = object({
  id: integer,
  name: string,
  description: string,
  members: list(integer),
  direct_subgroup_ids: list(integer),
  is_system_group: boolean,
  deactivated: optional(boolean),
  ...Object.fromEntries(groupPermissions.map((name) => [name, optional(groupSetting)])),
});
export type SnapshotGroup = Value<typeof group>;

/** The required parts of the answer to `register`. Other parts, such as settings, are kept unchanged. */
const registered = object({
  zulip_version: string,
  user_id: integer,
  realm_users: list(person),
  realm_non_active_users: list(person),
  realm_user_groups: list(group),
  subscriptions: list(channel),
  unsubscribed: list(channel),
  never_subscribed: list(channel),
  /** Ids. */
  realm_default_streams: list(integer),
  custom_profile_fields: list(profileFieldSchema),
  realm_linkifiers: optional(list(linkifierSchema)),
  realm_playgrounds,
  realm_emoji: optional(record(object({ name: string, deactivated: boolean }))),
  realm_domains: list(domainSchema),
  realm_user_settings_defaults: optional(record(anything)),
  realm_waiting_period_threshold: optional(integer),
  server_web_public_streams_enabled: optional(boolean),
  /** By ids of people: when they were last active. */
  presences: optional(record(anything)),
  server_supported_permission_settings: optional(record(record(permissionInfo))),
});

export const snapshotFormat = "zulipctl organization snapshot";

const snapshot = object({
  format: word(snapshotFormat),
  version: integer,
  /** When reading began. */
  taken: time,
  site: string,
  email: string,
  feature_level: integer,
  organization: registered,
  /** Null if the server has no folders. */
  channel_folders: nullable(list(folderSchema)),
  invites: list(invitationSchema),
});
export type Snapshot = Value<typeof snapshot>;

/** The version of the format. Other versions are rejected. */
const version = 1;

/** Members about the event queue and about the answer itself. */
const queueMembers = new Set(["result", "msg", "queue_id", "last_event_id", "ignored_parameters_unsupported"]);

/** Names of secrets: keys of services and bots, links of invitations, addresses that post to a channel. */
const secret = /(^|_)(api_key|token|secret|password)$|^link_url$|^email_address$/;

/** Returns the value without secrets. Parts without secrets are not copied. */
export function withoutSecrets<T extends object>(value: T): T {
  if (Array.isArray(value) && !value.some(hasMembers)) return value;
  const entries = Object.entries(value);
  const clean = entries
    .filter(([name]) => Array.isArray(value) || !secret.test(name))
    .map(([name, each]) => [name, hasMembers(each) ? withoutSecrets(each) : each] as const);
  if (clean.length === entries.length && clean.every(([, each], n) => each === entries[n]?.[1])) return value;
  return (Array.isArray(value) ? clean.map(([, each]) => each) : Object.fromEntries(clean)) as T;
}

/** Makes a snapshot from answers. Throws an error that names the first invalid part. */
export function makeSnapshot({
  taken,
  registered,
  ...answers
}: Pick<Snapshot, "site" | "email"> & {
  taken: number;
  registered: Readonly<Record<string, unknown>>;
  folders: readonly unknown[] | null;
  invites: readonly unknown[];
}): Snapshot {
  // Servers compute this setting from the policy.
  const computed = Object.hasOwn(registered, "realm_topics_policy") ? "realm_mandatory_topics" : undefined;
  const organization = Object.fromEntries(
    Object.entries(newestAnswer(registered)).filter(([name]) => !queueMembers.has(name) && name !== computed),
  );
  const { site, email, folders: channel_folders, invites } = answers;
  const feature_level = registered.zulip_feature_level ?? 0;
  const time = new Date(taken).toISOString();
  const about = { format: snapshotFormat, version, taken: time, site, email, feature_level };
  const value = withoutSecrets({ ...about, organization, channel_folders, invites });
  if (!fits(snapshot)(value)) throw new Error(typeError(snapshot, value));
  return value;
}

/** Returns whether a text begins like a file of a format of zulipctl, complete or not. */
export const beginsLike = (format: string, text: string): boolean =>
  /^\uFEFF?\s*\{\s*"format":\s*"([^"]*)"/.exec(text)?.[1] === format;

/** Reads a file of zulipctl's own. Throws `Usage` if it is not JSON, or of another format or version. */
export function readFormat(
  text: string,
  path: string,
  { format, version, a, hint }: { format: string; version: number; a: string; hint: string },
): object {
  const read = readJson(text.replace(/^\uFEFF/, ""));
  if ("error" in read) throw new Usage(`${path}:${read.line}:${read.column}: ${read.error}`, { hint });
  const value = membersOf(read.value);
  if (value.format !== format) throw new Usage(`${path} is not ${a} of an organization`, { hint });
  const says = `${path} is ${a} of version ${JSON.stringify(value.version)}; this zulipctl reads version ${version}`;
  if (value.version !== version) throw new Usage(says, { hint: "Use the zulipctl that made it, or a newer one." });
  return value;
}

/** Reads a snapshot from a file. Throws `Usage` with the place of the first error. */
export function readSnapshot(text: string, path: string): Snapshot {
  const hint = "Create one with: zulipctl org snapshot --to organization.json";
  const value = readFormat(text, path, { format: snapshotFormat, version, a: "a snapshot", hint });
  if (!fits(snapshot)(value)) throw new Usage(`${path}: ${typeError(snapshot, value)}`, { hint });
  return { ...value, organization: { ...value.organization, ...newestAnswer(value.organization) } };
}

/** Returns all channels, archived ones too. */
export const channelsOf = ({ organization }: Snapshot): SnapshotChannel[] => [
  ...organization.subscriptions,
  ...organization.unsubscribed,
  ...organization.never_subscribed,
];

export const activeChannelsOf = (snapshot: Snapshot): SnapshotChannel[] =>
  channelsOf(snapshot).filter(({ is_archived }) => !is_archived);

/** Returns the active groups except system groups. */
export const activeGroupsOf = ({ organization }: Snapshot): SnapshotGroup[] =>
  organization.realm_user_groups.filter((group) => !group.deactivated && !group.is_system_group);

/** Returns ids of the channels that new people are subscribed to. */
export const defaultChannelsOf = ({ organization }: Snapshot): readonly number[] => organization.realm_default_streams;

/** Returns all people and bots. */
export const everybodyOf = ({ organization }: Snapshot): Person[] => [
  ...organization.realm_users,
  ...organization.realm_non_active_users,
];

/** Returns all people and bots by id. */
export const peopleById = (snapshot: Snapshot): ReadonlyMap<number, Person> =>
  keyBy(everybodyOf(snapshot), ({ user_id }) => user_id);

/** Returns the number of a role. */
export const roleOf = (person: { readonly role?: number | undefined }): number => person.role ?? roles.member;

/** Returns the role of the calling account. */
export const callerRole = (snapshot: Snapshot): number =>
  roleOf(everybodyOf(snapshot).find(({ user_id }) => user_id === snapshot.organization.user_id) ?? {});

/** Returns a setting of the organization. Undefined if the server does not have it. */
export const organizationSetting = ({ organization }: Snapshot, name: string): unknown => organization[`realm_${name}`];

/** Returns a permission of a record. Undefined if the server does not have it. */
export function groupSettingOf(record: FileEntry, name: string): GroupSetting | undefined {
  const value = record[name];
  return typeof value === "number" || isPermissionValue(value) ? value : undefined;
}

/** Returns whether the account cannot see every private channel. */
export const seesOnlyPart = (answer: FileEntry): boolean => answer.is_admin !== true;

/** Returns whether somebody has been a member for the waiting period. */
export function isFullMember({ organization, taken }: Snapshot, { date_joined = "" }: Person): boolean {
  const { realm_waiting_period_threshold: days } = organization;
  const joined = Date.parse(date_joined);
  return !days || Number.isNaN(joined) || (Date.parse(taken) - joined) / day >= days;
}

/** System groups by role. `role:everyone` lists only guests directly. */
export const groupOfRole: Readonly<Record<number, string>> = {
  [roles.owner]: "role:owners",
  [roles.administrator]: "role:administrators",
  [roles.moderator]: "role:moderators",
  [roles.member]: "role:members",
  [roles.guest]: "role:everyone",
};
