/** Making an organization: the empty one, and its people, channels and groups as a new account finds them. */
import { personalSettings } from "../api/user-settings.ts";
import { firstSettings } from "./group-setting.ts";
import { joinSystemGroups, makeSystemGroups } from "./groups.ts";
import { newOrganizationSettings } from "./organization-state.ts";
import { channelRules, groupRules, organizationRules } from "./permission-rules.ts";
import { randomText } from "./random-text.ts";
import { type Channel, type Group, nextId, type State, type User } from "./state.ts";

export interface Making {
  site: string;
  /** The feature level: new organizations have other defaults at some. */
  level: number;
  /** Milliseconds since the epoch. */
  now: number;
  random: () => number;
}

/** Real servers keep bots and groups of their own below those of the first organization. */
const firstUserId = 8;
const firstGroupId = 9;

/** An organization with the settings of a new one, its system groups, and nobody in it. */
export function emptyOrganization({ site, level, now }: Making): State {
  const first = Object.entries(personalSettings).map(([name, { first }]) => [name, first]);
  const state: State = {
    organization: {
      host: new URL(site).hostname,
      date_created: now,
      is_deactivated: false,
      password_login: true,
      web_public: false,
      owner_full_content_access: false,
      settings: { ...newOrganizationSettings, giphy_rating: level > 371 ? 1 : 2 },
      permissions: {} as State["organization"]["permissions"],
      // Defaults that changed somewhere between 371 and 442: new people show their addresses to administrators alone.
      defaults: { ...Object.fromEntries(first), email_address_visibility: level > 371 ? 3 : 1 },
      mail_gateway: false,
      estimated_messages_sent: 0,
      upload_bytes: 0,
      manual_export_email: "support@sandbox.example",
      export_size: 64 * 1024,
    },
    users: new Map(),
    channels: new Map(),
    folders: new Map(),
    groups: new Map(),
    messages: new Map(),
    drafts: new Map(),
    linkifiers: [],
    attachments: new Map(),
    exports: new Map(),
    profile_fields: [],
    domains: [],
    playgrounds: [],
    emoji: [],
    invitations: [],
    addresses: new Map(),
    queues: new Map(),
    counters: {
      user: firstUserId - 1,
      channel: 0,
      folder: 0,
      group: firstGroupId - 1,
      message: 0,
      draft: 0,
      linkifier: 0,
      attachment: 0,
      export: 0,
      field: 0,
      domain: 0,
      playground: 0,
      emoji: 0,
      invitation: 0,
      link: 0,
      queue: 0,
      write: 0,
    },
  };
  makeSystemGroups(state);
  state.organization.permissions = firstSettings(state, organizationRules, null);
  return state;
}

type NewUser = Pick<User, "delivery_email" | "full_name" | "role"> & Partial<User>;

export function addUser(
  state: State,
  { now, random }: Pick<Making, "now" | "random">,
  { bot_type = null, ...given }: NewUser,
): User {
  const { email_address_visibility, enable_drafts_synchronization } = state.organization.defaults;
  const user: User = {
    user_id: nextId(state, "user"),
    is_active: true,
    bot_type,
    bot_owner_id: null,
    api_key: randomText(random, 32),
    password: null,
    must_reset_password: false,
    date_joined: now,
    timezone: "",
    avatar_source: "gravatar",
    avatar_version: 1,
    // Bots show theirs to everybody.
    email_address_visibility: bot_type === null ? Number(email_address_visibility) : 1,
    enable_drafts_synchronization: Boolean(enable_drafts_synchronization),
    allow_private_data_export: false,
    profile: new Map(),
    muted_channels: new Set(),
    topic_policies: new Map(),
    push_tokens: new Set(),
    can_create_users: false,
    can_change_user_emails: false,
    ...given,
  };
  state.users.set(user.user_id, user);
  joinSystemGroups(state, user, now);
  return user;
}

type NewChannel = Pick<Channel, "name" | "description" | "creator_id"> & Partial<Channel>;

export function addChannel(state: State, { now }: { now: number }, given: NewChannel): Channel {
  const channel: Channel = {
    stream_id: nextId(state, "channel"),
    date_created: now,
    invite_only: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    is_archived: false,
    is_default: false,
    message_retention_days: null,
    folder_id: null,
    topics_policy: "inherit",
    default_push_notifications: false,
    subscribers: new Set(),
    unsubscribed: new Set(),
    settings: firstSettings(state, channelRules, given.creator_id),
    ...given,
  };
  state.channels.set(channel.stream_id, channel);
  return channel;
}

type NewGroup = Pick<Group, "name" | "description"> & { creator_id: number; members: number[] } & Partial<
    Pick<Group, "subgroups" | "settings">
  >;

export function addGroup(
  state: State,
  { now }: { now: number },
  { name, description, creator_id, members, subgroups = new Set(), settings }: NewGroup,
): Group {
  const group: Group = {
    id: nextId(state, "group"),
    name,
    description,
    is_system_group: false,
    creator_id,
    date_created: now,
    deactivated: false,
    members: new Set(members),
    subgroups,
    settings: settings ?? firstSettings(state, groupRules, creator_id),
    written: nextId(state, "write"),
  };
  state.groups.set(group.id, group);
  return group;
}

const givenNames = [
  "Ada",
  "Ben",
  "Cleo",
  "Dan",
  "Eva",
  "Finn",
  "Gia",
  "Hugo",
  "Ida",
  "Jan",
  "Kim",
  "Lea",
  "Max",
  "Nora",
];
const familyNames = [
  "Abel",
  "Brandt",
  "Cole",
  "Diaz",
  "Ernst",
  "Fox",
  "Gray",
  "Hall",
  "Ito",
  "Jones",
  "Koch",
  "Lopez",
  "Meyer",
];

/** Adds that many members, for load. */
export function addUsers(state: State, size: number, making: Pick<Making, "now" | "random">): void {
  for (let n = 1; n <= size; n++) {
    const full_name = `${givenNames[n % givenNames.length]} ${familyNames[n % familyNames.length]} ${n}`;
    const delivery_email = `crowd${n}@sandbox.example`;
    addUser(state, making, { delivery_email, full_name, role: 400, password: randomText(making.random, 20) });
  }
}
