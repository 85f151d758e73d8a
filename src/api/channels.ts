import { strip } from "../folding.ts";
import { type ArgsOf, operation } from "../wire/operation.ts";
import { json, maybe, type Param, text, words } from "../wire/params.ts";
import { boolean, either, integer, list, nullable, object, optional, string, type Value, word } from "../wire/types.ts";
import {
  type ChannelPermission,
  channelPermissionRules,
  channelPermissions,
  topicsPolicies,
} from "./channel-settings.ts";
import { type GroupSettingUpdate, groupSetting, groupSettingUpdate } from "./group-setting.ts";

/** Before level 320 the only form was the bare id of a group. */
const bare = (update: GroupSettingUpdate) =>
  typeof update.new === "number" && update.old === undefined ? update.new : undefined;

const permission = (
  name: ChannelPermission,
  more: Partial<Param<GroupSettingUpdate>> = {},
): Param<GroupSettingUpdate, true> => {
  const { since, may } = channelPermissionRules[name];
  return maybe(
    json(groupSettingUpdate, {
      doc: `Who may ${may}.`,
      since,
      of: "who",
      ...more,
    }),
  );
};

const channelId = json(integer, { doc: "The channel's id.", of: "channel" });

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

const value = () => optional(groupSetting);

/** One channel with what a list is not checked for. */
export const channelRecord = object({
  ...channel.entries,
  creator_id: optional(nullable(integer)),
  date_created: optional(integer),
  history_public_to_subscribers: optional(boolean),
  message_retention_days: optional(nullable(integer)),
  topics_policy: optional(string),
  ...(Object.fromEntries(channelPermissions.map((name) => [name, value()])) as Record<
    ChannelPermission,
    ReturnType<typeof value>
  >),
});
export type ChannelRecord = Value<typeof channelRecord>;

const filter = (doc: string, since?: number) => maybe(json(boolean, { doc, since }));

/** https://zulip.com/api/get-streams */
export const getChannels = operation({
  name: "channel.list",
  method: "GET",
  path: "/streams",
  doc: "Channels whose settings the account may see.",
  params: {
    include_public: filter("Public channels (default true)."),
    include_web_public: filter("Web-public channels."),
    include_subscribed: filter("Channels the account is subscribed to (default true)."),
    exclude_archived: filter("Leave archived channels out (default true).", 315),
    include_all: filter("Every channel whose metadata the account may see.", 356),
    include_all_active: maybe(json(boolean, { doc: "What `include_all` was called before level 356.", since: 0 })),
    include_default: filter("Say which are default channels."),
    include_owner_subscribed: filter("For bots: channels the owner is subscribed to."),
    include_can_access_content: filter("Channels whose messages the account may read.", 356),
  },
  result: { streams: list(channel) },
});

/** What to ask for every channel whose settings the account may see. */
export const everyChannel = { include_all: true, exclude_archived: false } satisfies ArgsOf<typeof getChannels>;

/** A channel's settings as `channel.update` would set them. */
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
    message_retention_days: days === null ? "realm_default" : days === -1 ? "unlimited" : days,
  }),
});

/** https://zulip.com/api/update-stream */
export const updateChannel = operation({
  name: "channel.update",
  method: "PATCH",
  path: "/streams/{stream_id}",
  doc: "Change a channel's name, description, privacy, policies and permissions.",
  who: { owners: "set how long messages are kept" },
  piecemeal: [
    "topics_policy",
    "is_private",
    "is_web_public",
    "history_public_to_subscribers",
    "is_default_stream",
    "message_retention_days",
    "is_archived",
    "description",
    "new_name",
    "folder_id",
    "can_add_subscribers_group",
    "can_administer_channel_group",
    "can_create_topic_group",
    "can_delete_any_message_group",
    "can_delete_own_message_group",
    "can_move_messages_out_of_channel_group",
    "can_move_messages_within_channel_group",
    "can_remove_subscribers_group",
    "can_send_message_group",
    "can_subscribe_group",
    "can_resolve_topics_group",
  ],
  params: {
    stream_id: channelId,
    description: maybe(
      text({
        doc: "Markdown; newlines become spaces.",
        earlier: [{ below: 64, travel: "json" }],
      }),
    ),
    new_name: maybe(text({ doc: "The new name.", earlier: [{ below: 64, travel: "json" }] })),
    is_private: maybe(json(boolean, { doc: "Only for those let in." })),
    is_web_public: maybe(json(boolean, { doc: "Readable without an account.", since: 98 })),
    history_public_to_subscribers: maybe(json(boolean, { doc: "New subscribers see older messages." })),
    is_default_stream: maybe(json(boolean, { doc: "New people are subscribed to it.", since: 200 })),
    message_retention_days: maybe(
      json(either(integer, word("realm_default", "unlimited")), {
        doc: "Days after which messages are deleted.",
        since: 17,
        earlier: [{ below: 91, convert: (days) => (days === "unlimited" ? "forever" : days) }],
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
      words(word(...topicsPolicies), {
        doc: "Whether topics may be empty or named.",
        since: 392,
        valueSince: (policy) => (policy === "empty_topic_only" ? 404 : undefined),
      }),
    ),
    can_add_subscribers_group: permission("can_add_subscribers_group"),
    can_remove_subscribers_group: permission("can_remove_subscribers_group", {
      earlier: [
        { below: 197, name: "can_remove_subscribers_group_id", convert: bare, type: integer },
        { below: 320, convert: bare, type: integer },
      ],
    }),
    can_administer_channel_group: permission("can_administer_channel_group"),
    can_delete_any_message_group: permission("can_delete_any_message_group"),
    can_delete_own_message_group: permission("can_delete_own_message_group"),
    can_move_messages_out_of_channel_group: permission("can_move_messages_out_of_channel_group"),
    can_move_messages_within_channel_group: permission("can_move_messages_within_channel_group"),
    can_send_message_group: permission("can_send_message_group"),
    can_subscribe_group: permission("can_subscribe_group"),
    can_resolve_topics_group: permission("can_resolve_topics_group"),
    can_create_topic_group: permission("can_create_topic_group"),
    default_push_notifications: maybe(json(boolean, { doc: "Push notifications by default.", since: 507 })),
  },
  result: {},
  target: ({ stream_id }) => `channel ${stream_id}`,
  renames: "new_name",
  before: {
    read: getChannels,
    asks: ({ is_default_stream }) => ({
      ...everyChannel,
      ...(is_default_stream !== undefined && { include_default: true }),
    }),
    among: { list: "streams", id: "stream_id", which: ({ stream_id }) => stream_id },
    values: settingsOf,
    kept: ({ description, new_name }) => ({
      description: description?.replaceAll("\n", " "),
      new_name: new_name === undefined ? undefined : strip(new_name),
    }),
  },
});

/** https://zulip.com/api/get-stream-by-id */
export const getChannel = operation({
  name: "channel.get",
  method: "GET",
  path: "/streams/{stream_id}",
  doc: "One channel.",
  since: 132,
  params: { stream_id: channelId },
  result: { stream: channelRecord },
});

/** https://zulip.com/api/get-stream-id */
export const getChannelId = operation({
  name: "channel.id",
  method: "GET",
  path: "/get_stream_id",
  doc: "A channel's id by its name.",
  params: { stream: text({ doc: "The name." }) },
  result: { stream_id: integer },
});
