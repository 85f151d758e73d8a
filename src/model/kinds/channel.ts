import { foldChannelName } from "../../common/folding.ts";
import { archivedChannel, lastSubscriber } from "../loss.ts";
import type { Kind } from "./kind.ts";

/**
 * Sent with every subscription to an existing channel. The call names the channel; if somebody has just renamed it, the old
 * name would create a channel. The server refuses to create one with these settings, and ignores them otherwise.
 */
const neverCreates = { invite_only: true, is_default_stream: true };

export const channelKind = {
  one: "channel",
  plural: "channels",
  noun: "channel",
  rights: true,
  key: ["name"],
  fold: foldChannelName,
  unique: { param: "new_name" },
  id: "stream_id",
  title: "name",
  section: "channels",
  read: { operation: "channel.list", list: "streams", args: { include_all: true, exclude_archived: false } },
  registered: { parts: ["stream", "subscription"], lists: ["subscriptions", "unsubscribed", "never_subscribed"] },
  // Subscribing people to a new channel makes it.
  create: ["channel.create", "channel.subscribe"],
  update: "channel.update",
  state: {
    member: "is_archived",
    inFile: "archived",
    value: true,
    archive: "archive",
    restore: "unarchive",
    events: ["archived", "restored"],
  },
  archive: { operation: "channel.archive" },
  removalEffect: { says: archivedChannel.effect.says, sentence: archivedChannel.sentence, isFromMembers: true },
  restore: { operation: "channel.update", args: { is_archived: false } },
  lists: {
    subscribers: {
      of: "user",
      one: "subscriber",
      doc: "Those who are subscribed.",
      member: "subscribers",
      count: "subscriber_count",
      read: { operation: "channel.subscribers", list: "subscribers" },
      add: {
        operation: "channel.subscribe",
        thing: "stream_id",
        members: "principals",
        named: (name: string) => ({ subscriptions: [{ name }], ...neverCreates }),
      },
      remove: {
        operation: "channel.unsubscribe",
        thing: "stream_id",
        members: "principals",
        named: (name: string) => ({ subscriptions: [name] }),
      },
      notifies: "joined",
      lockout: {
        when: ({ invite_only, is_archived }) => invite_only === true && is_archived !== true,
        what: "whether the channel is private",
        opensFor: ["can_add_subscribers_group", "can_subscribe_group"],
        says: lastSubscriber,
      },
      log: {
        joined: 301,
        left: 303,
        words: ["subscribed {subject} to {target}", "unsubscribed {subject} from {target}"],
      },
      came: ["person", "people", "subscribed"],
      joined: ["subscribed", "{to} subscribed to {target}"],
      left: ["unsubscribed", "{from} unsubscribed from {target}"],
    },
  },
  log: {
    id: "modified_stream",
    rows: [
      [302, "resubscribed", "subscribed {subject} to {target} again", { subject: "user" }],
      [
        304,
        "subscription_changed",
        "changed {property} of the subscription of {subject} to {target}",
        { subject: "user" },
      ],
      [601, "created", "created channel {target}{settings}"],
      [602, "archived", "archived channel {target}"],
      [603, "renamed", "renamed channel {target} to {to}", { property: "name" }],
      [604, "restored", "restored channel {target}"],
      [
        605,
        "retention_changed",
        "changed the message retention of channel {target} from {from} to {to}",
        { property: "message_retention_days" },
      ],
      [607, "updated", "changed {property} of channel {target} from {from} to {to}"],
      [608, "permission_changed", "changed {property} of channel {target} from {from} to {to}"],
      [
        609,
        "folder_changed",
        "changed the folder of channel {target} from {from} to {to}",
        { property: "folder_id", values: "folder" },
      ],
    ],
  },
  about: ["description"],
} as const satisfies Kind;
