import { channelPermissions } from "../../api/channel-settings.ts";
import type { GroupSetting } from "../../api/group-setting.ts";
import { foldChannelName } from "../../folding.ts";
import { channels as section } from "../sections/channels.ts";
import { type Channel, channelsOf, defaultChannelsOf } from "../snapshot.ts";
import { by, type Entry, type ExportContext, entryOf, pin, type Telling, type Told } from "./entry.ts";

const retention = ({ message_retention_days: days }: Channel): unknown =>
  days === null ? "realm_default" : days === -1 ? "unlimited" : days;

/** Levels from 142 to 196 tell the one permission that there was by another name. */
export const settingOf = (channel: Channel, name: string): GroupSetting | undefined =>
  ((channel as Entry)[name] ??
    (name === "can_remove_subscribers_group" ? (channel as Entry).can_remove_subscribers_group_id : undefined)) as
    | GroupSetting
    | undefined;

export function channelsTold({ snapshot, naming }: Telling): Told<Channel> {
  const defaults = new Set(defaultChannelsOf(snapshot));
  const permissions = channelPermissions.map((name) => [
    name,
    (channel: Channel) => {
      const value = settingOf(channel, name);
      return value === undefined ? undefined : naming.who(value);
    },
  ]);
  return {
    records: channelsOf(snapshot),
    id: ({ stream_id }) => stream_id,
    away: ({ is_archived }) => is_archived === true,
    attributes: {
      ...Object.fromEntries(permissions),
      is_private: ({ invite_only }: Channel) => invite_only,
      is_default_stream: ({ stream_id }: Channel) => defaults.has(stream_id),
      message_retention_days: retention,
      folder: ({ folder_id }: Channel) => (typeof folder_id === "number" ? naming.folder(folder_id) : folder_id),
      archived: () => undefined,
      subscribers: ({ subscribers }: Channel) => subscribers && naming.people(subscribers),
    },
  };
}

export function channelEntries(context: ExportContext): Entry[] {
  const { naming, subscribers } = context;
  const { records, id, away, attributes } = channelsTold(context);
  const all = [...records].sort(by(({ name }) => name));
  /** A list of those would throw out in a week who has joined by then. */
  const open = (channel: Channel): boolean => {
    const joining = settingOf(channel, "can_subscribe_group");
    return !channel.invite_only || (joining !== undefined && !isEmpty(naming.who(joining)));
  };
  const listed = (channel: Channel) => subscribers === "all" || (subscribers === "closed" && !open(channel));
  const telling = {
    ...attributes,
    ...pin(all, ({ name }) => foldChannelName(name), id),
    subscribers: (channel: Channel) => (listed(channel) ? attributes.subscribers!(channel) : undefined),
  };
  return all.map((channel) => {
    if (!away(channel)) return entryOf(section, channel, telling);
    const { name, id, description } = entryOf(section, channel, telling);
    return { name, ...(id !== undefined && { id }), description, archived: true };
  });
}

const isEmpty = (who: unknown): boolean => {
  if (who === "nobody") return true;
  const { users, groups } = who as { users?: unknown[]; groups?: unknown[] };
  return users?.length === 0 && groups?.length === 0;
};
