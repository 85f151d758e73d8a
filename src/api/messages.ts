import { operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import {
  anything,
  boolean,
  integer,
  list,
  nullable,
  object,
  optional,
  record,
  string,
  type Value,
} from "../wire/types.ts";

const term = object({ operator: string, operand: anything, negated: optional(boolean) });
export type NarrowTerm = Value<typeof term>;

/** https://zulip.com/api/check-messages-match-narrow */
export const matchNarrow = operation({
  name: "messages.match",
  method: "GET",
  path: "/messages/matches_narrow",
  doc: "Check which messages match a search or filter expression.",
  params: {
    msg_ids: json(list(integer), { doc: "Ids of messages." }),
    narrow: json(list(term), { doc: "Terms, all of which must hold." }),
  },
  result: { messages: record(object({ match_content: string, match_subject: string })) },
});

const message = object({
  id: integer,
  sender_id: integer,
  sender_full_name: optional(string),
  timestamp: integer,
  /** A channel's name; of a direct message the people. */
  display_recipient: optional(anything),
  content: string,
  subject: string,
});
export type Message = Value<typeof message>;

/** https://zulip.com/api/get-messages */
export const getMessages = operation({
  name: "messages.list",
  method: "GET",
  path: "/messages",
  doc: "Messages around one of them, or by their ids.",
  params: {
    anchor: maybe(text({ doc: "A message's id, newest, oldest or first_unread." })),
    num_before: maybe(json(integer, { doc: "So many older ones." })),
    num_after: maybe(json(integer, { doc: "So many newer ones." })),
    narrow: maybe(json(nullable(list(term)), { doc: "Terms, all of which must hold." })),
    include_anchor: maybe(json(boolean, { doc: "The anchor too (default true).", since: 155 })),
    message_ids: maybe(json(nullable(list(integer)), { doc: "These instead.", since: 300 })),
    apply_markdown: maybe(json(boolean, { doc: "As HTML (default true)." })),
    client_gravatar: maybe(json(boolean, { doc: "Leave the URLs of gravatars out." })),
    allow_empty_topic_name: maybe(json(boolean, { doc: "Leave the empty topic's name empty.", since: 334 })),
  },
  result: { messages: list(message), found_oldest: optional(boolean) },
});
