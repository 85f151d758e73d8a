/** Parts of `register` that tell of people, channels, and the settings of those who come. */
import { notificationSounds } from "../api/user-settings.ts";
import { hasMetadataAccess } from "./access.ts";
import { channelRecord, seenChannel, subscriptionRecord } from "./events/channels.ts";
import { avatarOf, minutes, shownTo, userRecord } from "./events/users.ts";
import { rightsOf } from "./register-realm.ts";
import { type Call, since } from "./router.ts";
import { type Channel, isAdministrator, isBot, isGuest, isOwner, shownEmail, type User } from "./state.ts";

/** Who asks, and what the client says it understands. */
export interface Asked extends Call {
  capabilities: ReadonlySet<string>;
  subscribers: boolean;
  clientGravatar: boolean;
}

export const fieldTypes = {
  DATE: { id: 4, name: "Date" },
  EXTERNAL_ACCOUNT: { id: 7, name: "External account" },
  URL: { id: 5, name: "Link" },
  SELECT: { id: 3, name: "List of options" },
  PRONOUNS: { id: 8, name: "Pronouns" },
  LONG_TEXT: { id: 2, name: "Text (long)" },
  SHORT_TEXT: { id: 1, name: "Text (short)" },
  USER: { id: 6, name: "Users" },
};

const systemBots = [
  { user_id: 1, email: "emailgateway@zulip.com", full_name: "Email Gateway" },
  { user_id: 6, email: "notification-bot@zulip.com", full_name: "Notification Bot" },
  { user_id: 7, email: "welcome-bot@zulip.com", full_name: "Welcome Bot" },
];

const seen = ({ state, caller }: Asked): Channel[] =>
  [...state.channels.values()].filter((channel) => hasMetadataAccess(state, caller, channel));

const withoutState = ({ is_active: _, ...record }: { is_active?: boolean }) => record;

export function people(asked: Asked): object {
  const { state, caller, site } = asked;
  const wanted = { clientGravatar: asked.clientGravatar, profile: true };
  const list = (active: boolean) =>
    [...state.users.values()]
      .filter((user) => user.is_active === active)
      .flatMap((user) => shownTo(asked, user, wanted))
      .map(withoutState);
  const system = systemBots.map((bot) => ({
    ...bot,
    avatar_version: 1,
    is_admin: false,
    is_owner: false,
    is_guest: false,
    role: 400,
    is_bot: true,
    timezone: "",
    is_active: true,
    date_joined: minutes(state.organization.date_created),
    delivery_email: bot.email,
    avatar_url: `${site}/static/images/static_avatars/${bot.email.split("@")[0]}.png`,
    bot_type: 1,
    is_system_bot: true,
    bot_owner_id: null,
    ...since(asked.level, 433, { is_imported_stub: false }),
  }));
  return {
    cross_realm_bots: system,
    avatar_source: caller.avatar_source === "upload" ? "U" : "G",
    avatar_url_medium: avatarOf(caller, false, "&s=500"),
    avatar_url: avatarOf(caller, false),
    ...rightsOf(asked),
    is_admin: isAdministrator(caller),
    is_owner: isOwner(caller),
    is_moderator: asked.level > 371 ? caller.role <= 300 : caller.role === 300,
    is_guest: isGuest(caller),
    user_id: caller.user_id,
    email: shownEmail(state, caller),
    delivery_email: caller.delivery_email,
    full_name: caller.full_name,
    realm_users: list(true),
    realm_non_active_users: list(false),
  };
}

/** A person's channels now, those they left, and the others they may see. */
export function subscriptions(asked: Asked): object {
  const { caller, capabilities, subscribers } = asked;
  const id = caller.user_id;
  const archivedToo = capabilities.has("archived_channels");
  const all = seen(asked).filter((channel) => !channel.is_archived || archivedToo);
  const own = { subscribers, nulls: capabilities.has("notification_settings_null") };
  return {
    subscriptions: all
      .filter((channel) => channel.subscribers.has(id))
      .map((channel) => subscriptionRecord(asked, channel, own)),
    unsubscribed: all
      .filter((channel) => !channel.subscribers.has(id) && channel.unsubscribed.has(id))
      .map((channel) => subscriptionRecord(asked, channel, own)),
    never_subscribed: all
      .filter((channel) => !channel.subscribers.has(id) && !channel.unsubscribed.has(id))
      .map((channel) => seenChannel(asked, channel, subscribers)),
  };
}

/** Channels one is let into; at level 371 never archived ones. */
export const streams = (asked: Asked): object => ({
  streams: seen(asked)
    .filter((channel) => !channel.is_archived || (asked.level > 371 && asked.capabilities.has("archived_channels")))
    .map((channel) => channelRecord(asked, channel)),
});

export function bots(asked: Asked): object {
  const { state, caller, level } = asked;
  const mine = (bot: User) => isAdministrator(caller) || bot.bot_owner_id === caller.user_id;
  const records = [...state.users.values()].filter((user) => isBot(user) && mine(user));
  const whole = (bot: User) => userRecord(asked, bot, { clientGravatar: false, profile: false });
  const brief = (bot: User) => ({
    user_id: bot.user_id,
    email: bot.delivery_email,
    full_name: bot.full_name,
    bot_type: bot.bot_type,
    is_active: bot.is_active,
    avatar_url: avatarOf(bot, false),
  });
  return {
    realm_bots: records.map((bot) => ({
      ...(level > 371 ? brief(bot) : whole(bot)),
      // Keys and what goes with them are not told any more from this level on.
      ...(level < 474 ? { api_key: bot.api_key } : {}),
      owner_id: bot.bot_owner_id,
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
      services: [],
    })),
  };
}

/** Defaults of new people that cannot be changed, and what there is to choose from. */
export const unwritable = (level: number) => ({
  default_language: "en",
  enable_login_emails: true,
  enable_marketing_emails: true,
  allow_private_data_export: false,
  available_notification_sounds: notificationSounds,
  emojiset_choices: [
    { key: "google", text: "Google" },
    { key: "twitter", text: "Twitter" },
    { key: "text", text: "Plain text" },
    ...(level > 371 ? [] : [{ key: "google-blob", text: "Google blobs" }]),
  ],
});
