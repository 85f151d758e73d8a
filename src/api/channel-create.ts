/** Making and putting away channels, and what is said of one that is made. */
import { operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { boolean, either, integer, list, string, word } from "../wire/types.ts";
import {
  type ChannelPermission,
  channelPermissionRules,
  channelPermissions,
  topicsPolicies,
} from "./channel-settings.ts";
import { type GroupSetting, groupSetting } from "./group-setting.ts";

const yesNo = (doc: string, since?: number) => maybe(json(boolean, { doc, since }));
/** Before level 320 the only form was the id of a group. */
const groupAlone = (value: GroupSetting) => (typeof value === "number" ? value : undefined);

const bare = (name: ChannelPermission) => {
  const { since, may } = channelPermissionRules[name];
  return maybe(
    json(groupSetting, {
      of: "who",
      doc: `Who may ${may}.`,
      since,
      ...(name === "can_remove_subscribers_group" && {
        earlier: [
          { below: 197, name: "can_remove_subscribers_group_id", convert: groupAlone, type: integer },
          { below: 320, convert: groupAlone, type: integer },
        ],
      }),
    }),
  );
};

/** Settings of a channel that is made; its permissions are bare values. */
export const creation = {
  invite_only: yesNo("Private."),
  is_web_public: yesNo("Readable without an account.", 98),
  is_default_stream: yesNo("New people are subscribed to it.", 200),
  history_public_to_subscribers: yesNo("New subscribers see older messages."),
  message_retention_days: maybe(
    json(either(integer, string), {
      doc: "Days after which messages are deleted.",
      since: 17,
      earlier: [{ below: 91, convert: (days) => (days === "unlimited" ? "forever" : days) }],
    }),
  ),
  folder_id: maybe(json(integer, { doc: "The folder's id.", of: "folder", since: 389 })),
  topics_policy: maybe(
    json(word(...topicsPolicies), {
      doc: "Whether topics may be empty or named.",
      since: 392,
      valueSince: (policy) => (policy === "empty_topic_only" ? 404 : undefined),
    }),
  ),
  ...(Object.fromEntries(channelPermissions.map((name) => [name, bare(name)])) as Record<
    ChannelPermission,
    ReturnType<typeof bare>
  >),
};

/** https://zulip.com/api/create-channel */
export const createChannel = operation({
  name: "channel.create",
  method: "POST",
  path: "/channels/create",
  doc: "Create a channel.",
  who: { role: "member", owners: "set how long messages are kept" },
  since: 417,
  params: {
    name: text({ doc: "The name." }),
    subscribers: json(list(integer), { doc: "Ids of those subscribed; may be empty.", of: "user" }),
    description: maybe(text({ doc: "Markdown." })),
    announce: yesNo("Announce it."),
    ...creation,
  },
  result: { id: integer },
});

/** https://zulip.com/api/archive-stream */
export const archiveChannel = operation({
  name: "channel.archive",
  method: "DELETE",
  path: "/streams/{stream_id}",
  doc: "Archive a channel.",
  params: { stream_id: json(integer, { doc: "The channel's id.", of: "channel" }) },
  result: {},
  target: ({ stream_id }) => `channel ${stream_id}`,
});

/** https://zulip.com/api/get-stream-email-address */
export const getChannelEmail = operation({
  name: "channel.email",
  method: "GET",
  path: "/streams/{stream_id}/email_address",
  doc: "The e-mail address that posts to a channel.",
  since: 226,
  params: {
    stream_id: json(integer, { doc: "The channel's id.", of: "channel" }),
    sender_id: maybe(json(integer, { doc: "Whose posts they are to be.", of: "user", since: 335 })),
  },
  result: { email: string },
});

const streamId = json(integer, { doc: "The channel's id.", of: "channel" });

/** Adding twice succeeds. */
export const addDefaultChannel = operation({
  name: "channel.default.add",
  method: "POST",
  path: "/default_streams",
  doc: "Subscribe new people to a channel.",
  who: { role: "administrator" },
  params: { stream_id: streamId },
  result: {},
  target: ({ stream_id }) => `channel ${stream_id}`,
});

/** Removing twice succeeds. */
export const removeDefaultChannel = operation({
  name: "channel.default.rm",
  method: "DELETE",
  path: "/default_streams",
  doc: "No longer subscribe new people to a channel.",
  who: { role: "administrator" },
  params: { stream_id: streamId },
  result: {},
  target: ({ stream_id }) => `channel ${stream_id}`,
});
