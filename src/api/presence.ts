import { operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { anything, boolean, either, integer, number, object, optional, record } from "../wire/types.ts";

const presencesResult = {
  /** By address, or with `slim_presence` by id. */
  presences: optional(record(anything)),
  presence_last_update_id: optional(integer),
  server_timestamp: optional(number),
};

/** https://zulip.com/api/update-presence */
export const setPresence = operation("presence.set", "POST /users/me/presence", {
  effects: { none: "others see that this account is there, which passes by itself" },
  params: {
    status: text(),
    ping_only: maybe(json(boolean)),
    new_user_input: maybe(json(boolean)),
    slim_presence: maybe(json(boolean)),
    last_update_id: maybe(json(integer, { since: 263 })),
    history_limit_days: maybe(json(integer, { since: 288 })),
  },
  result: presencesResult,
});

/** https://zulip.com/api/get-presence */
export const getPresences = operation("presence.list", "GET /realm/presence", {
  result: presencesResult,
});

/** https://zulip.com/api/get-user-presence */
export const getPresence = operation("presence.get", "GET /users/{user_id_or_email}/presence", {
  params: { user_id_or_email: text() },
  /** A record for each client. From level 487 on also `active_timestamp` and `idle_timestamp`, alone up to level 496. */
  result: { presence: record(either(object({ timestamp: integer }), integer)), server_timestamp: optional(number) },
});

/** https://zulip.com/api/get-user-status */
export const getStatus = operation("status.get", "GET /users/{user_id}/status", {
  params: { user_id: json(integer, { of: "user" }) },
  result: { status: record(anything) },
});

/** https://zulip.com/api/update-status */
export const setStatus = operation("status.set", "POST /users/me/status", {
  effects: { none: "only the status of this account, which it can set again" },
  params: {
    status_text: maybe(text()),
    away: maybe(json(boolean)),
    emoji_name: maybe(text()),
    emoji_code: maybe(text()),
    reaction_type: maybe(text()),
  },
});
