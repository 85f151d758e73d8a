/**
 * An organization as plain data, which `structuredClone` copies.
 * Times are milliseconds since the epoch unless a member says otherwise.
 */

import { foldChannelName, upper } from "../common/folding.ts";
import type { ChannelPermission, ToggleMember } from "../model/channel.ts";
import type { GroupPermission } from "../model/group.ts";
import type { OrganizationPermission } from "../model/organization.ts";
import type { GroupSetting } from "../model/permission.ts";
import { roles } from "../model/person.ts";
import type { Queue } from "./events/stored-queue.ts";
import type { OrganizationValues } from "./organization-values.ts";
import type { Collections } from "./stored-collections.ts";
import type { PersonalValue, ScheduledMessage, StoredAttachment, StoredDraft } from "./stored-personal.ts";

export interface StoredUser {
  user_id: number;
  /** The real address, for logging in. */
  delivery_email: string;
  full_name: string;
  /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
  role: number;
  is_active: boolean;
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded; null for people. */
  bot_type: number | null;
  bot_owner_id: number | null;
  api_key: string;
  /** Null if none was ever set, as for bots. */
  password: string | null;
  must_reset_password: boolean;
  date_joined: number;
  timezone: string;
  avatar_source: "gravatar" | "upload" | "jdenticon";
  avatar_version: number;
  /** 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators. */
  email_address_visibility: number;
  /** Other personal settings, by today's names. People share one object until a value changes. */
  settings: Readonly<Record<string, PersonalValue>>;
  /** The settings that they chose themselves. */
  edited?: Set<string>;
  enable_drafts_synchronization: boolean;
  allow_private_data_export: boolean;
  /** By custom field id. */
  profile: Map<number, string>;
  muted_channels: Set<number>;
  /** By `topicKey`. */
  topic_policies: Map<string, TopicPolicy>;
  push_tokens: Set<string>;
  /** Deactivated with their profile, for good. */
  is_deleted?: true;
  /** Only the server's command line grants these two. */
  can_create_users: boolean;
  can_change_user_emails: boolean;
  /** Only of bots whose settings were changed. */
  bot_settings?: BotSettings;
}

export interface BotSettings {
  default_sending_stream: number | null;
  default_events_register_stream: number | null;
  default_all_public_streams: boolean;
  services: readonly ({ base_url: string; interface: number; token: string } | { config_data: object })[];
}

export type TopicPolicy = "muted" | "unmuted" | "followed";

export interface StoredChannel extends Record<ToggleMember, boolean> {
  stream_id: number;
  name: string;
  description: string;
  date_created: number;
  creator_id: number | null;
  is_archived: boolean;
  /** Null is the organization's policy, -1 forever. */
  message_retention_days: number | null;
  folder_id: number | null;
  topics_policy: string;
  settings: Record<ChannelPermission, GroupSetting>;
  /** Ids, deactivated people included. */
  subscribers: Set<number>;
  /** Former subscribers. */
  unsubscribed: Set<number>;
}

export interface StoredFolder {
  id: number;
  name: string;
  description: string;
  date_created: number;
  creator_id: number | null;
  is_archived: boolean;
  order: number;
}

export interface StoredGroup {
  id: number;
  name: string;
  description: string;
  is_system_group: boolean;
  creator_id: number | null;
  date_created: number | null;
  deactivated: boolean;
  /** Direct members. Deactivated people are included, but hidden. */
  members: Set<number>;
  subgroups: Set<number>;
  settings: Record<GroupPermission, GroupSetting>;
  /** Counts writes. The database returns groups in this order by default. */
  written: number;
}

/** Flags of a message for one account that received it. */
export type MessageFlag =
  | "read"
  | "starred"
  | "mentioned"
  | "wildcard_mentioned"
  | "has_alert_word"
  | "collapsed"
  | "historical";

/** A change of a message. Values that did not change are absent. */
export interface Edit {
  user_id: number;
  timestamp: number;
  prev_content?: string;
  prev_topic?: string;
  topic?: string;
  prev_stream?: number;
  stream?: number;
}

export interface StoredMessage {
  id: number;
  sender_id: number;
  /** Null for a direct message. */
  stream_id: number | null;
  /** The people of a direct conversation, with the sender; empty for a channel message. */
  recipients: number[];
  /** Empty for direct messages. */
  topic: string;
  /** Raw Markdown. */
  content: string;
  date_sent: number;
  reactions: { user_id: number; emoji_name: string }[];
  /** The newest first. */
  edit_history: Edit[];
  /** The flags of each account that received it. */
  received: Map<number, Set<MessageFlag>>;
}

export interface StoredEmoji {
  name: string;
  source_url: string;
  deactivated: boolean;
  author_id: number;
  /** Only for animated emoji. */
  still_url: string | null;
}

export interface StoredExport {
  id: number;
  acting_user_id: number;
  export_type: "public" | "full_with_consent" | "full_without_consent";
  export_time: number;
  /** When it will be complete. */
  ready_time: number;
  deleted_time: number | null;
  /** Made before the organization moved to this server, which does not have the file. */
  from_prior_server?: true;
  /** Part of its address, so that nobody can guess it. */
  secret: string;
  /** The archive; absent if the organization has a size for archives. */
  bytes?: Uint8Array;
}

export interface Organization {
  /** The host name, for addresses of people who hide theirs. */
  host: string;
  date_created: number;
  is_deactivated: boolean;
  password_login: boolean;
  /** The server allows web-public channels. `enable_spectator_access` is the organization's setting. */
  web_public: boolean;
  owner_full_content_access: boolean;
  settings: OrganizationValues;
  permissions: Record<OrganizationPermission, GroupSetting>;
  /** Settings of new people. */
  defaults: { [name: string]: PersonalValue };
  /** Channels have e-mail addresses. */
  mail_gateway: boolean;
  estimated_messages_sent: number;
  upload_bytes: number;
  manual_export_email: string;
  /** The size of the file of an export, in bytes; null for a real archive. */
  export_size: number | null;
}

/** Server and organization both allow web-public channels. */
export const allowsWebPublic = ({ web_public, settings }: Organization): boolean =>
  web_public && settings.enable_spectator_access;

/** By e-mail or by a link. The two have separate ids. */
export interface StoredInvitation {
  id: number;
  /** Null for a link. */
  email: string | null;
  /** Part of the link's address. */
  key: string;
  invited_by_user_id: number;
  invited: number;
  /** Null is never. 0 if the inviter was deactivated. */
  expiry_date: number | null;
  invited_as: number;
  notify_referrer_on_join: boolean;
  revoked: boolean;
  /** The channels and groups of the new person, by id, and whether the default channels are added. */
  adds?: { channels: readonly number[]; groups: readonly number[]; defaults: boolean };
}

/** The last times of activity and connection, in seconds. `update` counts all changes. */
export interface Presence {
  active: number;
  connected: number;
  update: number;
}

export interface SandboxState extends Collections {
  /** The feature level. Messages render by it. */
  level: number;
  organization: Organization;
  users: Map<number, StoredUser>;
  channels: Map<number, StoredChannel>;
  folders: Map<number, StoredFolder>;
  groups: Map<number, StoredGroup>;
  messages: Map<number, StoredMessage>;
  drafts: Map<number, StoredDraft>;
  scheduled: Map<number, ScheduledMessage>;
  attachments: Map<number, StoredAttachment>;
  emoji: Map<number, StoredEmoji>;
  exports: Map<number, StoredExport>;
  presences: Map<number, Presence>;
  statuses: Map<number, Readonly<Record<string, unknown>>>;
  invitations: StoredInvitation[];
  queues: Map<string, Queue>;
  /** The last id of each kind of thing, by the name of the kind; absent is 0. */
  counters: { [kind: string]: number };
}

/** The value of a key that is certainly there. */
export function getExisting<K, V>(all: ReadonlyMap<K, V>, key: K): V {
  const value = all.get(key);
  if (value === undefined) throw new Error(`there is no ${key}`);
  return value;
}

export const nextId = ({ counters }: SandboxState, kind: string): number => {
  const id = (counters[kind] ?? 0) + 1;
  counters[kind] = id;
  return id;
};

export function findChannel({ channels }: SandboxState, name: string): StoredChannel | undefined {
  const folded = foldChannelName(name);
  return [...channels.values()].find((channel) => foldChannelName(channel.name) === folded);
}

/** Equal for topics of one channel that differ only in case. */
export const topicKey = (streamId: number, topic: string): string => `${streamId} ${upper(topic)}`;

export const isBot = ({ bot_type }: StoredUser): boolean => bot_type !== null;
export const isOwner = ({ role }: StoredUser): boolean => role === roles.owner;
export const isAdministrator = ({ role }: StoredUser): boolean => role <= roles.administrator;
export const isGuest = ({ role }: StoredUser): boolean => role === roles.guest;

/** The address in `email`: the real one only if everybody may see it. */
export const visibleEmail = ({ organization }: SandboxState, user: StoredUser): string =>
  user.email_address_visibility === 1 ? user.delivery_email : `user${user.user_id}@${organization.host}`;

export const userByAddress = (state: SandboxState, address: string): StoredUser | undefined =>
  [...state.users.values()].find((user) => visibleEmail(state, user).toLowerCase() === address.toLowerCase());
