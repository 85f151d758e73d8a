import { strip } from "../common/folding.ts";
import {
  appliedChannelPermissions,
  type ChannelPermission,
  channelPermissionRules,
  channelPermissions,
  retentionInWords,
  retentionWords,
  topicsPolicies,
  topicsPolicySince,
} from "../model/channel.ts";
import { noLimit } from "../model/setting.ts";
import { type ArgsOf, type ImpliedValue, operation } from "../wire/operation.ts";
import { json, maybe, text, textOf } from "../wire/params.ts";
import { boolean, either, integer, list, nullable, object, optional, string, type Value, word } from "../wire/types.ts";
import {
  type GroupSettingUpdate,
  groupSetting,
  groupSettingUpdate,
  otherPermission,
  permissionParams,
} from "./group-setting.ts";

/** Before level 320 the only form was the bare id of a group. */
const groupIdAlone = (update: GroupSettingUpdate) =>
  typeof update.new === "number" && update.old === undefined ? update.new : undefined;

const permissions = permissionParams(channelPermissionRules, groupSettingUpdate);

const channelId = json(integer, { of: "channel" });

export const channel = object({
  stream_id: integer,
  name: string,
  description: optional(string),
  invite_only: optional(boolean),
  is_web_public: optional(boolean),
  is_archived: optional(boolean),
  folder_id: optional(nullable(integer)),
  is_default: optional(boolean),
  is_recently_active: optional(boolean),
  subscriber_count: optional(integer),
});
export type Channel = Value<typeof channel>;

const optionalSetting = optional(groupSetting);

/** A channel with members that a list does not check. */
export const channelRecord = object({
  ...channel.entries,
  creator_id: optional(nullable(integer)),
  date_created: optional(integer),
  history_public_to_subscribers: optional(boolean),
  message_retention_days: optional(nullable(integer)),
  topics_policy: optional(string),
  default_push_notifications: optional(boolean),
  ...(Object.fromEntries(channelPermissions.map((name) => [name, optionalSetting])) as Record<
    ChannelPermission,
    typeof optionalSetting
  >),
});
export type ChannelRecord = Value<typeof channelRecord>;

/** https://zulip.com/api/get-streams */
export const getChannels = operation("channel.list", "GET /streams", {
  params: {
    include_public: maybe(json(boolean)),
    include_web_public: maybe(json(boolean)),
    include_subscribed: maybe(json(boolean)),
    exclude_archived: maybe(json(boolean)),
    include_all: maybe(json(boolean)),
    /** The older name of `include_all`, which servers still know. */
    include_all_active: maybe(json(boolean)),
    include_default: maybe(json(boolean)),
    include_owner_subscribed: maybe(json(boolean)),
    include_can_access_content: maybe(json(boolean)),
  },
  result: { streams: list(channel) },
});

/** Arguments that return every channel whose settings the account can see. */
export const allChannelsArgs = { include_all: true, exclude_archived: false } satisfies ArgsOf<typeof getChannels>;

/** Returns the settings of a channel as parameters of `channel.update`. */
const settingsOf = ({
  name,
  invite_only,
  is_default,
  message_retention_days: days,
  ...rest
}: Record<string, unknown>) => ({
  ...rest,
  new_name: name,
  is_private: invite_only,
  is_default_stream: is_default,
  ...(days !== undefined && {
    message_retention_days: retentionInWords(days),
  }),
});

const history = (value: boolean, avoidable: boolean): ImpliedValue[] => [
  { name: "history_public_to_subscribers", value, avoidable },
];

/** Servers hide the history of a channel that becomes private, and show that of every public one. */
const impliedHistory = (isPrivate: boolean | undefined, isShared: boolean | undefined): ImpliedValue[] =>
  isPrivate === undefined || isShared !== undefined ? [] : history(!isPrivate, isPrivate);

/** A new public channel shows its history even if the request says otherwise. */
export const impliedByCreation = ({
  invite_only = false,
  history_public_to_subscribers: isShared,
}: {
  invite_only?: boolean | undefined;
  history_public_to_subscribers?: boolean | undefined;
}): ImpliedValue[] => {
  if (!invite_only) return isShared === false ? history(true, false) : [];
  return impliedHistory(true, isShared);
};

/** https://zulip.com/api/update-stream */
export const updateChannel = operation("channel.update", "PATCH /streams/{stream_id}", {
  who: { owners: "set how long messages are kept" },
  others: otherPermission,
  applyOrder: [
    "topics_policy",
    "is_private",
    "is_web_public",
    "history_public_to_subscribers",
    "is_default_stream",
    "default_push_notifications",
    "message_retention_days",
    "is_archived",
    "description",
    "new_name",
    "folder_id",
    ...appliedChannelPermissions,
  ],
  params: {
    stream_id: channelId,
    description: maybe(
      text({
        doc: "Markdown; newlines become spaces.",
        older: [{ below: 64, encoding: "json" }],
      }),
    ),
    new_name: maybe(text({ doc: "The new name.", older: [{ below: 64, encoding: "json" }] })),
    is_private: maybe(json(boolean, { doc: "Only for those let in." })),
    is_web_public: maybe(json(boolean, { doc: "Readable without an account.", since: 98 })),
    history_public_to_subscribers: maybe(json(boolean, { doc: "New subscribers see older messages." })),
    is_default_stream: maybe(json(boolean, { doc: "New people are subscribed to it.", since: 200 })),
    message_retention_days: maybe(
      json(either(integer, word(...retentionWords)), {
        doc: "Days after which messages are deleted.",
        since: 17,
        older: [{ below: 91, convert: (days) => (days === noLimit ? "forever" : days) }],
      }),
    ),
    is_archived: maybe(
      json(boolean, {
        doc: "False takes the channel out of the archive; true does nothing.",
        since: 388,
      }),
    ),
    folder_id: maybe(json(nullable(integer), { doc: "The folder's id; null for none.", of: "folder", since: 389 })),
    topics_policy: maybe(
      textOf(word(...topicsPolicies), {
        doc: "Whether topics may be empty or named.",
        since: 392,
        valueSince: topicsPolicySince,
      }),
    ),
    ...permissions,
    can_remove_subscribers_group: {
      ...permissions.can_remove_subscribers_group,
      older: [
        { below: 197, name: "can_remove_subscribers_group_id", convert: groupIdAlone, type: integer },
        { below: 320, convert: groupIdAlone, type: integer },
      ],
    },
    default_push_notifications: maybe(json(boolean, { doc: "New subscribers get push notifications.", since: 507 })),
  },
  renames: "new_name",
  implies: ({ is_private, history_public_to_subscribers }) => impliedHistory(is_private, history_public_to_subscribers),
  before: {
    read: getChannels,
    argsOf: ({ is_default_stream }) => ({
      ...allChannelsArgs,
      ...(is_default_stream !== undefined && { include_default: true }),
    }),
    inList: { list: "streams", id: "stream_id", idOf: ({ stream_id }) => stream_id },
    values: settingsOf,
    stored: ({ description, new_name }) => ({
      description: description?.replaceAll("\n", " "),
      new_name: new_name === undefined ? undefined : strip(new_name),
    }),
  },
});

/** https://zulip.com/api/get-stream-by-id */
export const getChannel = operation("channel.get", "GET /streams/{stream_id}", {
  params: { stream_id: channelId },
  result: { stream: channelRecord },
});

/** https://zulip.com/api/get-stream-id */
export const getChannelId = operation("channel.id", "GET /get_stream_id", {
  params: { stream: text() },
  result: { stream_id: integer },
});

/** Settings of a new channel. Permissions are plain values. */
export const channelParams = {
  invite_only: maybe(json(boolean)),
  is_web_public: maybe(json(boolean)),
  is_default_stream: maybe(json(boolean)),
  history_public_to_subscribers: maybe(json(boolean)),
  message_retention_days: maybe(json(either(integer, string))),
  folder_id: maybe(json(integer, { of: "folder", since: 389 })),
  topics_policy: maybe(json(word(...topicsPolicies), { since: 392, valueSince: topicsPolicySince })),
  default_push_notifications: maybe(json(boolean, { since: 507 })),
  ...permissionParams(channelPermissionRules, groupSetting),
};

/** https://zulip.com/api/create-channel */
export const createChannel = operation("channel.create", "POST /channels/create", {
  who: { role: "member", owners: "set how long messages are kept" },
  since: 417,
  params: {
    name: text(),
    subscribers: json(list(integer), { of: "user" }),
    description: maybe(text()),
    announce: maybe(json(boolean)),
    ...channelParams,
  },
  implies: impliedByCreation,
  result: { id: integer },
});

/** https://zulip.com/api/archive-stream */
export const archiveChannel = operation("channel.archive", "DELETE /streams/{stream_id}", {
  params: { stream_id: channelId },
  before: {
    read: getChannels,
    argsOf: () => allChannelsArgs,
    inList: { list: "streams", id: "stream_id", idOf: ({ stream_id }) => stream_id },
    values: ({ is_archived }) => ({ is_archived }),
  },
  // Archiving takes it out of the channels of new people.
  previous: {
    read: getChannels,
    argsOf: () => ({ ...allChannelsArgs, include_default: true }),
    inList: { list: "streams", id: "stream_id", idOf: ({ stream_id }) => stream_id },
    values: ({ is_archived, is_default }) => ({ is_archived, is_default_stream: is_default }),
  },
  sets: { is_archived: true },
});

/** https://zulip.com/api/get-stream-email-address */
export const getChannelEmail = operation("channel.email", "GET /streams/{stream_id}/email_address", {
  params: {
    stream_id: channelId,
    sender_id: maybe(json(integer, { of: "user" })),
  },
  result: { email: string },
});

/** Adding twice succeeds. */
export const addDefaultChannel = operation("channel.default.add", "POST /default_streams", {
  who: { role: "administrator" },
  params: { stream_id: channelId },
  target: ({ stream_id }) => `channel ${stream_id}`,
});

/** Removing twice succeeds. */
export const removeDefaultChannel = operation("channel.default.rm", "DELETE /default_streams", {
  who: { role: "administrator" },
  params: { stream_id: channelId },
  target: ({ stream_id }) => `channel ${stream_id}`,
});
