/** Making an organization: the empty one, and its people, channels and groups as a new account finds them. */
import { joinSystemGroups, makeSystemGroups, newGroupSettings, systemGroup } from "./groups.ts";
import { type Channel, type Group, nextId, type State, type User } from "./state.ts";

export interface Making {
  site: string;
  /** Milliseconds since the epoch. */
  now: number;
  random: () => number;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
export const randomText = (random: () => number, length: number): string =>
  Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");

/** Real servers keep bots and groups of their own below those of the first organization. */
const firstUserId = 8;
const firstGroupId = 9;

/** An organization with the settings of a new one, its system groups, and nobody in it. */
export function emptyOrganization({ site }: Making): State {
  const state: State = {
    organization: {
      name: "Sandbox",
      description: "",
      host: new URL(site).hostname,
      is_deactivated: false,
      password_login: true,
      web_public: false,
      owner_full_content_access: false,
      moderation_request_channel_id: null,
      permissions: {} as State["organization"]["permissions"],
      estimated_messages_sent: 0,
      upload_bytes: 0,
      manual_export_email: "support@sandbox.example",
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
    },
  };
  makeSystemGroups(state);
  state.organization.permissions = {
    can_create_private_channel_group: systemGroup(state, "role:members"),
    can_create_public_channel_group: systemGroup(state, "role:members"),
    can_create_web_public_channel_group: systemGroup(state, "role:owners"),
    can_manage_all_groups: systemGroup(state, "role:owners"),
    can_set_delete_message_policy_group: systemGroup(state, "role:moderators"),
    can_set_topics_policy_group: systemGroup(state, "role:members"),
  };
  return state;
}

type NewUser = Pick<User, "delivery_email" | "full_name" | "role"> & Partial<User>;

export function addUser(state: State, { now, random }: Omit<Making, "site">, given: NewUser): User {
  const user: User = {
    user_id: nextId(state, "user"),
    is_active: true,
    bot_type: null,
    bot_owner_id: null,
    api_key: randomText(random, 32),
    password: null,
    must_reset_password: false,
    date_joined: now,
    timezone: "",
    avatar_source: "gravatar",
    avatar_version: 1,
    email_address_visibility: 1,
    enable_drafts_synchronization: true,
    allow_private_data_export: false,
    profile: new Map(),
    muted_channels: new Set(),
    topic_policies: new Map(),
    push_tokens: new Set(),
    ...given,
  };
  state.users.set(user.user_id, user);
  joinSystemGroups(state, user);
  return user;
}

type NewChannel = Pick<Channel, "name" | "description" | "creator_id"> & Partial<Channel>;

export function addChannel(state: State, { now }: { now: number }, given: NewChannel): Channel {
  const everyone = systemGroup(state, "role:everyone");
  const nobody = systemGroup(state, "role:nobody");
  const creator = given.creator_id === null ? nobody : { direct_members: [given.creator_id], direct_subgroups: [] };
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
    settings: {
      can_add_subscribers_group: nobody,
      can_administer_channel_group: creator,
      can_create_topic_group: everyone,
      can_delete_any_message_group: nobody,
      can_delete_own_message_group: nobody,
      can_move_messages_out_of_channel_group: nobody,
      can_move_messages_within_channel_group: nobody,
      can_remove_subscribers_group: systemGroup(state, "role:administrators"),
      can_send_message_group: everyone,
      can_subscribe_group: nobody,
      can_resolve_topics_group: nobody,
    },
    ...given,
  };
  state.channels.set(channel.stream_id, channel);
  return channel;
}

export function addGroup(
  state: State,
  { now }: { now: number },
  {
    name,
    description,
    creator_id,
    members,
  }: { name: string; description: string; creator_id: number; members: number[] },
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
    subgroups: new Set(),
    settings: newGroupSettings(state, creator_id),
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
export function addUsers(state: State, size: number, making: Omit<Making, "site">): void {
  for (let n = 1; n <= size; n++) {
    const full_name = `${givenNames[n % givenNames.length]} ${familyNames[n % familyNames.length]} ${n}`;
    const delivery_email = `crowd${n}@sandbox.example`;
    addUser(state, making, { delivery_email, full_name, role: 400, password: randomText(making.random, 20) });
  }
}
