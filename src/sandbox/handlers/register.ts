import { register } from "../../api/events.ts";
import { personalSettings } from "../../api/user-settings.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { Broken, refused } from "../api-error.ts";
import { aBoolean, aList, aString, type Check, type Decoder, fromJson, member } from "../decode.ts";
import { defaultChannels } from "../events/channels.ts";
import { openQueue } from "../events/queue.ts";
import { isObject } from "../json.ts";
import { groupRecord } from "../records/groups.ts";
import { since } from "../records/since.ts";
import {
  draftRecord,
  emojiRecord,
  exportRecord,
  fieldRecord,
  folderRecord,
  linkifierRecord,
  playgroundRecord,
} from "../records/small.ts";
import { type Asked, bots, fieldTypes, people, streams, subscriptions, unwritable } from "../register-parts.ts";
import { realmPart } from "../register-realm.ts";
import { type Call, on } from "../router.ts";
import { isAdministrator, isGuest } from "../state.ts";
import { versionAt } from "./server.ts";
import { subscribersWanted } from "./subscriptions.ts";

const capabilities: Check<Set<string>> = (value, path) => {
  if (!isObject(value)) throw refused(`${path} is not a dict`);
  member(value, "notification_settings_null", path, aBoolean);
  return new Set(Object.keys(value).filter((name) => value[name] === true));
};

/** What each fetch type brings, the level that knew it first, in the server's order. */
const parts: { readonly [type: string]: (asked: Asked) => object } = {
  alert_words: () => ({ alert_words: [] }),
  custom_profile_fields: (asked) => ({
    custom_profile_fields: asked.state.profile_fields.map((field) => fieldRecord(asked, field)),
    custom_profile_field_types: fieldTypes,
  }),
  channel_folders: (asked) =>
    asked.level < 389
      ? {}
      : {
          channel_folders: [...asked.state.folders.values()]
            .sort((a, b) => a.order - b.order)
            .map((folder) => folderRecord(asked, folder)),
        },
  drafts: ({ state, caller }) => ({
    drafts: [...state.drafts.values()]
      .filter(({ user_id }) => user_id === caller.user_id)
      .sort((a, b) => b.timestamp - a.timestamp || b.id - a.id)
      .slice(0, 1000)
      .map(draftRecord),
  }),
  device: ({ level }) => since(level, 468, { devices: {} }),
  muted_users: () => ({ muted_users: [] }),
  message: ({ state, caller }) => {
    const own = [...state.messages.values()].filter(({ received }) => received.has(caller.user_id));
    return { max_message_id: own.at(-1)?.id ?? -1 };
  },
  realm: realmPart,
  realm_user_settings_defaults: ({ state, level }) => ({
    realm_user_settings_defaults: {
      ...Object.fromEntries(
        Object.entries(state.organization.defaults).filter(([name]) => level >= (personalSettings[name]?.since ?? 0)),
      ),
      ...unwritable(level),
    },
  }),
  presence: ({ now }) => ({ presences: {}, presence_last_update_id: -1, server_timestamp: now / 1000 }),
  push_device: ({ level }) => (level < 406 || level >= 468 ? {} : { push_devices: {} }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
  tenor: ({ level }) => (level > 371 ? { tenor_api_key: "" } : {}),
  realm_domains: ({ state }) => ({
    realm_domains: state.domains.map(({ domain, allow_subdomains }) => ({ domain, allow_subdomains })),
  }),
  realm_emoji: ({ state }) => ({
    realm_emoji: Object.fromEntries(state.emoji.map((each) => [each.id, emojiRecord(each)])),
  }),
  realm_export: (asked) => ({
    realm_exports: isAdministrator(asked.caller)
      ? [...asked.state.exports.values()].map((each) => exportRecord(asked, each))
      : [],
  }),
  realm_filters: () => ({ realm_filters: [] }),
  realm_linkifiers: (asked) => ({
    // Clients that do not say that they know templates are told of no linkifier.
    realm_linkifiers: asked.capabilities.has("linkifier_url_template")
      ? asked.state.linkifiers.map((each) => linkifierRecord(asked, each))
      : [],
  }),
  realm_playgrounds: ({ state }) => ({ realm_playgrounds: state.playgrounds.map(playgroundRecord) }),
  realm_user: people,
  realm_bot: bots,
  realm_user_groups: (asked) => ({
    realm_user_groups: [...asked.state.groups.values()]
      .filter(({ deactivated }) => !deactivated || asked.capabilities.has("include_deactivated_groups"))
      .map((group) => groupRecord(asked, group)),
  }),
  subscription: subscriptions,
  stream: streams,
  default_streams: ({ state, caller }) => ({
    realm_default_streams: isGuest(caller) ? [] : defaultChannels(state),
  }),
  default_stream_groups: () => ({ realm_default_stream_groups: [] }),
};

function registered(call: Call, args: ArgsOf<typeof register>): object {
  const { level } = call;
  const { event_types, fetch_event_types = event_types, client_gravatar } = args;
  if (args.all_public_streams && isGuest(call.caller)) throw refused("User not authorized for this query");
  // What is no pair is taken apart without a look at it.
  if (args.narrow?.some((term) => term.length !== 2)) throw new Broken();
  const asked: Asked = {
    ...call,
    capabilities: (args.client_capabilities as ReadonlySet<string> | undefined) ?? new Set(),
    subscribers: Boolean(args.include_subscribers),
    clientGravatar: client_gravatar ?? level >= 92,
  };
  const queue = openQueue(call, event_types, asked.capabilities, args.queue_lifespan_secs);
  const all = Object.entries(parts).filter(([type]) => !fetch_event_types || fetch_event_types.includes(type));
  return Object.assign(
    {
      queue_id: queue.id,
      zulip_version: versionAt(level),
      zulip_feature_level: level,
      zulip_merge_base: versionAt(level),
      ...(level < 481 ? {} : { idle_queue_timeout: queue.lifespan / 1000 }),
    },
    ...all.map(([, part]) => part(asked)),
    { last_event_id: -1 },
  );
}

const gravatar: Decoder = fromJson((value, path) => (value === null ? undefined : aBoolean(value, path)));

export const registerRoutes = [
  on(
    register,
    {
      decode: {
        client_gravatar: gravatar,
        client_capabilities: fromJson<unknown>(capabilities as Check),
        include_subscribers: subscribersWanted,
        narrow: fromJson(aList(aList(aString))),
        idle_queue_timeout: fromJson((value) => value),
      },
    },
    registered,
  ),
];
