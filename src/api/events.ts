/** The state of the organization, and events about changes. */
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
  word,
} from "../wire/types.ts";

/** The subscribers of each channel. */
const subscriberLists = optional(
  list(object({ stream_id: integer, subscribers: optional(list(either(integer, string))) })),
);

export const realm_playgrounds = optional(
  list(object({ id: integer, name: string, pygments_language: string, url_template: string })),
);

/** https://zulip.com/api/delete-queue */
export const deleteQueue = operation("events.rm", "DELETE /events", {
  effect: "read",
  params: { queue_id: text() },
});

/** https://zulip.com/api/register-queue. It also makes a queue of events. */
export const register = operation("events.register", "POST /register", {
  effect: "read",
  params: {
    apply_markdown: maybe(json(boolean)),
    client_gravatar: maybe(json(nullable(boolean))),
    slim_presence: maybe(json(boolean)),
    presence_history_limit_days: maybe(json(integer)),
    all_public_streams: maybe(json(boolean)),
    include_subscribers: maybe(
      text({
        older: [{ below: 412, encoding: "json", convert: (word) => word === "true", type: boolean }],
      }),
    ),
    client_capabilities: maybe(json(record(anything))),
    event_types: maybe(json(list(string))),
    fetch_event_types: maybe(json(list(string))),
    narrow: maybe(json(list(list(string)))),
    queue_lifespan_secs: maybe(json(integer)),
    /** After how many seconds without a reader the server deletes the queue. */
    idle_queue_timeout: maybe(json(either(integer, word("mobile")), { since: 481 })),
  },
  result: {
    queue_id: nullable(string),
    idle_queue_timeout_secs: optional(nullable(number)),
    zulip_version: string,
    zulip_feature_level: optional(integer),
    subscriptions: subscriberLists,
    unsubscribed: subscriberLists,
    never_subscribed: subscriberLists,
    presences: optional(record(anything)),
    realm_playgrounds,
  },
  cleanup: ({ queue_id }) => (queue_id === null ? undefined : { operation: deleteQueue, args: { queue_id } }),
});

/** Arguments that return parts of the organization. */
export const registerPart = (...parts: string[]): ArgsOf<typeof register> => ({
  event_types: parts,
  fetch_event_types: parts,
});

/** https://zulip.com/api/get-events */
export const getEvents = operation("events.list", "GET /events", {
  params: {
    queue_id: text(),
    last_event_id: maybe(json(integer)),
    dont_block: maybe(json(boolean)),
  },
  longPoll: true,
  result: { events: list(object({ id: number, type: string })) },
});
