/** Makes an organization, and its people, channels and groups with the values of new ones. */

import { keyedAs } from "../common/object-members.ts";
import { channelFieldRows, channelToggleRules, channelToggles, memberOf } from "../model/channel.ts";
import { channelSettings, organizationSettings } from "../model/organization.ts";
import { roles } from "../model/person.ts";
import { personalSettings } from "../model/personal.ts";
import type { Setting } from "../model/setting.ts";
import { noCollections } from "./collections.ts";
import { joinSystemGroups, nestedSystemGroups } from "./groups.ts";
import type { OrganizationValues } from "./organization-values.ts";
import {
  channelRulesInOrder,
  groupRulesInOrder,
  initialSettings,
  mapNames,
  organizationRulesInOrder,
} from "./permissions.ts";
import {
  nextId,
  type SandboxState,
  type StoredChannel,
  type StoredFolder,
  type StoredGroup,
  type StoredUser,
} from "./state.ts";
import { randomText } from "./text.ts";

export interface BuildOptions {
  site: string;
  /** The feature level. Some defaults differ between levels. */
  level: number;
  /** Milliseconds since the epoch. */
  now: number;
  random: () => number;
}

const newOrganizationSettings = {
  ...Object.fromEntries(
    Object.entries<Setting>(organizationSettings).flatMap(([name, { choices, initial }]) =>
      initial === undefined ? [] : [[name, choices?.[String(initial)] ?? initial]],
    ),
  ),
  name: "Sandbox",
  new_stream_announcements_stream_id: -1,
  zulip_update_announcements_stream_id: -1,
  enable_read_receipts: true,
} as OrganizationValues;

/** In the order in which they apply. */
export const channelSettingsOfOrganization = channelSettings.toSorted();

/** Real servers use lower ids for their own bots and groups. */
const firstUserId = 8;
/** The id of `role:nobody`. */
const firstGroupId = 9;

/** A new organization with its system groups, without people. */
export function emptyOrganization({ site, level, now }: BuildOptions): SandboxState {
  const first = Object.entries(personalSettings).map(([name, { initial }]) => [name, initial]);
  const state: SandboxState = {
    level,
    organization: {
      host: new URL(site).hostname,
      date_created: now,
      is_deactivated: false,
      password_login: true,
      web_public: false,
      owner_full_content_access: false,
      // Level 371 has one rating more, and another number for each.
      settings: {
        ...newOrganizationSettings,
        gif_rating_policy: level > 371 ? 1 : 2,
        // Level 468 begins with Gravatar, level 499 with Jdenticons. Where between them this changed is a guess.
        default_avatar_source: level < 469 ? "G" : "J",
      },
      permissions: {} as SandboxState["organization"]["permissions"],
      // This default changed somewhere between 371 and 442: new people show their addresses only to administrators.
      defaults: { ...Object.fromEntries(first), email_address_visibility: level > 371 ? 3 : 1 },
      mail_gateway: false,
      estimated_messages_sent: 0,
      upload_bytes: 0,
      manual_export_email: "support@sandbox.example",
      export_size: null,
    },
    users: new Map(),
    channels: new Map(),
    folders: new Map(),
    groups: new Map(),
    messages: new Map(),
    drafts: new Map(),
    scheduled: new Map(),
    attachments: new Map(),
    emoji: new Map(),
    exports: new Map(),
    presences: new Map(),
    statuses: new Map(),
    ...noCollections(),
    invitations: [],
    queues: new Map(),
    counters: { user: firstUserId - 1, group: firstGroupId - 1 },
  };
  addSystemGroups(state);
  state.organization.permissions = initialSettings(state, organizationRulesInOrder, null);
  return state;
}

type NewUser = Pick<StoredUser, "delivery_email" | "full_name" | "role"> & Partial<StoredUser>;

export function addUser(
  state: SandboxState,
  { now, random }: Pick<BuildOptions, "now" | "random">,
  { bot_type = null, ...values }: NewUser,
): StoredUser {
  const { defaults, settings } = state.organization;
  const { email_address_visibility, enable_drafts_synchronization } = defaults;
  const user: StoredUser = {
    user_id: nextId(state, "user"),
    is_active: true,
    bot_type,
    bot_owner_id: null,
    api_key: randomText(random, 32),
    password: null,
    must_reset_password: false,
    date_joined: now,
    timezone: "",
    avatar_source: settings.default_avatar_source === "J" ? "jdenticon" : "gravatar",
    avatar_version: 1,
    // Bots show their addresses to everybody.
    email_address_visibility: bot_type === null ? Number(email_address_visibility) : 1,
    enable_drafts_synchronization: Boolean(enable_drafts_synchronization),
    settings: defaults,
    allow_private_data_export: false,
    profile: new Map(),
    muted_channels: new Set(),
    topic_policies: new Map(),
    push_tokens: new Set(),
    can_create_users: false,
    can_change_user_emails: false,
    ...values,
  };
  state.users.set(user.user_id, user);
  joinSystemGroups(state, user, now);
  return user;
}

type NewChannel = Pick<StoredChannel, "name" | "description" | "creator_id"> & Partial<StoredChannel>;

const newFields = {
  ...keyedAs(channelToggles, memberOf, (name) => channelToggleRules[name].initial),
  message_retention_days: channelFieldRows.message_retention_days.initial,
  folder_id: channelFieldRows.folder_id.initial,
  topics_policy: channelFieldRows.topics_policy.initial,
};

export function addChannel(state: SandboxState, { now }: { now: number }, values: NewChannel): StoredChannel {
  const channel: StoredChannel = {
    stream_id: nextId(state, "channel"),
    date_created: now,
    ...newFields,
    is_archived: false,
    subscribers: new Set(),
    unsubscribed: new Set(),
    settings: initialSettings(state, channelRulesInOrder, values.creator_id),
    ...values,
  };
  state.channels.set(channel.stream_id, channel);
  return channel;
}

type NewGroup = Pick<StoredGroup, "name" | "description" | "creator_id"> &
  Partial<Omit<StoredGroup, "members">> & { members?: number[] };

export function addGroup(
  state: SandboxState,
  { now }: { now: number },
  { members = [], ...values }: NewGroup,
): StoredGroup {
  const group: StoredGroup = {
    id: nextId(state, "group"),
    is_system_group: false,
    date_created: now,
    deactivated: false,
    members: new Set(members),
    subgroups: new Set(),
    written: nextId(state, "write"),
    ...values,
    settings: values.settings ?? initialSettings(state, groupRulesInOrder, values.creator_id),
  };
  state.groups.set(group.id, group);
  return group;
}

export function addFolder(
  state: SandboxState,
  { now }: { now: number },
  {
    id = nextId(state, "folder"),
    ...values
  }: Pick<StoredFolder, "name" | "description" | "creator_id"> & { id?: number },
): StoredFolder {
  const folder = { id, ...values, date_created: now, is_archived: false, order: id };
  state.folders.set(id, folder);
  return folder;
}

/** Adds the system groups to an organization without people. */
function addSystemGroups(state: SandboxState): void {
  const add = (name: string, description: string, subgroups: number[]) => {
    const settings = mapNames(groupRulesInOrder, () => firstGroupId);
    const system = { is_system_group: true, creator_id: null, date_created: null, settings };
    return addGroup(state, { now: 0 }, { ...system, name, description, subgroups: new Set(subgroups) }).id;
  };
  add("role:nobody", "Nobody", []);
  let narrower: number[] = [];
  for (const [name, description] of nestedSystemGroups) narrower = [add(name, description, narrower)];
}

const givenNames = "Ada Ben Cleo Dan Eva Finn Gia Hugo Ida Jan Kim Lea Max Nora".split(" ");
const familyNames = "Abel Brandt Cole Diaz Ernst Fox Gray Hall Ito Jones Koch Lopez Meyer".split(" ");

/** Adds generated members, for load. */
export function addUsers(state: SandboxState, size: number, options: Pick<BuildOptions, "now" | "random">): void {
  for (let n = 1; n <= size; n++) {
    const full_name = `${givenNames[n % givenNames.length]} ${familyNames[n % familyNames.length]} ${n}`;
    const delivery_email = `crowd${n}@sandbox.example`;
    const password = randomText(options.random, 20);
    addUser(state, options, { delivery_email, full_name, role: roles.member, password });
  }
}
