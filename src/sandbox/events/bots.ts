/** Events about bots, with keys, for their owners and administrators. Everybody else gets events about users. */
import type { Call, Visit } from "../router.ts";
import { type BotSettings, isAdministrator, isBot, isGuest, known, type State, type User } from "../state.ts";
import { administrators, send } from "./queue.ts";
import { avatarOf } from "./users.ts";

/** The default settings of a bot. */
export const noSettings: BotSettings = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
  services: [],
};

export const settingsOf = ({ bot_settings }: User): BotSettings => bot_settings ?? noSettings;

const channelName = ({ channels }: State, id: number | null): string | null =>
  id === null ? null : (channels.get(id)?.name ?? null);

/** The three defaults, channels by their names. */
export function defaultsOf(state: State, bot: User) {
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = settingsOf(bot);
  return {
    default_sending_stream: channelName(state, default_sending_stream),
    default_events_register_stream: channelName(state, default_events_register_stream),
    default_all_public_streams,
  };
}

/** From level 474 on, members that `realm_users` has are omitted, such as keys. */
export function botRecord({ state, level }: Visit, bot: User): object {
  const { user_id, bot_owner_id } = bot;
  const former = {
    email: bot.delivery_email,
    full_name: bot.full_name,
    bot_type: bot.bot_type,
    is_active: bot.is_active,
    api_key: bot.api_key,
    owner_id: bot_owner_id,
    avatar_url: avatarOf(bot, false),
  };
  return { user_id, ...(level < 474 && former), ...defaultsOf(state, bot), services: settingsOf(bot).services };
}

/** The bots that somebody hears of, deactivated ones too. */
export const botRecords = (call: Call): object[] => {
  const { state, caller } = call;
  if (isGuest(caller) || isBot(caller)) return [];
  return [...state.users.values()]
    .filter((bot) => isBot(bot) && (isAdministrator(caller) || bot.bot_owner_id === caller.user_id))
    .map((bot) => botRecord(call, bot));
};

const ownerOf = ({ users }: State, { bot_owner_id }: User): User[] => {
  const owner = users.get(bot_owner_id ?? -1);
  return owner ? [owner] : [];
};

export const botCreated = (visit: Visit, bot: User): void =>
  send(visit, { type: "realm_bot", op: "add", bot: botRecord(visit, bot) }, [
    ...administrators(visit.state),
    ...ownerOf(visit.state, bot),
  ]);

/** Does nothing for people. */
export function botChanged(visit: Visit, bot: User, changes: object): void {
  if (!isBot(bot)) return;
  const { state } = visit;
  const event = { type: "realm_bot", op: "update", bot: { user_id: bot.user_id, ...changes } };
  send(visit, event, [...administrators(state), ...ownerOf(state, bot)]);
}

/** The former owner loses it and the new one gets it, unless they hear of all bots. */
export function botGiven(visit: Visit, bot: User, before: number | null): void {
  const { state } = visit;
  const { user_id } = bot;
  const aside = (user: User | undefined) => (user && !isAdministrator(user) ? [user] : []);
  send(visit, { type: "realm_bot", op: "delete", bot: { user_id } }, aside(state.users.get(before ?? -1)));
  const owner = known(state.users, bot.bot_owner_id ?? -1);
  send(visit, { type: "realm_bot", op: "add", bot: botRecord(visit, bot) }, aside(owner));
  const event = { type: "realm_bot", op: "update", bot: { user_id, owner_id: bot.bot_owner_id } };
  send(visit, event, administrators(state));
}
