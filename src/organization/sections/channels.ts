import { updateChannel } from "../../api/channels.ts";
import { channelPermissions, leastRetention } from "../../api/permission-settings.ts";
import { foldChannelName, strip } from "../../folding.ts";
import { choice, either, filled, integer, oneLine, people } from "../shape.ts";
import { type Channel, channelsOf, defaultChannelsOf, type Snapshot, settingOf } from "../snapshot.ts";
import { attributesOf } from "./attributes.ts";
import { permissionsIn, pinned, type Things } from "./section.ts";

const isPermission = new Set<string>(channelPermissions);

/** Whether people can join by themselves: a list of subscribers would throw out in a week who has joined by then. */
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
  holds: "things",
  one: "channel",
  called: "channels",
  key: ["name"],
  fold: foldChannelName,
  complete: true,
  away: {
    member: "archived",
    away: true,
    puts: "archive",
    brings: "unarchive",
    bringsSince: updateChannel.params.is_archived.since,
  },
  members: {
    name: { shape: filled, doc: "The name.", needed: true, stored: strip },
    ...pinned,
    ...attributesOf(updateChannel, {
      without: ["stream_id", "new_name"],
      as: { folder_id: "folder", is_archived: "archived" },
      more: {
        description: { stored: oneLine },
        folder: { doc: "The folder that it is in; null for none." },
        message_retention_days: {
          owner: true,
          shape: either(integer(leastRetention), choice("realm_default", "unlimited")),
        },
        // Archiving is another call, which every server knows.
        archived: { doc: "true archives the channel, false unarchives it.", since: undefined },
      },
    }),
    subscribers: { shape: people, doc: "Those who are subscribed." },
  },
  records: channelsOf,
  id: ({ stream_id }) => stream_id,
  awayIn:
    () =>
    ({ is_archived }) =>
      is_archived === true,
  attributes: (telling) => {
    const { snapshot, naming } = telling;
    const defaults = new Set(defaultChannelsOf(snapshot));
    return {
      ...permissionsIn<Channel>(channelPermissions, telling),
      is_private: ({ invite_only }) => invite_only,
      is_default_stream: ({ stream_id }) => defaults.has(stream_id),
      message_retention_days: ({ message_retention_days: days }) =>
        days === null ? "realm_default" : days === -1 ? "unlimited" : days,
      folder: ({ folder_id }) => (typeof folder_id === "number" ? naming.folder(folder_id) : folder_id),
      archived: () => undefined,
      subscribers: ({ subscribers }) => subscribers && naming.people(subscribers),
    };
  },
  exported: ({ snapshot, naming, subscribers: which }, attributes) => ({
    ...attributes,
    subscribers: (channel) => {
      const listed = which === "all" || (which === "closed" && !isOpen(snapshot, channel));
      return listed && channel.subscribers ? naming.people(channel.subscribers) : undefined;
    },
  }),
  write: (field, value, ids) => {
    if (isPermission.has(field)) return { [field]: ids.who(value) };
    if (field === "is_private") return { invite_only: value };
    if (field === "folder") return { folder_id: value === null ? null : ids.of("folders", value) };
    if (field === "is_default_stream") return {};
    if (field !== "message_retention_days") return { [field]: value };
    return { [field]: value === "realm_default" ? null : value === "unlimited" ? -1 : value };
  },
};
