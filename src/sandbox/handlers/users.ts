import { getSubscribed, getUser, getUserByEmail, getUserChannels } from "../../api/people.ts";
import { getOwnUser, getUsers } from "../../api/users.ts";
import { roles } from "../../model/person.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { activeUser, canSeePerson, hasMetadataAccess, insufficientPermission, userById } from "../access.ts";
import { badRequest } from "../answers.ts";
import { canSeeAddress } from "../avatars.ts";
import { userRecord } from "../events/users.ts";
import { type HandlerCall, on } from "../router.ts";
import { isBot, type SandboxState, type StoredUser, visibleEmail } from "../state.ts";
import { accessibleChannel } from "./channels.ts";

type Options = Pick<ArgsOf<typeof getUser>, "client_gravatar" | "include_custom_profile_fields">;

const recordOf = (call: HandlerCall, user: StoredUser, options: Options): object =>
  userRecord(call, user, {
    clientGravatar: options.client_gravatar ?? true,
    profile: options.include_custom_profile_fields ?? false,
  });

function visiblePerson({ state, caller }: HandlerCall, id: number): StoredUser {
  const user = userById(state, id);
  if (!canSeePerson(state, caller, user)) throw insufficientPermission();
  return user;
}

/** The active account whose channels or groups are asked about. Before level 458 it must be a person. */
export function askedPerson({ state, caller, level }: HandlerCall, id: number): StoredUser {
  if (isBot(userById(state, id)) && level < 458) throw badRequest("No such user");
  const user = activeUser(state, id);
  if (!canSeePerson(state, caller, user)) throw insufficientPermission();
  return user;
}

/** Finds an account by the visible address, or by the real one if the caller can see it. */
export function personByAddress({ state, caller }: HandlerCall, address: string): StoredUser {
  const folded = address.toLowerCase();
  const user = [...state.users.values()].find(
    (each) =>
      visibleEmail(state, each).toLowerCase() === folded ||
      (each.delivery_email.toLowerCase() === folded && canSeeAddress(caller, each)),
  );
  if (!user) throw badRequest("No such user");
  if (!canSeePerson(state, caller, user)) throw insufficientPermission();
  return user;
}

/** What guests get in lists in place of people whom they may not see. */
export const unknownUser = (call: HandlerCall, user: StoredUser): object => ({
  ...userRecord(
    call,
    { ...user, full_name: "Unknown user", role: roles.member, is_active: true, email_address_visibility: 4 },
    { clientGravatar: false, profile: false },
  ),
  is_deleted: undefined,
  date_joined: "1970-01-01T00:00:00+00:00",
  timezone: "",
  avatar_url: `${call.site}/static/images/unknown-user-avatar.png`,
  avatar_version: 1,
  profile_data: {},
});

/** The id of the newest message that the account received, or -1. */
export const newestMessageId = ({ messages }: SandboxState, { user_id }: StoredUser): number =>
  [...messages.values()].findLast(({ received }) => received.has(user_id))?.id ?? -1;

const parameterOrder = ["include_custom_profile_fields" as const];

export const userRoutes = [
  on(getUsers, { order: parameterOrder }, (call, { user_ids, ...options }) => {
    const { state, caller, level } = call;
    const chosen = user_ids && new Set(user_ids);
    const members = [...state.users.values()].filter(({ user_id }) => chosen?.has(user_id) ?? true);
    return {
      members: members.flatMap((user) => {
        if (canSeePerson(state, caller, user)) return recordOf(call, user, options);
        return level < 437 ? unknownUser(call, user) : [];
      }),
    };
  }),

  on(getUser, { order: parameterOrder }, (call, { user_id, ...options }) => ({
    user: recordOf(call, visiblePerson(call, user_id), options),
  })),

  on(getUserByEmail, { order: parameterOrder }, (call, { email, ...options }) => ({
    user: recordOf(call, personByAddress(call, email), options),
  })),

  on(getOwnUser, { silent: true }, (call) => ({
    ...userRecord(call, call.caller, { clientGravatar: false, profile: true }),
    max_message_id: newestMessageId(call.state, call.caller),
  })),

  on(getUserChannels, {}, (call, { user_id }) => {
    const user = askedPerson(call, user_id);
    const channels = [...call.state.channels.values()].filter(
      (channel) =>
        (call.level >= 458 || !channel.is_archived) &&
        channel.subscribers.has(user.user_id) &&
        hasMetadataAccess(call.state, call.caller, channel),
    );
    return { subscribed_channel_ids: channels.map(({ stream_id }) => stream_id) };
  }),

  on(getSubscribed, {}, (call, { user_id, stream_id }) => {
    const user = askedPerson(call, user_id);
    return { is_subscribed: accessibleChannel(call, stream_id).subscribers.has(user.user_id) };
  }),
];
