import { deactivateBot, getBotKey, getBots } from "../../api/bots.ts";
import { insufficient } from "../access.ts";
import { refused } from "../api-error.ts";
import { deactivated } from "../events/people.ts";
import { avatarOf } from "../records/users.ts";
import { type Call, on } from "../router.ts";
import { isAdministrator, isBot, type User } from "../state.ts";

/** A bot that the caller owns or administers. */
function administered({ state, caller }: Call, id: number): User {
  const bot = state.users.get(id);
  if (!bot || !isBot(bot)) throw refused("No such bot");
  if (bot.bot_owner_id !== caller.user_id && !isAdministrator(caller)) throw insufficient();
  return bot;
}

export const botRoutes = [
  on(getBots, { who: "member", silent: true }, ({ state, caller }) => {
    const own = [...state.users.values()].filter((each) => each.bot_owner_id === caller.user_id && each.is_active);
    return {
      bots: own.map((bot) => ({
        username: bot.delivery_email,
        full_name: bot.full_name,
        api_key: bot.api_key,
        avatar_url: avatarOf(bot, false),
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
      })),
    };
  }),

  on(deactivateBot, { who: "member", silent: true }, (call, { bot_id }) => {
    const bot = administered(call, bot_id);
    if (bot.is_active) {
      bot.is_active = false;
      deactivated(call, bot);
    }
    return {};
  }),

  on(getBotKey, { who: "member" }, (call, { bot_id }) => ({ api_key: administered(call, bot_id).api_key })),
];
