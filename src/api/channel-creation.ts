/** The creation of channels, and how to find one that exists already. */
import { foldChannelName } from "../common/folding.ts";
import { namesOf, pick } from "../common/object-members.ts";
import {
  channelPermissionRules,
  channelPermissions,
  privateMember,
  retentionWords,
  topicsPolicies,
} from "../model/channel.ts";
import { call } from "../wire/call.ts";
import { membership } from "../wire/membership.ts";
import { type AnswerOf, operation } from "../wire/operation.ts";
import { type Args, json, maybe, text } from "../wire/params.ts";
import { boolean, either, integer, list, string, word } from "../wire/types.ts";
import {
  allChannelsArgs,
  getChannels,
  impliedByCreation,
  statedField,
  toggles,
  topicsPolicy,
  updateChannel,
} from "./channels.ts";
import { asUpdates, groupSetting, permissionParams } from "./group-setting.ts";
import { channelSubscribers } from "./subscribers.ts";

const { is_private: isPrivate, ...otherToggles } = toggles;

/** Settings of a new channel. Permissions are plain values. */
export const channelParams = {
  [privateMember]: isPrivate,
  ...otherToggles,
  message_retention_days: maybe(json(either(integer, string), statedField("message_retention_days"))),
  folder_id: maybe(json(integer, statedField("folder_id", { of: "folder" }))),
  topics_policy: maybe(json(word(...topicsPolicies), topicsPolicy)),
  ...permissionParams(channelPermissionRules, groupSetting),
};

/** A creation takes every text. */
const retentionWord = (value: string | number | undefined) =>
  typeof value === "string" ? retentionWords.find((word) => word === value) : value;

export type ChannelCreation = Partial<Args<typeof channelParams>> & { description?: string | undefined };

/** How to find a channel that has the name. `nameOf`: the name in a request that creates one. */
export const existingChannel = <A extends ChannelCreation>(nameOf: (args: A) => string) =>
  ({
    kind: "channel",
    verb: "channel update",
    read: getChannels,
    argsOf: ({ is_default_stream }: A) => ({
      ...allChannelsArgs,
      ...(is_default_stream !== undefined && { include_default: true }),
    }),
    things: ({ streams }: AnswerOf<typeof getChannels>) => streams,
    identity: ({ name }: Record<string, unknown>) => foldChannelName(String(name)),
    identityOf: (args: A) => foldChannelName(nameOf(args)),
    id: "stream_id",
    guardsMembers: ({ invite_only }: Record<string, unknown>) => invite_only === true,
  }) as const;

/** Returns the call that gives a channel the settings of a request that would create it. */
export const updateAsCreated = ({ stream_id, is_archived }: Record<string, unknown>, asked: ChannelCreation) => {
  const settings = pick(asked, namesOf(otherToggles));
  return call(updateChannel, {
    stream_id: Number(stream_id),
    ...settings,
    is_private: asked[privateMember],
    description: asked.description,
    message_retention_days: retentionWord(asked.message_retention_days),
    folder_id: asked.folder_id,
    topics_policy: asked.topics_policy,
    ...(is_archived === true && { is_archived: false }),
    ...asUpdates(pick(asked, channelPermissions)),
  });
};

/** https://zulip.com/api/create-channel */
export const createChannel = operation("channel.create", "POST /channels/create", {
  effects: ({ name = "", subscribers: members, description: _, ...values }) => [
    { does: "create", kind: "channel", name, ...(members && { members }), values },
  ],
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
  existing: {
    ...existingChannel(({ name }: { name: string } & ChannelCreation) => name),
    update: updateAsCreated,
    members: { subscribers: (id, added) => membership(channelSubscribers, id, added) },
  },
});
