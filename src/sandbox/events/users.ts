/** Records of people and bots, and the events about their changes. */
import { createHash } from "node:crypto";
import type { GroupSetting } from "../../api/group-setting.ts";
import { namesOf } from "../../common/members.ts";
import { hasMetadataAccess } from "../access.ts";
import { visibleSetting } from "../groups.ts";
import { render } from "../narrow/markdown.ts";
import { type Call, type Context, since } from "../router.ts";
import {
  type BotSettings,
  type Channel,
  type Group,
  isAdministrator,
  isBot,
  isGuest,
  isOwner,
  type State,
  type User,
  visibleEmail,
} from "../state.ts";
import { type Subscription, sendChannelsCreated, sendChannelsDeleted, sendPeers } from "./channels.ts";
import { sendGroupEvent, sendGroupUpdated } from "./groups.ts";
import { administrators, personViewers, send, sendSettingsChanged } from "./queue.ts";

const sendUserUpdated = (context: Context, user: User, person: object, to = personViewers(context.state, user)): void =>
  send(context, { type: "realm_user", op: "update", person: { user_id: user.user_id, ...person } }, to);

export function sendNameChanged(context: Context, user: User): void {
  sendUserUpdated(context, user, { full_name: user.full_name });
  sendBotChanged(context, user, { full_name: user.full_name });
}

export function sendPictureChanged(context: Context, user: User): void {
  const avatar_url = avatarUrl(user, false);
  sendBotChanged(context, user, { avatar_url });
  sendUserUpdated(context, user, {
    avatar_source: avatarSource(context.state, context.level, user),
    avatar_url,
    avatar_url_medium: user.avatar_source === "upload" ? avatar_url : avatarUrl(user, false, "&s=500"),
    avatar_version: user.avatar_version,
  });
}

const subscriptionsOf = (state: State, user: User): Subscription[] =>
  [...state.channels.values()]
    .filter(({ subscribers }) => subscribers.has(user.user_id))
    .map((channel) => ({ channel, user }));

export function sendDeactivated(context: Context, user: User): void {
  const { state, level } = context;
  sendUserUpdated(context, user, { is_active: false });
  sendBotChanged(context, user, { is_active: false });
  if (level > 371) sendPeers(context, "peer_remove", subscriptionsOf(state, user));
}

export function sendAddressChanged(context: Context, user: User): void {
  const { delivery_email } = user;
  const viewers = personViewers(context.state, user).filter((each) => each === user || canSeeAddress(each, user));
  sendUserUpdated(context, user, { delivery_email }, viewers);
  if (user.email_address_visibility === 1) sendUserUpdated(context, user, { new_email: delivery_email });
  if (context.level >= 461) sendBotChanged(context, user, { email: delivery_email });
}

/** Sends a value of a profile field; null if it was cleared. */
export function sendProfileChanged(context: Context, user: User, id: number, value: string | null): void {
  const field = context.state.profile_fields.find((each) => each.id === id);
  const rendered = value === null || !field ? {} : renderProfileValue(context.state, field.type, value);
  sendUserUpdated(context, user, { custom_profile_field: { id, value, ...rendered } });
}

/** The system groups of a role, the widest first. */
export const roleGroups = (state: State, user: User): Group[] =>
  [...state.groups.values()].filter((group) => group.is_system_group && group.members.has(user.user_id)).reverse();

export function sendUserCreated(call: Call, user: User): void {
  const { state } = call;
  send(
    call,
    (caller) => ({
      type: "realm_user",
      op: "add",
      person: userRecord({ ...call, caller }, user, { clientGravatar: false, profile: true }),
    }),
    personViewers(state, user),
  );
  for (const group of roleGroups(state, user))
    sendGroupEvent(call, group, { op: "add_members", user_ids: [user.user_id] });
}

export const visibleChannels = (state: State, user: User): Set<Channel> =>
  new Set([...state.channels.values()].filter((each) => !each.is_archived && hasMetadataAccess(state, user, each)));

export function sendRoleChanged(
  context: Context,
  user: User,
  groupsBefore: readonly Group[],
  hasFullAccess: ReadonlySet<Channel>,
): void {
  const { state } = context;
  sendUserUpdated(context, user, { role: user.role });
  const now = roleGroups(state, user);
  const user_ids = [user.user_id];
  // The group of full members comes after those of the roles.
  for (const full of [false, true]) {
    const without = (groups: readonly Group[], others: readonly Group[]) =>
      groups.filter((group) => (group.name === "role:fullmembers") === full && !others.includes(group));
    for (const group of without(groupsBefore, now)) sendGroupEvent(context, group, { op: "remove_members", user_ids });
    for (const group of without(now, groupsBefore)) sendGroupEvent(context, group, { op: "add_members", user_ids });
  }
  const sees = visibleChannels(state, user);
  const [opened, closed] = [
    [...sees].filter((each) => !hasFullAccess.has(each)),
    [...hasFullAccess].filter((each) => !sees.has(each)),
  ];
  sendChannelsCreated(context, opened, [user]);
  sendChannelsDeleted(context, closed, [user]);
}

const settingNames = (value: GroupSetting, { user_id }: User): boolean =>
  typeof value === "object" && value.direct_members.includes(user_id);

/** Sends the person's return to channels, groups, and permissions that name them. */
export function sendReactivated(context: Context, user: User): void {
  const { state } = context;
  sendUserUpdated(context, user, { is_active: true });
  sendBotChanged(context, user, { is_active: true });
  for (const group of state.groups.values()) {
    if (group.members.has(user.user_id))
      sendGroupEvent(context, group, { op: "add_members", user_ids: [user.user_id] });
  }
  for (const group of state.groups.values()) {
    for (const name of namesOf(group.settings)) {
      if (settingNames(group.settings[name], user))
        sendGroupUpdated(context, group, { [name]: visibleSetting(state, group.settings[name]) });
    }
  }
  for (const name of namesOf(state.organization.permissions)) {
    const value = state.organization.permissions[name];
    if (settingNames(value, user)) sendSettingsChanged(context, { [name]: visibleSetting(state, value) });
  }
  const active = subscriptionsOf(state, user).filter(({ channel }) => !channel.is_archived);
  sendPeers(context, "peer_add", active);
}

/** The widest role that sees the real address, by the person's visibility setting. 4 is nobody. */
const widestRole: Record<number, number> = { 1: 600, 2: 400, 3: 200, 4: 0, 5: 300 };

/** Returns whether the caller can see the real address. Visibility 4 hides it from everybody. */
export const canSeeAddress = (caller: User, { email_address_visibility }: User): boolean =>
  caller.role <= (widestRole[email_address_visibility] ?? 0);

/** ISO 8601 with minutes only. */
export const isoMinutes = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}+00:00`;

export function avatarUrl(user: User, clientGravatar: boolean, size = ""): string | null {
  if (user.avatar_source === "upload") return `/user_avatars/2/${user.user_id}.png?version=${user.avatar_version}`;
  if (clientGravatar && user.email_address_visibility === 1) return null;
  const hash = createHash("md5").update(user.delivery_email.toLowerCase()).digest("hex");
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon${size}&version=${user.avatar_version}`;
}

/** U uploaded, G Gravatar, J Jdenticon. */
export function avatarSource({ organization }: State, level: number, user: User): string {
  if (user.avatar_source === "upload") return "U";
  return level < 466 ? "G" : String(organization.settings.default_avatar_source);
}

/** Only short and long text is Markdown. */
const renderProfileValue = (state: State, type: number, value: string): object =>
  type === 1 || type === 2 ? { rendered_value: render(state, value) } : {};

const profileOf = (state: State, { profile }: User): object =>
  Object.fromEntries(
    state.profile_fields.flatMap(({ id, type }) => {
      const value = profile.get(id);
      return value === undefined ? [] : [[String(id), { value, ...renderProfileValue(state, type, value) }]];
    }),
  );

interface UserOptions {
  clientGravatar: boolean;
  profile: boolean;
}

export function userRecord(
  { state, level, caller }: Call,
  user: User,
  { clientGravatar, profile }: UserOptions,
): object {
  const { bot_type, bot_owner_id } = user;
  const seen = caller.user_id === user.user_id || canSeeAddress(caller, user);
  return {
    user_id: user.user_id,
    delivery_email: seen ? user.delivery_email : null,
    email: visibleEmail(state, user),
    full_name: user.full_name,
    is_active: user.is_active,
    is_admin: isAdministrator(user),
    is_owner: isOwner(user),
    is_guest: isGuest(user),
    is_bot: isBot(user),
    role: user.role,
    ...since(level, 433, { is_imported_stub: false }),
    // Only if true.
    ...(user.is_deleted && since(level, 490, { is_deleted: true })),
    date_joined: isoMinutes(user.date_joined),
    timezone: user.timezone,
    avatar_url: avatarUrl(user, clientGravatar),
    avatar_version: user.avatar_version,
    ...(isBot(user) ? { bot_type, bot_owner_id } : {}),
    ...(profile && !isBot(user) ? { profile_data: profileOf(state, user) } : {}),
  };
}

// Bots. Only their owners and administrators get these events, with keys. Everybody else gets events about users.

const noSettings: BotSettings = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
  services: [],
};

export const botSettings = ({ bot_settings }: User): BotSettings => bot_settings ?? noSettings;

const channelName = ({ channels }: State, id: number | null): string | null =>
  id === null ? null : (channels.get(id)?.name ?? null);

/** The three defaults, with the names of channels. */
export function botDefaults(state: State, bot: User) {
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = botSettings(bot);
  return {
    default_sending_stream: channelName(state, default_sending_stream),
    default_events_register_stream: channelName(state, default_events_register_stream),
    default_all_public_streams,
  };
}

/** Level 474 removed the members that `realm_users` has too. */
function botRecord({ state, level }: Context, bot: User): object {
  const { user_id, bot_owner_id } = bot;
  const details = {
    email: bot.delivery_email,
    full_name: bot.full_name,
    bot_type: bot.bot_type,
    is_active: bot.is_active,
    api_key: bot.api_key,
    owner_id: bot_owner_id,
    avatar_url: avatarUrl(bot, false),
  };
  return { user_id, ...(level < 474 && details), ...botDefaults(state, bot), services: botSettings(bot).services };
}

/** The bots that the caller gets events about, deactivated ones too. */
export const botRecords = (call: Call): object[] => {
  const { state, caller } = call;
  if (isGuest(caller) || isBot(caller)) return [];
  return [...state.users.values()]
    .filter((bot) => isBot(bot) && (isAdministrator(caller) || bot.bot_owner_id === caller.user_id))
    .map((bot) => botRecord(call, bot));
};

const sendEvent = (context: Context, op: string, bot: object, to: readonly User[]): void =>
  send(context, { type: "realm_bot", op, bot }, to);

const readers = ({ state }: Context, { bot_owner_id }: User): User[] => [
  ...administrators(state),
  ...[...state.users.values()].filter(({ user_id }) => user_id === bot_owner_id),
];

export const sendBotCreated = (context: Context, bot: User): void =>
  sendEvent(context, "add", botRecord(context, bot), readers(context, bot));

/** Changes that the events about bots have no more from level 474 on. */
const removedChanges = ["avatar_url", "email", "full_name", "owner_id", "api_key", "is_active"];

/** Does nothing for people. */
export function sendBotChanged(context: Context, bot: User, changes: object, to = readers(context, bot)): void {
  const shown = Object.entries(changes).filter(([name]) => context.level < 474 || !removedChanges.includes(name));
  if (isBot(bot) && shown.length)
    sendEvent(context, "update", { user_id: bot.user_id, ...Object.fromEntries(shown) }, to);
}

/** `before`, the former owner, loses the bot, and the new owner gets it. Administrators see all bots, so they get the change. */
export function sendOwnerChanged(context: Context, bot: User, before: number | null): void {
  const { state } = context;
  const { user_id, bot_owner_id: owner_id } = bot;
  const unlessAdministrator = (id: number | null) =>
    [...state.users.values()].filter((user) => user.user_id === id && !isAdministrator(user));
  sendEvent(context, "delete", { user_id }, unlessAdministrator(before));
  sendEvent(context, "add", botRecord(context, bot), unlessAdministrator(owner_id));
  sendBotChanged(context, bot, { owner_id }, administrators(state));
  sendUserUpdated(context, bot, { bot_owner_id: owner_id });
}
