/** What an administrator cannot do to a private channel whose messages they may not read. */
import { channelPermissionRules } from "../../api/permission-settings.ts";
import { foldChannelName } from "../../folding.ts";
import type { Difference, FieldChange, Known } from "../difference.ts";

import { type Reach, reachOf } from "../group-members.ts";
import { type Channel, channelsOf, type Snapshot, settingOf } from "../snapshot.ts";
import type { Comparing } from "./comparing.ts";
import type { Refusal } from "./findings.ts";
import type { Pair } from "./pairing.ts";

/** Whether the account itself may read what is written there. */
export function mayRead(
  { organization: { user_id }, feature_level }: Snapshot,
  reach: Reach,
  channel: Channel,
): boolean {
  if (!channel.invite_only || (channel.subscribers ?? [user_id]).includes(user_id)) return true;
  if (feature_level < 354) return false;
  return ["can_add_subscribers_group", "can_subscribe_group"].some((name) => {
    const setting = settingOf(channel, name);
    return setting !== undefined && reach.people(setting).has(user_id);
  });
}

const needing = new Set(["is_private", "can_add_subscribers_group", "can_subscribe_group"]);

const more = ({ from, to }: FieldChange): boolean => {
  const there = new Set(from as readonly number[] | null);
  return (to as readonly number[]).some((id) => !there.has(id));
};

/** By the ids of channels, whether the account itself may read them. */
export function readableIn(snapshot: Snapshot): (channel: number) => boolean {
  let known: { channels: ReadonlyMap<number, Channel>; reach: Reach } | undefined;
  return (id) => {
    known ??= {
      channels: new Map(channelsOf(snapshot).map((channel) => [channel.stream_id, channel])),
      reach: reachOf(snapshot),
    };
    return mayRead(snapshot, known.reach, known.channels.get(id)!);
  };
}

/** Whether the change passes; what does not is noted as refused. */
export function contentAccess(c: Comparing, { thing, name, path }: Pair, change: FieldChange): boolean {
  const { field } = change;
  if (!needing.has(field) && !(field === "subscribers" && more(change))) return true;
  if (c.readable(thing!.id!)) return true;
  const says = "is private, and this account is not subscribed: only people who can read it can change this";
  c.findings.refuse({ section: "channels", name, field, path: [...path, field], says });
  return false;
}

const called = (snapshot: Snapshot, channel: Known): Channel | undefined =>
  channelsOf(snapshot).find(({ stream_id, name }) =>
    typeof channel === "number" ? stream_id === channel : foldChannelName(name) === foldChannelName(channel.new),
  );

const ofTopics = ["is_private", "history_public_to_subscribers", "can_create_topic_group"];

/** Channels that would protect their history and say who starts topics: servers refuse what has both. */
export function protectedTopics(result: Snapshot, differences: readonly Difference[]): Refusal[] {
  if (result.feature_level < channelPermissionRules.can_create_topic_group.since) return [];
  const everyone = result.organization.realm_user_groups.find(({ name }) => name === "role:everyone")?.id;
  return differences.flatMap((difference): Refusal[] => {
    const { section, name } = difference;
    if (section !== "channels" || !("fields" in difference || difference.action === "create")) return [];
    const fields = "fields" in difference ? difference.fields.map(({ field }) => field) : Object.keys(difference.to);
    const known = ("fields" in difference ? difference.id : undefined) ?? { new: name };
    const channel = called(result, known);
    const fits = !channel || channel.history_public_to_subscribers || channel.can_create_topic_group === everyone;
    if (fits || !ofTopics.some((field) => fields.includes(field))) return [];
    const says =
      "cannot have protected history: that requires can_create_topic_group to be role:everyone and nothing else";
    return [{ section, name, field: "history_public_to_subscribers", says }];
  });
}

/** Invitations to channels that the account can read neither now nor when all is done: it would be told that there are none. */
export function unreadableInvitations(
  snapshot: Snapshot,
  result: Snapshot,
  differences: readonly Difference[],
): Refusal[] {
  const invitations = differences.flatMap((each) => (each.action === "invite" ? [each] : []));
  if (!invitations.some(({ to }) => (to.channels as readonly Known[]).length)) return [];
  const moments = [snapshot, result].map((moment) => ({ moment, reach: reachOf(moment) }));
  const isReadable = (known: Known): boolean =>
    moments.some(({ moment, reach }) => {
      const channel = called(moment, known);
      return channel !== undefined && mayRead(moment, reach, channel);
    });
  return invitations.flatMap(({ name, to }): Refusal[] => {
    const unreadable = (to.channels as readonly Known[]).find((known) => !isReadable(known));
    if (unreadable === undefined) return [];
    const channel = called(result, unreadable)?.name ?? "";
    const says = `cannot be invited to channel "${channel}": it is private, and this account will not be subscribed`;
    return [{ section: "people", name, field: "channels", says }];
  });
}
