/** Settings of the server, `register`, and event queues. */

import { deleteQueue, getEvents, register } from "../../api/events.ts";
import { getServerSettings } from "../../api/server.ts";
import { botKinds } from "../../model/bot.ts";
import { channelFieldRows } from "../../model/channel.ts";
import { roles } from "../../model/person.ts";
import { canSeePerson, hasMetadataAccess } from "../access.ts";
import { ApiError, badRequest, InternalError } from "../answers.ts";
import { avatarSource, avatarUrl, mediumAvatarUrl } from "../avatars.ts";
import { collectionParts, collectionRecords } from "../collections.ts";
import { aBoolean, aDict, aList, anInteger, aString, type Check, fromJson, requiredMember } from "../decode.ts";
import { botRecords } from "../events/bots.ts";
import { channelRecord, channelWithSubscribers, defaultChannels, subscriptionRecord } from "../events/channels.ts";
import { groupRecord } from "../events/groups.ts";
import { queueOperators } from "../events/messages.ts";
import { openQueue, queueOfCaller } from "../events/queue.ts";
import { isoMinutes, userRecord } from "../events/users.ts";
import { renderMarkdown } from "../narrow/markdown.ts";
import { ownedBy, settingsAt } from "../personal.ts";
import { personalParts } from "../register-personal.ts";
import { callerRights, defaultIcon, realmPart } from "../register-realm.ts";
import { type HandlerCall, type HandlerContext, on, onAnonymous, since } from "../router.ts";
import {
  allowsWebPublic,
  isAdministrator,
  isGuest,
  isOwner,
  type StoredChannel,
  type StoredUser,
  visibleEmail,
} from "../state.ts";
import { systemBotPicture, systemBots } from "../system-bots.ts";
import { versionAt } from "../versions.ts";
import { emojiRecords } from "./emoji.ts";
import { folderRecord } from "./folders.ts";
import { draftRecord } from "./personal.ts";
import { includeSubscribers } from "./subscriptions.ts";
import { newestMessageId, unknownUser } from "./users.ts";

function versionMembers({ level }: HandlerContext) {
  const zulip_version = versionAt(level);
  return { zulip_version, zulip_feature_level: level, zulip_merge_base: zulip_version };
}

const otherMethods = Object.fromEntries(
  ["dev", "ldap", "remoteuser", "github", "azuread", "gitlab", "google", "apple", "saml", "openid connect"].map(
    (name) => [name, false],
  ),
);

const capabilities: Check<Set<string>> = (value, path) => {
  const all = aDict(value, path);
  requiredMember(all, "notification_settings_null", path, aBoolean);
  return new Set(Object.keys(all).filter((name) => all[name] === true));
};

/** At most a week. Mobile apps wait half a day. */
const aTimeout: Check<number> = (value, path) => {
  if (value === "mobile") return 12 * 3600;
  const seconds = typeof value === "string" ? Number.NaN : anInteger(value, `${path}["int"]`);
  if (!(seconds >= 1)) throw badRequest(`Invalid ${path}`);
  return Math.min(seconds, 7 * 24 * 3600);
};

/** The caller, and the capabilities of the client. */
interface Client extends HandlerCall {
  capabilities: ReadonlySet<string>;
  subscribers: boolean;
  clientGravatar: boolean;
}

/** Levels 442 and 468 have other names for three of them. The level between them is not known. */
const fieldTypes = (level: number) => ({
  DATE: { id: 4, name: "Date" },
  EXTERNAL_ACCOUNT: { id: 7, name: "External account" },
  URL: { id: 5, name: "Link" },
  SELECT: { id: 3, name: level > 442 ? "Dropdown" : "List of options" },
  PRONOUNS: { id: 8, name: "Pronouns" },
  LONG_TEXT: { id: 2, name: level > 442 ? "Paragraph" : "Text (long)" },
  SHORT_TEXT: { id: 1, name: level > 442 ? "Short text" : "Text (short)" },
  USER: { id: 6, name: "Users" },
});

const visibleChannels = ({ state, caller }: Client, archivedToo: boolean): StoredChannel[] =>
  [...state.channels.values()].filter(
    (channel) => (archivedToo || !channel.is_archived) && hasMetadataAccess(state, caller, channel),
  );

function peopleMembers(client: Client): object {
  const { state, caller, site } = client;
  const options = { clientGravatar: client.clientGravatar, profile: true };
  const people = [...state.users.values()];
  const isVisible = (user: StoredUser) => canSeePerson(state, caller, user);
  // Undefined members are not sent.
  const list = (active: boolean) =>
    people
      .filter((user) => user.is_active === active && isVisible(user))
      .map((user) => ({ ...userRecord(client, user, options), is_active: undefined }));
  const unknown = client.capabilities.has("user_list_incomplete") ? [] : people.filter((user) => !isVisible(user));
  return {
    cross_realm_bots: systemBots.map((bot) => ({
      ...bot,
      avatar_version: 1,
      is_admin: false,
      is_owner: false,
      is_guest: false,
      role: roles.member,
      is_bot: true,
      timezone: "",
      is_active: true,
      date_joined: isoMinutes(state.organization.date_created),
      delivery_email: bot.email,
      avatar_url: systemBotPicture(site, bot.email),
      bot_type: botKinds.generic,
      is_system_bot: true,
      bot_owner_id: null,
      ...since(client.level, 433, { is_imported_stub: false }),
    })),
    avatar_source: avatarSource(caller),
    avatar_url_medium: mediumAvatarUrl(caller),
    avatar_url: avatarUrl(caller, false),
    ...callerRights(client),
    is_admin: isAdministrator(caller),
    is_owner: isOwner(caller),
    is_moderator: client.level > 371 ? caller.role <= roles.moderator : caller.role === roles.moderator,
    is_guest: isGuest(caller),
    user_id: caller.user_id,
    email: visibleEmail(state, caller),
    delivery_email: caller.delivery_email,
    full_name: caller.full_name,
    realm_users: [...list(true), ...unknown.map((user) => ({ ...unknownUser(client, user), is_active: undefined }))],
    realm_non_active_users: list(false),
  };
}

/** The caller's channels, those they left, and the others they may see. */
function subscriptionMembers(client: Client): object {
  const { capabilities, subscribers } = client;
  const { user_id: id } = client.caller;
  const all = visibleChannels(client, capabilities.has("archived_channels"));
  const others = all.filter((channel) => !channel.subscribers.has(id));
  const options = { subscribers, nulls: capabilities.has("notification_settings_null") };
  const ownRecord = (channel: StoredChannel) => subscriptionRecord(client, channel, options);
  return {
    subscriptions: all.filter((channel) => channel.subscribers.has(id)).map(ownRecord),
    unsubscribed: others.filter((channel) => channel.unsubscribed.has(id)).map(ownRecord),
    never_subscribed: others
      .filter((channel) => !channel.unsubscribed.has(id))
      .map((channel) => channelWithSubscribers(client, channel, subscribers)),
  };
}

/** The members for each fetch type. */
const parts: { readonly [type: string]: (client: Client) => object } = {
  drafts: ({ state, caller }) => ({
    drafts: ownedBy(state.drafts, caller).reverse().slice(0, 1000).map(draftRecord),
  }),
  message: ({ state, caller }) => ({ max_message_id: newestMessageId(state, caller) }),
  realm: realmPart,
  realm_user_settings_defaults: ({ state, level }) => ({
    realm_user_settings_defaults: settingsAt(level, state.organization.defaults),
  }),
  ...collectionParts,
  custom_profile_fields: (client) => ({
    custom_profile_fields: collectionRecords(client, "profile_field"),
    custom_profile_field_types: fieldTypes(client.level),
  }),
  realm_emoji: ({ state }) => ({ realm_emoji: emojiRecords(state) }),
  // Clients without the capability get no linkifiers.
  realm_linkifiers: (client) => ({
    realm_linkifiers: client.capabilities.has("linkifier_url_template") ? collectionRecords(client, "linkifier") : [],
  }),
  realm_user: peopleMembers,
  realm_bot: (client) => ({ realm_bots: botRecords(client) }),
  realm_user_groups: (client) => ({
    realm_user_groups: [...client.state.groups.values()]
      .filter(({ deactivated }) => !deactivated || client.capabilities.has("include_deactivated_groups"))
      .map((group) => groupRecord(client, group)),
  }),
  subscription: subscriptionMembers,
  // At level 371 archived channels are never included.
  stream: (client) => ({
    streams: visibleChannels(client, client.level > 371 && client.capabilities.has("archived_channels")).map(
      (channel) => channelRecord(client, channel),
    ),
  }),
  channel_folders: (client) =>
    since(client.level, channelFieldRows.folder_id.since, {
      channel_folders: [...client.state.folders.values()].map((folder) => folderRecord(client, folder)),
    }),
  default_streams: ({ state, caller }) => ({
    realm_default_streams: isGuest(caller) ? [] : defaultChannels(state),
  }),
  ...personalParts,
};

export const registerRoutes = [
  onAnonymous(getServerSettings, { silent: true }, (context) => {
    const { organization, channels } = context.state;
    const { password_login } = organization;
    const { name, description } = organization.settings;
    return {
      authentication_methods: {
        ...{ password: password_login, email: password_login, ...otherMethods },
        ...since(context.level, 488, { discord: false }),
      },
      ...versionMembers(context),
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: password_login,
      require_email_format_usernames: true,
      realm_url: context.site,
      realm_uri: context.site,
      realm_name: name,
      // The address is relative to the site.
      realm_icon: defaultIcon,
      realm_description: renderMarkdown(context.state, description || "The coolest place in the universe."),
      realm_web_public_access_enabled:
        allowsWebPublic(organization) && [...channels.values()].some((each) => each.is_web_public && !each.is_archived),
      external_authentication_methods: [],
    };
  }),

  on(
    register,
    {
      decode: {
        client_gravatar: fromJson((value, path) => (value === null ? undefined : aBoolean(value, path))),
        client_capabilities: fromJson(capabilities),
        include_subscribers: includeSubscribers,
        narrow: fromJson(aList(aList(aString))),
        idle_queue_timeout: fromJson(aTimeout),
      },
    },
    (call, args) => {
      const { event_types, fetch_event_types = event_types } = args;
      if (args.all_public_streams && isGuest(call.caller)) throw badRequest("User not authorized for this query");
      // Values that are not pairs are unpacked without a check.
      if (args.narrow?.some((term) => term.length !== 2)) throw new InternalError();
      const unsupported = args.narrow?.find(([operator = ""]) => !queueOperators.includes(operator));
      if (unsupported) throw badRequest(`Operator ${unsupported[0]} not supported.`);
      const client: Client = {
        ...call,
        capabilities: args.client_capabilities ?? new Set(),
        subscribers: args.include_subscribers ?? false,
        clientGravatar: args.client_gravatar ?? true,
      };
      const queue = openQueue(call, event_types, {
        capabilities: client.capabilities,
        rendered: args.apply_markdown ?? false,
        narrow: args.narrow ?? [],
        allPublic: args.all_public_streams ?? false,
        idle_seconds: args.idle_queue_timeout ?? 10 * 60,
      });
      const requestedParts = Object.entries(parts).filter(
        ([type]) => !fetch_event_types || fetch_event_types.includes(type),
      );
      return Object.assign(
        { queue_id: queue.id, ...since(call.level, 481, { idle_queue_timeout_secs: queue.idle_seconds }) },
        versionMembers(call),
        ...requestedParts.map(([, part]) => part(client)),
        {
          last_event_id: -1,
        },
      );
    },
  ),

  on(
    getEvents,
    {
      bucket: "events",
      // The part of the server that keeps the queues has a shorter refusal.
      missingError: (name) => new ApiError(400, "BAD_REQUEST", `Missing '${name}' argument`),
    },
    (call, { queue_id, last_event_id = -1, dont_block = false }) => {
      const queue = queueOfCaller(call, queue_id);
      if (last_event_id < queue.pruned)
        throw badRequest(`An event newer than ${last_event_id} has already been pruned!`);
      if (last_event_id >= queue.next) throw badRequest(`Event ${last_event_id} was not in this queue`);
      queue.pruned = last_event_id;
      queue.events = queue.events.filter(({ id }) => id > last_event_id);
      // A waiting client gets a heartbeat at this time.
      if (!queue.events.length && !dont_block) queue.events.push({ type: "heartbeat", id: queue.next++ });
      return { events: queue.events };
    },
  ),

  on(deleteQueue, {}, (call, { queue_id }) => {
    call.state.queues.delete(queueOfCaller(call, queue_id).id);
  }),
];
