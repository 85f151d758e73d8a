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
  params: {
    msg_ids: json(list(integer)),
    narrow: json(list(term)),
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
  params: {
    anchor: maybe(text()),
    num_before: maybe(json(integer)),
    num_after: maybe(json(integer)),
    narrow: maybe(json(nullable(list(term)))),
    include_anchor: maybe(json(boolean)),
    message_ids: maybe(json(nullable(list(integer)))),
    apply_markdown: maybe(json(boolean)),
    client_gravatar: maybe(json(boolean)),
    allow_empty_topic_name: maybe(json(boolean)),
  },
  result: { messages: list(message), found_oldest: optional(boolean) },
});
