/**
 * Records of bots with their keys, and the events about their changes. Only their owners and administrators get these
 * events. Everybody else gets events about users.
 */
import { avatarUrl } from "../avatars.ts";
import type { HandlerCall, HandlerContext } from "../router.ts";
import { type BotSettings, isAdministrator, isBot, isGuest, type SandboxState, type StoredUser } from "../state.ts";
import { administrators, sendEvent } from "./queue.ts";

const noSettings: BotSettings = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
  services: [],
};

export const botSettings = ({ bot_settings }: StoredUser): BotSettings => bot_settings ?? noSettings;

const channelName = ({ channels }: SandboxState, id: number | null): string | null =>
  id === null ? null : (channels.get(id)?.name ?? null);

/** The three defaults, with the names of channels. */
export function botDefaults(state: SandboxState, bot: StoredUser) {
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = botSettings(bot);
  return {
    default_sending_stream: channelName(state, default_sending_stream),
    default_events_register_stream: channelName(state, default_events_register_stream),
    default_all_public_streams,
  };
}

/** Level 474 removed the members that `realm_users` has too. */
export function botRecord({ state, level }: HandlerContext, bot: StoredUser): object {
  const { user_id, bot_owner_id } = bot;
  const details = {
    email: bot.delivery_email,
    full_name: bot.full_name,
    bot_type: bot.bot_type,
    is_active: bot.is_active,
    api_key: bot.api_key,
    owner_id: bot_owner_id,
    avatar_url: avatarUrl(bot, false),
  };
  return { user_id, ...(level < 474 && details), ...botDefaults(state, bot), services: botSettings(bot).services };
}

/** The bots that the caller gets events about, deactivated ones too. */
export const botRecords = (call: HandlerCall): object[] => {
  const { state, caller } = call;
  if (isGuest(caller) || isBot(caller)) return [];
  return [...state.users.values()]
    .filter((bot) => isBot(bot) && (isAdministrator(caller) || bot.bot_owner_id === caller.user_id))
    .map((bot) => botRecord(call, bot));
};

export const sendBotEvent = (context: HandlerContext, op: string, bot: object, to: readonly StoredUser[]): void =>
  sendEvent(context, { type: "realm_bot", op, bot }, to);

const readers = ({ state }: HandlerContext, { bot_owner_id }: StoredUser): StoredUser[] => [
  ...administrators(state),
  ...[...state.users.values()].filter(({ user_id }) => user_id === bot_owner_id),
];

export const sendBotCreated = (context: HandlerContext, bot: StoredUser): void =>
  sendBotEvent(context, "add", botRecord(context, bot), readers(context, bot));

/** Changes that the events about bots have no more from level 474 on. */
const removedChanges = ["avatar_url", "email", "full_name", "owner_id", "api_key", "is_active"];

/** Does nothing for people. */
export function sendBotChanged(
  context: HandlerContext,
  bot: StoredUser,
  changes: object,
  to = readers(context, bot),
): void {
  const shown = Object.entries(changes).filter(([name]) => context.level < 474 || !removedChanges.includes(name));
  if (isBot(bot) && shown.length)
    sendBotEvent(context, "update", { user_id: bot.user_id, ...Object.fromEntries(shown) }, to);
}
