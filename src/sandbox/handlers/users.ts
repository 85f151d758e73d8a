import {
  deactivateBot,
  getBotKey,
  getBots,
  getSubscribed,
  getUser,
  getUserByEmail,
  getUserChannels,
  updateBot,
} from "../../api/people.ts";
import { getOwnUser, getUsers } from "../../api/users.ts";
import { hasMetadataAccess, insufficient, seesPerson, userOf, visibleChannel } from "../access.ts";
import { refused } from "../answers.ts";
import { avatarOf, deactivated, ownerChanged, seesAddress, userRecord, type Wanted } from "../events/users.ts";
import { type Call, on } from "../router.ts";
import { isAdministrator, isBot, type State, shownEmail, type User } from "../state.ts";

interface Looking {
  client_gravatar?: boolean | undefined;
  include_custom_profile_fields?: boolean | undefined;
}

const wanted = ({ client_gravatar = true, include_custom_profile_fields = false }: Looking): Wanted => ({
  clientGravatar: client_gravatar,
  profile: include_custom_profile_fields,
});

export function person({ state, caller }: Call, id: number): User {
  const user = userOf(state, id);
  if (!seesPerson(state, caller, user)) throw insufficient();
  return user;
}

/** By the address that is shown, or the real one where the caller may see it. */
export function personByAddress({ state, caller }: Call, address: string): User {
  const typed = address.toLowerCase();
  const user = [...state.users.values()].find(
    (each) =>
      shownEmail(state, each).toLowerCase() === typed ||
      (each.delivery_email.toLowerCase() === typed && seesAddress(caller, each)),
  );
  if (!user) throw refused("No such user");
  if (!seesPerson(state, caller, user)) throw insufficient();
  return user;
}

/** A bot that the caller owns or administers. */
function administered({ state, caller }: Call, id: number): User {
  const bot = state.users.get(id);
  if (!bot || !isBot(bot)) throw refused("No such bot");
  if (bot.bot_owner_id !== caller.user_id && !isAdministrator(caller)) throw insufficient();
  return bot;
}

/** The id of the newest message that the account received, or -1. */
export const newestOf = ({ messages }: State, { user_id }: User): number =>
  [...messages.values()].findLast(({ received }) => received.has(user_id))?.id ?? -1;

const order = ["include_custom_profile_fields" as const];

export const userRoutes = [
  on(getUsers, { order }, (call, { user_ids, ...looking }) => {
    const chosen = user_ids && new Set(user_ids);
    const seen = [...call.state.users.values()].filter(({ user_id }) => chosen?.has(user_id) ?? true);
    return {
      members: seen
        .filter((user) => seesPerson(call.state, call.caller, user))
        .map((user) => userRecord(call, user, wanted(looking))),
    };
  }),

  on(getUser, { order }, (call, { user_id, ...looking }) => ({
    user: userRecord(call, person(call, user_id), wanted(looking)),
  })),

  on(getUserByEmail, { order }, (call, { email, ...looking }) => ({
    user: userRecord(call, personByAddress(call, email), wanted(looking)),
  })),

  on(getOwnUser, { silent: true }, (call) => ({
    ...userRecord(call, call.caller, { clientGravatar: false, profile: true }),
    max_message_id: newestOf(call.state, call.caller),
  })),

  on(getUserChannels, {}, (call, { user_id }) => {
    const user = person(call, user_id);
    if (!user.is_active) throw refused("User is deactivated");
    const channels = [...call.state.channels.values()].filter(
      (channel) =>
        !channel.is_archived &&
        channel.subscribers.has(user.user_id) &&
        hasMetadataAccess(call.state, call.caller, channel),
    );
    return { subscribed_channel_ids: channels.map(({ stream_id }) => stream_id) };
  }),

  on(getSubscribed, {}, (call, { user_id, stream_id }) => {
    const user = person(call, user_id);
    // Bots can be asked about only from this level on.
    if (isBot(user) && call.level < 458) throw refused("No such user");
    if (!user.is_active) throw refused("User is deactivated");
    const channel = visibleChannel(call.state, call.caller, stream_id);
    if (channel.is_archived && call.level < 480) throw refused("Invalid channel ID");
    return { is_subscribed: channel.subscribers.has(user.user_id) };
  }),

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

  on(updateBot, { who: "member" }, (call, { bot_id, bot_owner_id }) => {
    const bot = administered(call, bot_id);
    const { users } = call.state;
    if (bot_owner_id !== undefined && bot_owner_id !== bot.bot_owner_id) {
      const owner = users.get(bot_owner_id);
      if (!owner) throw refused("Failed to change owner, no such user");
      if (!owner.is_active) throw refused("Failed to change owner, user is deactivated");
      if (isBot(owner)) throw refused("Failed to change owner, bots can't own other bots");
      bot.bot_owner_id = bot_owner_id;
      ownerChanged(call, bot);
    }
    return {
      full_name: bot.full_name,
      avatar_url: avatarOf(bot, false),
      service_interface: 1,
      service_payload_url: null,
      config_data: null,
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
      bot_owner: users.get(bot.bot_owner_id ?? 0)?.delivery_email,
    };
  }),

  on(getBotKey, { who: "member" }, (call, { bot_id }) => ({ api_key: administered(call, bot_id).api_key })),
];
