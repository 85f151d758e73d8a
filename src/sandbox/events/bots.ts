/** Events about bots, with keys, for their owners and administrators. Everybody else gets events about users. */
import type { Call, Visit } from "../router.ts";
import { type BotSettings, isAdministrator, isBot, isGuest, type State, type User } from "../state.ts";
import { administrators, send } from "./queue.ts";
import { avatarOf } from "./users.ts";

/** The default settings of a bot. */
const noSettings: BotSettings = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
  services: [],
};

export const settingsOf = ({ bot_settings }: User): BotSettings => bot_settings ?? noSettings;

const channelName = ({ channels }: State, id: number | null): string | null =>
  id === null ? null : (channels.get(id)?.name ?? null);

/** The three defaults, with the names of channels. */
export function defaultsOf(state: State, bot: User) {
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = settingsOf(bot);
  return {
    default_sending_stream: channelName(state, default_sending_stream),
    default_events_register_stream: channelName(state, default_events_register_stream),
    default_all_public_streams,
  };
}

/** Level 474 removed the members that `realm_users` has too. */
export function botRecord({ state, level }: Visit, bot: User): object {
  const { user_id, bot_owner_id } = bot;
  const details = {
    email: bot.delivery_email,
    full_name: bot.full_name,
    bot_type: bot.bot_type,
    is_active: bot.is_active,
    api_key: bot.api_key,
    owner_id: bot_owner_id,
    avatar_url: avatarOf(bot, false),
  };
  return { user_id, ...(level < 474 && details), ...defaultsOf(state, bot), services: settingsOf(bot).services };
}

/** The bots that the caller gets events about, deactivated ones too. */
export const botRecords = (call: Call): object[] => {
  const { state, caller } = call;
  if (isGuest(caller) || isBot(caller)) return [];
  return [...state.users.values()]
    .filter((bot) => isBot(bot) && (isAdministrator(caller) || bot.bot_owner_id === caller.user_id))
    .map((bot) => botRecord(call, bot));
};

const sendEvent = (visit: Visit, op: string, bot: object, to: readonly User[]): void =>
  send(visit, { type: "realm_bot", op, bot }, to);

/** Administrators, and the owner of the bot. */
const readers = ({ state }: Visit, { bot_owner_id }: User): User[] => [
  ...administrators(state),
  ...[...state.users.values()].filter(({ user_id }) => user_id === bot_owner_id),
];

export const botCreated = (visit: Visit, bot: User): void =>
  sendEvent(visit, "add", botRecord(visit, bot), readers(visit, bot));

/** Does nothing for people. */
export function botChanged(visit: Visit, bot: User, changes: object): void {
  if (isBot(bot)) sendEvent(visit, "update", { user_id: bot.user_id, ...changes }, readers(visit, bot));
}

/** The former owner loses the bot, and the new owner gets it. Administrators see all bots, so they get the change. */
export function botOwnerChanged(visit: Visit, bot: User, before: number | null): void {
  const { state } = visit;
  const { user_id, bot_owner_id: owner_id } = bot;
  const unlessAdministrator = (id: number | null) =>
    [...state.users.values()].filter((user) => user.user_id === id && !isAdministrator(user));
  sendEvent(visit, "delete", { user_id }, unlessAdministrator(before));
  sendEvent(visit, "add", botRecord(visit, bot), unlessAdministrator(owner_id));
  sendEvent(visit, "update", { user_id, owner_id }, administrators(state));
}
