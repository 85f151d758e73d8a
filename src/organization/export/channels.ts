import { channelPermissions } from "../../api/channel-settings.ts";
import type { GroupSetting } from "../../api/group-setting.ts";
import { channels as section } from "../sections/channels.ts";
import { type Channel, channelsOf } from "../snapshot.ts";
import { by, type Entry, type ExportContext, entryOf, pin } from "./entry.ts";

const retention = ({ message_retention_days: days }: Channel): unknown =>
  days === null ? "realm_default" : days === -1 ? "unlimited" : days;

/** Levels from 142 to 196 tell the one permission that there was by another name. */
const settingOf = (channel: Channel, name: string): GroupSetting | undefined =>
  ((channel as Entry)[name] ??
    (name === "can_remove_subscribers_group" ? (channel as Entry).can_remove_subscribers_group_id : undefined)) as
    | GroupSetting
    | undefined;

export function channelEntries({ snapshot, naming, subscribers }: ExportContext): Entry[] {
  const all = channelsOf(snapshot).sort(by(({ name }) => name));
  const defaults = new Set(
    snapshot.organization.realm_default_streams.map((each) => (typeof each === "number" ? each : each.stream_id)),
  );
  const permissions = channelPermissions.map((name) => [
    name,
    (channel: Channel) => {
      const value = settingOf(channel, name);
      return value === undefined ? undefined : naming.who(value);
    },
  ]);
  /** A list of those would throw out in a week who has joined by then. */
  const open = (channel: Channel): boolean => {
    const joining = settingOf(channel, "can_subscribe_group");
    return !channel.invite_only || (joining !== undefined && !isEmpty(naming.who(joining)));
  };
  const telling = {
    ...pin(
      all,
      ({ name }) => name.toLowerCase(),
      ({ stream_id }) => stream_id,
    ),
    ...Object.fromEntries(permissions),
    is_private: ({ invite_only }: Channel) => invite_only,
    is_default_stream: ({ stream_id }: Channel) => defaults.has(stream_id),
    message_retention_days: retention,
    folder: ({ folder_id }: Channel) => (typeof folder_id === "number" ? naming.folder(folder_id) : folder_id),
    archived: () => undefined,
    subscribers: (channel: Channel) =>
      channel.subscribers && (subscribers === "all" || (subscribers === "closed" && !open(channel)))
        ? naming.people(channel.subscribers)
        : undefined,
  };
  return all.map((channel) => {
    if (!channel.is_archived) return entryOf(section, channel, telling);
    const { name, id, description } = entryOf(section, channel, telling);
    return { name, ...(id !== undefined && { id }), description, archived: true };
  });
}

const isEmpty = (who: unknown): boolean => {
  if (who === "nobody") return true;
  const { users, groups } = who as { users?: unknown[]; groups?: unknown[] };
  return users?.length === 0 && groups?.length === 0;
};
