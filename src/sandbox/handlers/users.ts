import { getSubscribed, getUser, getUserByEmail, getUserChannels } from "../../api/people.ts";
import { getOwnUser, getUsers } from "../../api/users.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { hasMetadataAccess, insufficient, seesPerson, userOf } from "../access.ts";
import { refused } from "../answers.ts";
import { seesAddress, userRecord } from "../events/users.ts";
import { type Call, on } from "../router.ts";
import { isBot, type State, shownEmail, type User } from "../state.ts";
import { channelOf } from "./channels.ts";

type Options = Pick<ArgsOf<typeof getUser>, "client_gravatar" | "include_custom_profile_fields">;

const record = (call: Call, user: User, options: Options): object =>
  userRecord(call, user, {
    clientGravatar: options.client_gravatar ?? true,
    profile: options.include_custom_profile_fields ?? false,
  });

export function person({ state, caller }: Call, id: number): User {
  const user = userOf(state, id);
  if (!seesPerson(state, caller, user)) throw insufficient();
  return user;
}

/** Finds an account by the visible address, or by the real one if the caller can see it. */
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

/** The id of the newest message that the account received, or -1. */
export const newestOf = ({ messages }: State, { user_id }: User): number =>
  [...messages.values()].findLast(({ received }) => received.has(user_id))?.id ?? -1;

const order = ["include_custom_profile_fields" as const];

export const userRoutes = [
  on(getUsers, { order }, (call, { user_ids, ...options }) => {
    const chosen = user_ids && new Set(user_ids);
    return {
      members: [...call.state.users.values()]
        .filter((user) => (chosen?.has(user.user_id) ?? true) && seesPerson(call.state, call.caller, user))
        .map((user) => record(call, user, options)),
    };
  }),

  on(getUser, { order }, (call, { user_id, ...options }) => ({ user: record(call, person(call, user_id), options) })),

  on(getUserByEmail, { order }, (call, { email, ...options }) => ({
    user: record(call, personByAddress(call, email), options),
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
    // From this level on, bots are allowed.
    if (isBot(user) && call.level < 458) throw refused("No such user");
    if (!user.is_active) throw refused("User is deactivated");
    return { is_subscribed: channelOf(call, stream_id).subscribers.has(user.user_id) };
  }),
];
