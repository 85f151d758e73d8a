import { register } from "../../api/events.ts";
import { personalSettings } from "../../api/user-settings.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { Broken, refused } from "../answers.ts";
import { collections } from "../collections.ts";
import { aBoolean, aList, aString, type Check, type Decoder, fromJson, isObject, member } from "../decode.ts";
import { defaultChannels } from "../events/channels.ts";
import { groupRecord } from "../events/groups.ts";
import { openQueue } from "../events/queue.ts";
import { type Asked, bots, fieldTypes, people, streams, subscriptions, unwritable } from "../register-parts.ts";
import { realmPart } from "../register-realm.ts";
import { type Call, on, since } from "../router.ts";
import { isAdministrator, isGuest } from "../state.ts";
import { draftRecord } from "./drafts.ts";
import { exportRecord } from "./exports.ts";
import { folderRecord } from "./folders.ts";
import { versionAt } from "./server.ts";
import { subscribersWanted } from "./subscriptions.ts";
import { newestOf } from "./users.ts";

const capabilities: Check<Set<string>> = (value, path) => {
  if (!isObject(value)) throw refused(`${path} is not a dict`);
  member(value, "notification_settings_null", path, aBoolean);
  return new Set(Object.keys(value).filter((name) => value[name] === true));
};

const collectionParts = Object.values(collections).map(({ type, records }): [string, (asked: Asked) => object] => [
  type,
  (asked) => ({ [type]: records(asked) }),
]);

/** What each fetch type brings, in the server's order. */
const parts: { readonly [type: string]: (asked: Asked) => object } = {
  alert_words: () => ({ alert_words: [] }),
  channel_folders: (asked) => {
    const folders = [...asked.state.folders.values()].sort((a, b) => a.order - b.order);
    return since(asked.level, 389, { channel_folders: folders.map((folder) => folderRecord(asked, folder)) });
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
  presence: ({ now }) => ({ presences: {}, presence_last_update_id: -1, server_timestamp: now / 1000 }),
  push_device: ({ level }) => (level < 406 || level >= 468 ? {} : { push_devices: {} }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
  tenor: ({ level }) => since(level, 372, { tenor_api_key: "" }),
  ...Object.fromEntries(collectionParts),
  custom_profile_fields: (asked) => ({
    custom_profile_fields: collections.profile_fields.records(asked),
    custom_profile_field_types: fieldTypes,
  }),
  realm_export: (asked) => ({
    realm_exports: isAdministrator(asked.caller)
      ? [...asked.state.exports.values()].map((each) => exportRecord(asked, each))
      : [],
  }),
  realm_emoji: () => ({ realm_emoji: {} }),
  realm_filters: () => ({ realm_filters: [] }),
  // Clients that do not say that they know templates are told of no linkifier.
  realm_linkifiers: (asked) => ({
    realm_linkifiers: asked.capabilities.has("linkifier_url_template") ? collections.linkifiers.records(asked) : [],
  }),
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

type Args = Omit<ArgsOf<typeof register>, "client_capabilities" | "include_subscribers"> & {
  client_capabilities?: ReadonlySet<string> | undefined;
  include_subscribers?: boolean | undefined;
};

function registered(call: Call, args: Args): object {
  const { level } = call;
  const { event_types, fetch_event_types = event_types, client_gravatar } = args;
  if (args.all_public_streams && isGuest(call.caller)) throw refused("User not authorized for this query");
  // What is no pair is taken apart without a look at it.
  if (args.narrow?.some((term) => term.length !== 2)) throw new Broken();
  const asked: Asked = {
    ...call,
    capabilities: args.client_capabilities ?? new Set(),
    subscribers: args.include_subscribers ?? false,
    clientGravatar: client_gravatar ?? true,
  };
  const queue = openQueue(call, event_types, asked.capabilities, args.queue_lifespan_secs);
  const all = Object.entries(parts).filter(([type]) => !fetch_event_types || fetch_event_types.includes(type));
  return Object.assign(
    {
      queue_id: queue.id,
      zulip_version: versionAt(level),
      zulip_feature_level: level,
      zulip_merge_base: versionAt(level),
      ...since(level, 481, { idle_queue_timeout: queue.lifespan / 1000 }),
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
  include_subscribers: subscribersWanted,
  narrow: fromJson(aList(aList(aString))),
  idle_queue_timeout: fromJson((value) => value),
};

export const registerRoutes = [on(register, { decode }, registered)];
