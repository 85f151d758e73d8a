import { operation } from "../wire/operation.ts";
import { json, maybe, text, textOf } from "../wire/params.ts";
import { boolean, either, integer, list, object, optional, string, word } from "../wire/types.ts";

const id = json(integer);
const type = textOf(word("channel", "direct"));
/** A channel's id, or the ids of people. */
const to = json(either(integer, list(integer)));
/** Unix seconds. */
const time = json(integer);

const scheduled = object({
  scheduled_message_id: integer,
  type: string,
  to: either(integer, list(integer)),
  topic: optional(string),
  content: string,
  rendered_content: string,
  scheduled_delivery_timestamp: integer,
  failed: optional(boolean),
});

/** https://zulip.com/api/get-scheduled-messages */
export const getScheduledMessages = operation("scheduled.list", "GET /scheduled_messages", {
  result: { scheduled_messages: list(scheduled) },
});

/** https://zulip.com/api/create-scheduled-message */
export const scheduleMessage = operation("scheduled.add", "POST /scheduled_messages", {
  effects: { none: "the message is sent later, and can be removed until then" },
  params: {
    type,
    to,
    content: text(),
    scheduled_delivery_timestamp: time,
    topic: maybe(text()),
    read_by_sender: maybe(json(boolean)),
  },
  result: { scheduled_message_id: integer },
});

/** https://zulip.com/api/update-scheduled-message */
export const updateScheduledMessage = operation("scheduled.edit", "PATCH /scheduled_messages/{scheduled_message_id}", {
  effects: { none: "nobody has read the message yet" },
  params: {
    scheduled_message_id: id,
    type: maybe(type),
    to: maybe(to),
    content: maybe(text()),
    scheduled_delivery_timestamp: maybe(time),
    topic: maybe(text()),
  },
});

/** https://zulip.com/api/delete-scheduled-message */
export const removeScheduledMessage = operation("scheduled.rm", "DELETE /scheduled_messages/{scheduled_message_id}", {
  effects: { none: "only its author has seen the message" },
  params: { scheduled_message_id: id },
});
