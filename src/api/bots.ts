import { operation } from "../wire/operation.ts";
import { json } from "../wire/params.ts";
import { integer, list, object, string } from "../wire/types.ts";

const botId = json(integer, { doc: "The bot's user id.", of: "user" });

/** The caller's own bots. */
export const getBots = operation({
  name: "bots.list",
  method: "GET",
  path: "/bots",
  doc: "The account's own bots, with their keys.",
  who: { role: "member" },
  params: {},
  result: { bots: list(object({ username: string, full_name: string, api_key: string })) },
});

/** https://zulip.com/api/deactivate-bot */
export const deactivateBot = operation({
  name: "bots.deactivate",
  method: "DELETE",
  path: "/bots/{bot_id}",
  doc: "Deactivate a bot.",
  who: { role: "member" },
  params: { bot_id: botId },
  result: {},
  target: ({ bot_id }) => `user ${bot_id}`,
});

/** The key of a bot that the account owns or administers. */
export const getBotKey = operation({
  name: "bots.key",
  method: "GET",
  path: "/bots/{bot_id}/api_key",
  doc: "A bot's API key.",
  who: { role: "member" },
  since: 463,
  params: { bot_id: botId },
  result: { api_key: string },
});
