import { foldChannelName } from "../../common/folding.ts";
import type { Kind } from "./kind.ts";

export const channel = {
  one: "channel",
  plural: "channels",
  noun: "channel",
  key: ["name"],
  fold: foldChannelName,
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
  restore: { operation: "channel.update", args: { is_archived: false } },
  lists: {
    subscribers: {
      of: "user",
      member: "subscribers",
      add: "channel.subscribe",
      remove: "channel.unsubscribe",
      joined: ["subscribed", "{to} subscribed to {target}"],
      left: ["unsubscribed", "{from} unsubscribed from {target}"],
    },
  },
  log: "own",
  about: ["description"],
} as const satisfies Kind;
