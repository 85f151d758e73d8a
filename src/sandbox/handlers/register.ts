import { register } from "../../api/events.ts";
import { notificationSounds, personalSettings } from "../../api/user-settings.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { hasMetadataAccess, seesPerson } from "../access.ts";
import { Broken, refused } from "../answers.ts";
import { collections } from "../collections.ts";
import { aBoolean, aList, aString, type Check, type Decoder, fromJson, isObject, member } from "../decode.ts";
import { botRecords } from "../events/bots.ts";
import { channelRecord, defaultChannels, seenChannel, subscriptionRecord } from "../events/channels.ts";
import { groupRecord } from "../events/groups.ts";
import { openQueue } from "../events/queue.ts";
import { avatarOf, minutes, userRecord } from "../events/users.ts";
import { realmPart, rightsOf } from "../register-realm.ts";
import { type Call, on, since } from "../router.ts";
import { type Channel, isAdministrator, isBot, isGuest, isOwner, type State, shownEmail } from "../state.ts";
import { pictureOf, systemBots } from "../system-bots.ts";
import { emojiRecords } from "./emoji.ts";
import { draftRecord } from "./personal.ts";
import { versionAt } from "./server.ts";
import { includeSubscribers } from "./subscriptions.ts";
import { newestOf } from "./users.ts";

const capabilities: Check<Set<string>> = (value, path) => {
  if (!isObject(value)) throw refused(`${path} is not a dict`);
  member(value, "notification_settings_null", path, aBoolean);
  return new Set(Object.keys(value).filter((name) => value[name] === true));
};

/** The caller, and the capabilities of the client. */
interface Asked extends Call {
  capabilities: ReadonlySet<string>;
  subscribers: boolean;
  clientGravatar: boolean;
}

const fieldTypes = {
  DATE: { id: 4, name: "Date" },
  EXTERNAL_ACCOUNT: { id: 7, name: "External account" },
  URL: { id: 5, name: "Link" },
  SELECT: { id: 3, name: "List of options" },
  PRONOUNS: { id: 8, name: "Pronouns" },
  LONG_TEXT: { id: 2, name: "Text (long)" },
  SHORT_TEXT: { id: 1, name: "Text (short)" },
  USER: { id: 6, name: "Users" },
};

const seen = ({ state, caller }: Asked): Channel[] =>
  [...state.channels.values()].filter((channel) => hasMetadataAccess(state, caller, channel));

const withoutState = ({ is_active: _, ...record }: { is_active?: boolean }) => record;

function people(asked: Asked): object {
  const { state, caller, site } = asked;
  const wanted = { clientGravatar: asked.clientGravatar, profile: true };
  const list = (active: boolean) =>
    [...state.users.values()]
      .filter((user) => user.is_active === active)
      .filter((user) => seesPerson(state, caller, user))
      .map((user) => withoutState(userRecord(asked, user, wanted)));
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
    avatar_url: pictureOf(site, bot.email),
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
function subscriptions(asked: Asked): object {
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
const streams = (asked: Asked): object => ({
  streams: seen(asked)
    .filter((channel) => !channel.is_archived || (asked.level > 371 && asked.capabilities.has("archived_channels")))
    .map((channel) => channelRecord(asked, channel)),
});

/** Defaults of new people that cannot be changed, and what there is to choose from. */
const unwritable = (level: number) => ({
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

/** Without reported presence, the last message counts, or the date of joining. */
function presences({ users, messages, presences: reported }: State): object {
  const people = [...users.values()].filter((user) => user.is_active && !isBot(user));
  const last = new Map(people.map(({ user_id, date_joined }) => [user_id, date_joined]));
  for (const { sender_id, date_sent } of messages.values())
    if (last.has(sender_id)) last.set(sender_id, Math.max(date_sent, last.get(sender_id) ?? 0));
  const entry = (time: number) => ({
    active_timestamp: Math.floor(time / 1000),
    idle_timestamp: Math.floor(time / 1000),
  });
  const told = (id: number) => {
    const presence = reported.get(id);
    return presence && { active_timestamp: presence.active, idle_timestamp: presence.connected };
  };
  return Object.fromEntries([...last].map(([id, time]) => [id, told(id) ?? entry(time)]));
}

const collectionParts = Object.values(collections).map(({ type, records }): [string, (asked: Asked) => object] => [
  type,
  (asked) => ({ [type]: records(asked) }),
]);

/** The members for each fetch type, in the server's order. */
const parts: { readonly [type: string]: (asked: Asked) => object } = {
  drafts: ({ state, caller }) => ({
    drafts: [...state.drafts.values()]
      .filter(({ user_id }) => user_id === caller.user_id)
      .sort((a, b) => b.timestamp - a.timestamp || b.id - a.id)
      .slice(0, 1000)
      .map(draftRecord),
  }),
  alert_words: () => ({ alert_words: [] }),
  muted_users: () => ({ muted_users: [] }),
  message: ({ state, caller }) => ({ max_message_id: newestOf(state, caller) }),
  realm: realmPart,
  realm_user_settings_defaults: ({ state, level }) => ({
    realm_user_settings_defaults: {
      ...Object.fromEntries(
        Object.entries(state.organization.defaults).filter(([name]) => level >= (personalSettings[name]?.since ?? 0)),
      ),
      ...unwritable(level),
    },
  }),
  ...Object.fromEntries(collectionParts),
  custom_profile_fields: (asked) => ({
    custom_profile_fields: collections.profile_fields.records(asked),
    custom_profile_field_types: fieldTypes,
  }),
  realm_filters: () => ({ realm_filters: [] }),
  realm_emoji: ({ state }) => ({ realm_emoji: emojiRecords(state) }),
  // Clients that do not say that they know templates are told of no linkifier.
  realm_linkifiers: (asked) => ({
    realm_linkifiers: asked.capabilities.has("linkifier_url_template") ? collections.linkifiers.records(asked) : [],
  }),
  realm_user: people,
  realm_bot: (asked) => ({ realm_bots: botRecords(asked) }),
  realm_user_groups: (asked) => ({
    realm_user_groups: [...asked.state.groups.values()]
      .filter(({ deactivated }) => !deactivated || asked.capabilities.has("include_deactivated_groups"))
      .map((group) => groupRecord(asked, group)),
  }),
  subscription: subscriptions,
  stream: streams,
  presence: ({ state }) => ({ presences: presences(state) }),
  default_streams: ({ state, caller }) => ({
    realm_default_streams: isGuest(caller) ? [] : defaultChannels(state),
  }),
};

type Args = Omit<ArgsOf<typeof register>, "client_capabilities" | "include_subscribers"> & {
  client_capabilities?: ReadonlySet<string> | undefined;
  include_subscribers?: boolean | undefined;
};

function registered(call: Call, args: Args): object {
  const { level } = call;
  const { event_types, fetch_event_types = event_types, client_gravatar } = args;
  if (args.all_public_streams && isGuest(call.caller)) throw refused("User not authorized for this query");
  // Values that are not pairs are unpacked without a check.
  if (args.narrow?.some((term) => term.length !== 2)) throw new Broken();
  const asked: Asked = {
    ...call,
    capabilities: args.client_capabilities ?? new Set(),
    subscribers: args.include_subscribers ?? false,
    clientGravatar: client_gravatar ?? true,
  };
  const queue = openQueue(call, event_types, {
    capabilities: asked.capabilities,
    rendered: args.apply_markdown ?? false,
    narrow: args.narrow ?? [],
    allPublic: args.all_public_streams ?? false,
  });
  const all = Object.entries(parts).filter(([type]) => !fetch_event_types || fetch_event_types.includes(type));
  return Object.assign(
    {
      queue_id: queue.id,
      zulip_version: versionAt(level),
      zulip_feature_level: level,
      zulip_merge_base: versionAt(level),
    },
    ...all.map(([, part]) => part(asked)),
    { last_event_id: -1 },
  );
}

const gravatar: Decoder<boolean | undefined> = fromJson((value, path) =>
  value === null ? undefined : aBoolean(value, path),
);

const decode = {
  client_gravatar: gravatar,
  client_capabilities: fromJson(capabilities),
  include_subscribers: includeSubscribers,
  narrow: fromJson(aList(aList(aString))),
  idle_queue_timeout: fromJson((value) => value),
};

export const registerRoutes = [on(register, { decode }, registered)];
