import { updateChannel } from "../../api/channels.ts";
import { channelPermissionRules, channelPermissions, leastRetention } from "../../api/permission-settings.ts";
import { foldChannelName, strip } from "../../folding.ts";
import type { Known } from "../difference.ts";
import { choice, either, integer, nonEmpty, oneLine, people } from "../shape.ts";
import { type Channel, defaultChannelsOf, type Snapshot, settingOf } from "../snapshot.ts";
import { channelRequests as requests } from "./channel-requests.ts";
import { attributesOf, listed, newPermissions, pinned, type Things } from "./section.ts";

/** Returns whether people can join by themselves. A list of subscribers would soon be out of date. */
function isOpen({ organization }: Snapshot, channel: Channel): boolean {
  const joining = settingOf(channel, "can_subscribe_group");
  if (!channel.invite_only) return true;
  if (joining === undefined) return false;
  if (typeof joining === "number")
    return organization.realm_user_groups.some(({ id, name }) => id === joining && name !== "role:nobody");
  const { direct_members, direct_subgroups } = joining;
  return direct_members.length + direct_subgroups.length > 0;
}

export const channels: Things<Channel> = {
  doc: "Channels.",
  one: "channel",
  plural: "channels",
  key: ["name"],
  fold: foldChannelName,
  archiving: {
    member: "archived",
    archived: true,
    archive: "archive",
    restore: "unarchive",
    restoreSince: updateChannel.params.is_archived.since,
  },
  members: {
    name: { shape: nonEmpty, doc: "The name.", needed: true, stored: strip },
    ...pinned,
    ...attributesOf(updateChannel, {
      without: ["stream_id", "new_name"],
      as: { folder_id: "folder", is_archived: "archived" },
      more: {
        is_private: { record: "invite_only" },
        description: { stored: oneLine },
        folder: { doc: "The folder that it is in; null for none." },
        message_retention_days: {
          owner: true,
          shape: either(integer(leastRetention), choice("realm_default", "unlimited")),
        },
        // Archiving is a call of its own, with no required level.
        archived: { doc: "true archives the channel, false unarchives it.", since: undefined },
      },
    }),
    subscribers: { shape: people, doc: "Those who are subscribed." },
  },
  ...listed<Channel>(["subscriptions", "unsubscribed", "never_subscribed"], { id: "stream_id" }),
  fresh: (snapshot, { is_private }) => ({
    description: "",
    invite_only: false,
    is_web_public: false,
    history_public_to_subscribers: !is_private,
    is_archived: false,
    message_retention_days: null,
    ...(snapshot.feature_level >= 389 && { folder_id: null }),
    ...(snapshot.feature_level >= 392 && { topics_policy: "inherit" }),
    ...newPermissions(snapshot, channelPermissionRules, channelPermissions, {
      can_administer_channel_group: "me",
      can_remove_subscribers_group: "role:administrators",
      can_send_message_group: "role:everyone",
      can_create_topic_group: "role:everyone",
    }),
    subscribers: [],
  }),
  attributes: (snapshot) => {
    const defaults = new Set(defaultChannelsOf(snapshot));
    return {
      is_default_stream: ({ stream_id }) => defaults.has(stream_id),
      message_retention_days: ({ message_retention_days: days }) =>
        days === null ? "realm_default" : days === -1 ? "unlimited" : days,
    };
  },
  omits: ({ snapshot, subscribers }, field, channel) =>
    field === "subscribers" && (subscribers === "none" || (subscribers === "closed" && isOpen(snapshot, channel))),
  write: (field, value, ids) => {
    // Everybody can read the history of a public channel.
    if (field === "is_private") return { invite_only: value, ...(!value && { history_public_to_subscribers: true }) };
    if (field === "folder") return { folder_id: value === null ? null : ids.of("folders", value as Known) };
    if (field === "is_default_stream") return {};
    if (field !== "message_retention_days") return undefined;
    return { [field]: value === "realm_default" ? null : value === "unlimited" ? -1 : value };
  },
  requests,
};
