import { operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { anything, boolean, either, integer, list, object, optional, record, string } from "../wire/types.ts";
import { creation } from "./channel-create.ts";
import { channel } from "./channels.ts";

const principals = maybe(
  json(either(list(integer), list(string)), { doc: "Whom it is about, by id; oneself where absent." }),
);

/** https://zulip.com/api/get-subscriptions */
export const getSubscriptions = operation({
  name: "channel.subscriptions",
  method: "GET",
  path: "/users/me/subscriptions",
  doc: "Channels that the account is subscribed to.",
  params: {
    include_subscribers: maybe(
      text({
        doc: "`true` to name the subscribers, `partial` for some of them.",
        earlier: [{ below: 412, travel: "json", convert: (word) => word === "true", type: boolean }],
      }),
    ),
  },
  result: { subscriptions: list(channel) },
});

/** https://zulip.com/api/subscribe */
export const subscribe = operation({
  name: "channel.subscribe",
  method: "POST",
  path: "/users/me/subscriptions",
  doc: "Subscribe people to channels; those that do not exist are created.",
  params: {
    subscriptions: json(list(object({ name: string, description: optional(string), color: optional(anything) })), {
      doc: "The channels, by name.",
    }),
    principals,
    authorization_errors_fatal: maybe(json(boolean, { doc: "Refuse all where one is refused (default true)." })),
    announce: maybe(json(boolean, { doc: "Announce channels that are created." })),
    ...creation,
    send_new_subscription_messages: maybe(json(boolean, { doc: "Tell those subscribed (default true).", since: 397 })),
  },
  result: { subscribed: record(list(string)), already_subscribed: record(list(string)) },
});

/** https://zulip.com/api/unsubscribe */
export const unsubscribe = operation({
  name: "channel.unsubscribe",
  method: "DELETE",
  path: "/users/me/subscriptions",
  doc: "Unsubscribe people from channels.",
  params: { subscriptions: json(list(string), { doc: "The channels, by name." }), principals },
  result: { removed: list(string), not_removed: list(string) },
});

/** https://zulip.com/api/get-subscribers */
export const getSubscribers = operation({
  name: "channel.subscribers",
  method: "GET",
  path: "/streams/{stream_id}/members",
  doc: "Ids of a channel's subscribers.",
  params: { stream_id: json(integer, { doc: "The channel's id.", of: "channel" }) },
  result: { subscribers: list(either(integer, string)) },
});
