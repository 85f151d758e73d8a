/** Bots are accounts with an owner and a key. `GET /users` lists them without their keys. */

import { strip } from "../common/folding.ts";
import { ifKnown } from "../wire/impact.ts";
import { operation } from "../wire/operation.ts";
import { json, maybe, text, upload } from "../wire/params.ts";
import { boolean, integer, list, object, optional, record, string } from "../wire/types.ts";
import { activity, choosesUsers, getUsers } from "./users.ts";

/** The address that servers make of a short name. */
const newAddress = /^([^\s@"]+)-bot@/;

/** Returns the short name in the address of a bot. */
export const shortNameOf = (email: string): string | undefined => newAddress.exec(email)?.[1];

/** Returns whether servers can make a valid address of it: at most 64 characters with "-bot", and none to be quoted. */
export const isShortName = (text: string): boolean =>
  text.length <= 60 && /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/.test(text);

const botId = json(integer, { of: "user" });

const defaultParams = {
  default_sending_stream: maybe(text()),
  default_events_register_stream: maybe(text()),
  default_all_public_streams: maybe(json(boolean)),
};
/** It can hold tokens of other services. */
const config_data = maybe(json(record(string), { secret: true }));
const picture = maybe(upload());

/** The caller's own bots. */
export const getBots = operation("bots.list", "GET /bots", {
  who: { role: "member" },
  result: { bots: list(object({ username: string, full_name: string, api_key: string })) },
});

/** Not one transaction: the bot is created even if its picture or configuration is refused. */
export const createBot = operation("bots.create", "POST /bots", {
  effects: { none: "adds a bot, which can read what its owner lets it read" },
  who: { role: "member" },
  params: {
    full_name: text(),
    short_name: text(),
    bot_type: maybe(json(integer)),
    payload_url: maybe(json(string)),
    interface_type: maybe(json(integer)),
    service_name: maybe(text()),
    config_data,
    ...defaultParams,
    picture,
  },
  result: { api_key: string, user_id: optional(integer) },
  secretAnswer: ["api_key"],
});

/** Each parameter is applied before the next one is checked. */
export const updateBot = operation("bots.update", "PATCH /bots/{bot_id}", {
  effects: ({ bot_id, role, bot_owner_id }) =>
    ifKnown(bot_id, (bot) => [
      ...ifKnown(role, (role) => ({ does: "role", account: bot, role })),
      ...ifKnown(bot_owner_id, (owner) => ({ does: "give bot", bot, owner })),
    ]),
  who: { role: "member" },
  params: {
    bot_id: botId,
    full_name: maybe(text()),
    /** The beginning of its address: `build` for `build-bot@…`. */
    short_name: maybe(text({ since: 447 })),
    role: maybe(json(integer, { since: 130, of: "role" })),
    bot_owner_id: maybe(json(integer, { of: "user" })),
    config_data,
    service_payload_url: maybe(json(string)),
    service_interface: maybe(json(integer)),
    ...defaultParams,
    picture,
  },
  applyOrder: [
    "short_name",
    "full_name",
    "role",
    "bot_owner_id",
    "default_sending_stream",
    "default_events_register_stream",
    "default_all_public_streams",
    "service_payload_url",
    "config_data",
    "picture",
  ],
  before: {
    read: getUsers,
    argsOf: ({ bot_id }, { single, level }) => (single && choosesUsers(level) ? { user_ids: [bot_id] } : {}),
    inList: { list: "members", id: "user_id", idOf: ({ bot_id }) => bot_id },
    values: ({ full_name, role, bot_owner_id, delivery_email, email }) => ({
      full_name,
      role,
      bot_owner_id,
      short_name: shortNameOf(String(delivery_email ?? email)),
    }),
    stored: ({ full_name, short_name }) => ({
      full_name: full_name === undefined ? undefined : strip(full_name),
      short_name: short_name === undefined ? undefined : strip(short_name),
    }),
  },
  result: { bot_owner: optional(string) },
});

/** https://zulip.com/api/deactivate-bot */
export const deactivateBot = operation("bots.deactivate", "DELETE /bots/{bot_id}", {
  effects: ({ bot_id }) => ifKnown(bot_id, (id) => ({ does: "remove", kind: "bot", id })),
  who: { role: "member" },
  params: { bot_id: botId },
  before: activity("bot_id", true),
  sets: { is_active: false },
});

/** The old key stops working at once. */
export const regenerateBotKey = operation("bots.regenerate-key", "POST /bots/{bot_id}/api_key/regenerate", {
  effects: ({ bot_id }) => ifKnown(bot_id, (account) => ({ does: "replace key", account })),
  who: { role: "member" },
  params: { bot_id: botId },
  result: { api_key: string },
  secretAnswer: ["api_key"],
});

/** The key of a bot that the account owns or administers. */
export const getBotKey = operation("bots.key", "GET /bots/{bot_id}/api_key", {
  who: { role: "member" },
  since: 463,
  params: { bot_id: botId },
  result: { api_key: string },
  secretAnswer: ["api_key"],
});
