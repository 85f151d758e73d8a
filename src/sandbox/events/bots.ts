/** Events about bots, with keys, for their owners and administrators. Everybody else gets events about users. */
import type { Call, Context } from "../router.ts";
import { type BotSettings, isAdministrator, isBot, isGuest, type State, type User } from "../state.ts";
import { administrators, send } from "./queue.ts";
import { avatarUrl } from "./users.ts";

/** The default settings of a bot. */
const noSettings: BotSettings = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
  services: [],
};

export const botSettings = ({ bot_settings }: User): BotSettings => bot_settings ?? noSettings;

const channelName = ({ channels }: State, id: number | null): string | null =>
  id === null ? null : (channels.get(id)?.name ?? null);

/** The three defaults, with the names of channels. */
export function botDefaults(state: State, bot: User) {
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = botSettings(bot);
  return {
    default_sending_stream: channelName(state, default_sending_stream),
    default_events_register_stream: channelName(state, default_events_register_stream),
    default_all_public_streams,
  };
}

/** Level 474 removed the members that `realm_users` has too. */
export function botRecord({ state, level }: Context, bot: User): object {
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
export const botRecords = (call: Call): object[] => {
  const { state, caller } = call;
  if (isGuest(caller) || isBot(caller)) return [];
  return [...state.users.values()]
    .filter((bot) => isBot(bot) && (isAdministrator(caller) || bot.bot_owner_id === caller.user_id))
    .map((bot) => botRecord(call, bot));
};

const sendEvent = (context: Context, op: string, bot: object, to: readonly User[]): void =>
  send(context, { type: "realm_bot", op, bot }, to);

/** Administrators, and the owner of the bot. */
const readers = ({ state }: Context, { bot_owner_id }: User): User[] => [
  ...administrators(state),
  ...[...state.users.values()].filter(({ user_id }) => user_id === bot_owner_id),
];

export const sendBotCreated = (context: Context, bot: User): void =>
  sendEvent(context, "add", botRecord(context, bot), readers(context, bot));

/** Does nothing for people. */
export function sendBotChanged(context: Context, bot: User, changes: object): void {
  if (isBot(bot)) sendEvent(context, "update", { user_id: bot.user_id, ...changes }, readers(context, bot));
}

/** The former owner loses the bot, and the new owner gets it. Administrators see all bots, so they get the change. */
export function sendBotOwnerChanged(context: Context, bot: User, before: number | null): void {
  const { state } = context;
  const { user_id, bot_owner_id: owner_id } = bot;
  const unlessAdministrator = (id: number | null) =>
    [...state.users.values()].filter((user) => user.user_id === id && !isAdministrator(user));
  sendEvent(context, "delete", { user_id }, unlessAdministrator(before));
  sendEvent(context, "add", botRecord(context, bot), unlessAdministrator(owner_id));
  sendEvent(context, "update", { user_id, owner_id }, administrators(state));
}
