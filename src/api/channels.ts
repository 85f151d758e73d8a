import { strip } from "../common/folding.ts";
import { keyed, pick } from "../common/object-members.ts";
import {
  appliedChannelPermissions,
  type ChannelField,
  channelFieldRules,
  channelFields,
  channelPermissionRules,
  channelPermissions,
  channelToggles,
  channelValueInWords,
  memberOf,
  retentionWords,
  topicsPolicies,
  topicsPolicySince,
} from "../model/channel.ts";
import { channelSettings } from "../model/organization.ts";
import { noLimit } from "../model/setting.ts";
import { ifKnown } from "../wire/impact.ts";
import { type ArgsOf, type ImpliedValue, operation } from "../wire/operation.ts";
import { json, maybe, type ParamOptions, type Params, text, textOf } from "../wire/params.ts";
import { boolean, either, integer, list, nullable, object, optional, string, type Value, word } from "../wire/types.ts";
import { register, registerPart } from "./events.ts";
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

/** Adds what is stated of a field to the options of its parameter. */
export function statedField<T>(field: ChannelField, more: ParamOptions<T> = {}): ParamOptions<T> {
  const { doc, since } = channelFieldRules[field];
  return { doc, ...(since !== undefined && { since }), ...more };
}

export const toggles = keyed(channelToggles, (field) => maybe(json(boolean, statedField<boolean>(field))));

export const topicsPolicy = statedField<(typeof topicsPolicies)[number]>("topics_policy", {
  valueSince: topicsPolicySince,
});

/** The fields as parameters of updates. */
const fields = {
  ...toggles,
  description: maybe(text(statedField("description", { older: [{ below: 64, encoding: "json" }] }))),
  new_name: maybe(text(statedField("new_name", { older: [{ below: 64, encoding: "json" }] }))),
  message_retention_days: maybe(
    json(
      either(integer, word(...retentionWords)),
      statedField("message_retention_days", {
        older: [{ below: 91, convert: (days) => (days === noLimit ? "forever" : days) }],
      }),
    ),
  ),
  is_archived: maybe(json(boolean, statedField("is_archived"))),
  folder_id: maybe(json(nullable(integer), statedField("folder_id", { of: "folder" }))),
  topics_policy: maybe(textOf(word(...topicsPolicies), topicsPolicy)),
} satisfies Readonly<Record<ChannelField, Params[string]>>;

const channelId = json(integer, { of: "channel" });

export const channelSchema = object({
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
export type Channel = Value<typeof channelSchema>;

/** A channel with members that a list does not check. */
export const channelRecordSchema = object({
  ...channelSchema.entries,
  creator_id: optional(nullable(integer)),
  date_created: optional(integer),
  message_retention_days: optional(nullable(integer)),
  topics_policy: optional(string),
  ...keyed(channelToggles.map(memberOf), () => optional(boolean)),
  ...keyed(channelPermissions, () => optional(groupSetting)),
});
export type ChannelRecord = Value<typeof channelRecordSchema>;

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
  result: { streams: list(channelSchema) },
});

/** Arguments that return every channel whose settings the account can see. */
export const allChannelsArgs = { include_all: true, exclude_archived: false } satisfies ArgsOf<typeof getChannels>;

/** Returns the settings of a channel as parameters of `channel.update`. */
const settingsOf = (channel: Record<string, unknown>) => ({
  ...channel,
  ...Object.fromEntries(channelFields.map((field) => [field, channelValueInWords(field, channel[memberOf(field)])])),
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
  effects: ({ stream_id: id, ...values }) => [{ does: "set", kind: "channel", id, values }],
  who: { owners: "set how long messages are kept" },
  others: otherPermission,
  applyOrder: [
    "topics_policy",
    ...channelToggles,
    "message_retention_days",
    "is_archived",
    "description",
    "new_name",
    "folder_id",
    ...appliedChannelPermissions,
  ],
  params: {
    stream_id: channelId,
    ...pick(fields, channelFields),
    ...permissions,
    can_remove_subscribers_group: {
      ...permissions.can_remove_subscribers_group,
      older: [
        { below: 197, name: "can_remove_subscribers_group_id", convert: groupIdAlone, type: integer },
        { below: 320, convert: groupIdAlone, type: integer },
      ],
    },
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
  result: { stream: channelRecordSchema },
});

/** https://zulip.com/api/get-stream-id */
export const getChannelId = operation("channel.id", "GET /get_stream_id", {
  params: { stream: text() },
  result: { stream_id: integer },
});

/** https://zulip.com/api/archive-stream */
export const archiveChannel = operation("channel.archive", "DELETE /streams/{stream_id}", {
  effects: ({ stream_id }) => ifKnown(stream_id, (id) => ({ does: "remove", kind: "channel", id })),
  params: { stream_id: channelId },
  before: {
    read: getChannels,
    argsOf: () => allChannelsArgs,
    inList: { list: "streams", id: "stream_id", idOf: ({ stream_id }) => stream_id },
    values: ({ is_archived }) => ({ is_archived }),
  },
  // Archiving takes it out of the channels of new people, and out of the organization's settings.
  previous: {
    read: register,
    argsOf: () => registerPart("default_streams", "realm"),
    values: (found, { stream_id }) => {
      const dropped = channelSettings.filter((name) => found[`realm_${name}`] === stream_id);
      return {
        is_default_stream: [found.realm_default_streams].flat().includes(stream_id),
        settings: Object.fromEntries(dropped.map((name) => [name, stream_id])),
      };
    },
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
  ofArchived: "e-mail address",
});

/** Adding twice succeeds. */
export const addDefaultChannel = operation("channel.default.add", "POST /default_streams", {
  effects: { none: "only new people are subscribed" },
  who: { role: "administrator" },
  params: { stream_id: channelId },
  target: ({ stream_id }) => `channel ${stream_id}`,
});

/** Removing twice succeeds. */
export const removeDefaultChannel = operation("channel.default.rm", "DELETE /default_streams", {
  effects: { none: "only new people are not subscribed" },
  who: { role: "administrator" },
  params: { stream_id: channelId },
  target: ({ stream_id }) => `channel ${stream_id}`,
});
