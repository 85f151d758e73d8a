/** The whole organization at one moment, and what changes afterwards. */
import { type ArgsOf, operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import {
  anything,
  boolean,
  either,
  integer,
  list,
  nullable,
  number,
  object,
  optional,
  record,
  string,
} from "../wire/types.ts";

/** Of what is told of a channel, what says who is subscribed to it. */
const subscribed = optional(list(object({ stream_id: integer, subscribers: optional(list(either(integer, string))) })));

/** https://zulip.com/api/delete-queue */
export const deleteQueue = operation({
  name: "events.rm",
  method: "DELETE",
  effect: "read",
  path: "/events",
  doc: "Delete an event queue.",
  params: { queue_id: text({ doc: "The queue." }) },
  result: {},
});

/** https://zulip.com/api/register-queue. It makes a queue of events, which nobody is going to ask for any. */
export const register = operation({
  name: "events.register",
  method: "POST",
  effect: "read",
  path: "/register",
  doc: "Make an event queue, and read the organization as it is at that moment.",
  params: {
    apply_markdown: maybe(json(boolean, { doc: "Messages as HTML." })),
    client_gravatar: maybe(json(nullable(boolean), { doc: "Leave the URLs of gravatars out." })),
    slim_presence: maybe(json(boolean, { doc: "Presence by id." })),
    all_public_streams: maybe(json(boolean, { doc: "Messages of all public channels." })),
    include_subscribers: maybe(
      text({
        doc: "`true` to name the subscribers of channels.",
        earlier: [{ below: 412, travel: "json", convert: (word) => word === "true", type: boolean }],
      }),
    ),
    client_capabilities: maybe(json(record(anything), { doc: "What the client understands." })),
    event_types: maybe(json(list(string), { doc: "Which events are to be told." })),
    fetch_event_types: maybe(json(list(string), { doc: "Which parts are to be read." })),
    narrow: maybe(json(list(list(string)), { doc: "Which messages are to be told of." })),
    queue_lifespan_secs: maybe(json(integer, { doc: "How long the queue lives unread." })),
    idle_queue_timeout: maybe(json(anything, { doc: "How long the queue lives unread.", since: 481 })),
  },
  result: {
    queue_id: nullable(string),
    zulip_version: string,
    zulip_feature_level: optional(integer),
    subscriptions: subscribed,
    unsubscribed: subscribed,
    never_subscribed: subscribed,
  },
  undoing: ({ queue_id }) => (queue_id === null ? undefined : { operation: deleteQueue, args: { queue_id } }),
});

/** What to ask for one part of the organization alone. */
export const onlyPart = (part: string): ArgsOf<typeof register> => ({ event_types: [part], fetch_event_types: [part] });

/** https://zulip.com/api/get-events */
export const getEvents = operation({
  name: "events.list",
  method: "GET",
  path: "/events",
  doc: "What has happened since an event.",
  params: {
    queue_id: text({ doc: "The queue." }),
    last_event_id: maybe(json(integer, { doc: "The last event that was seen." })),
    dont_block: maybe(json(boolean, { doc: "Answer at once." })),
  },
  result: { events: list(object({ id: number, type: string })) },
});
