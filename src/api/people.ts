/** Operations on single accounts. */

import { strip } from "../common/folding.ts";
import { membersOf, namesOf } from "../common/object-members.ts";
import { roleValues } from "../model/person.ts";
import { ifKnown } from "../wire/impact.ts";
import { type AnswerOf, operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import {
  boolean,
  either,
  integer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  string,
  struct,
  type Value,
} from "../wire/types.ts";
import { activity, choosesUsers, getUsers, userSchema } from "./users.ts";

const userId = json(integer, { of: "user" });
const address = text();
const readParams = {
  client_gravatar: maybe(json(boolean)),
  include_custom_profile_fields: maybe(json(boolean)),
};

/** https://zulip.com/api/get-user */
export const getUser = operation("users.get", "GET /users/{user_id}", {
  params: { user_id: userId, ...readParams },
  result: { user: userSchema },
});

/** https://zulip.com/api/get-user-by-email */
export const getUserByEmail = operation("users.get-by-email", "GET /users/{email}", {
  params: { email: address, ...readParams },
  result: { user: userSchema },
});

const profile = list(object({ id: integer, value: nullable(either(string, list(integer))) }));
const who = {
  role: "administrator",
  owners: "give and take the role owner",
  permission: { name: "can_change_user_emails", refusal: "User not authorized to change user emails" },
} as const;
const changeParams = {
  full_name: maybe(text({ doc: "The new name." })),
  role: maybe(json(oneOf(...roleValues), { doc: "The new role.", since: 7, of: "role" })),
  profile_data: maybe(json(profile, { doc: "Values of custom profile fields; null clears one." })),
  new_email: maybe(text()),
};

/** Returns the value of a profile field. Null if it is empty. People are the text of a list. */
function fieldValue(data: unknown, id: number, people: boolean): string | readonly number[] | null {
  const { value } = membersOf(membersOf(data)[id]);
  if (typeof value !== "string" || value === "") return null;
  return people ? JSON.parse(value) : value;
}

/** https://zulip.com/api/update-user */
export const updateUser = operation("users.update", "PATCH /users/{user_id}", {
  effects: ({ user_id, role }) =>
    ifKnown(user_id, (account) => (role === undefined ? [] : { does: "role", account, role })),
  who,
  params: { user_id: userId, ...changeParams },
  before: {
    read: getUsers,
    argsOf: ({ user_id, profile_data }, { single, level }) => ({
      ...(profile_data && { include_custom_profile_fields: true }),
      ...(single && choosesUsers(level) && { user_ids: [user_id] }),
    }),
    inList: { list: "members", id: "user_id", idOf: ({ user_id }) => user_id },
    values: ({ full_name, role, delivery_email, email, profile_data }, { profile_data: desired = [] }) => ({
      full_name,
      role,
      new_email: delivery_email ?? email,
      profile_data: desired.map(({ id, value }) => ({ id, value: fieldValue(profile_data, id, Array.isArray(value)) })),
    }),
    stored: ({ full_name, profile_data }) => ({
      full_name: full_name === undefined ? undefined : strip(full_name),
      profile_data: profile_data?.map(({ id, value }) => ({ id, value: value === "" ? null : value })),
    }),
  },
});

/** https://zulip.com/api/update-user-by-email */
export const updateUserByEmail = operation("users.update-by-email", "PATCH /users/{email}", {
  effects: ({ email, role }) =>
    ifKnown(email, (account) => (role === undefined ? [] : { does: "role", account, role })),
  who,
  params: { email: address, ...changeParams },
  target: ({ email }) => `user ${email}`,
});

/** https://zulip.com/api/create-user */
export const createUser = operation("users.create", "POST /users", {
  effects: { none: "adds a person" },
  who: {
    role: "administrator",
    permission: {
      name: "can_create_users",
      refusal: "User not authorized to create users",
      instead: "Invite people instead with: zulipctl invite add",
    },
  },
  params: {
    email: text(),
    password: text({ secret: true }),
    full_name: text(),
  },
  result: { user_id: optional(integer) },
  evidence: {
    read: getUserByEmail,
    argsOf: ({ email }) => ({ email }),
    isApplied: (found: AnswerOf<typeof getUserByEmail> | undefined, { full_name }) =>
      found?.user.is_active === true && !found.user.is_bot && found.user.full_name === strip(full_name),
    onlyRefusals: true,
  },
});

/** What is deleted with the account, and with its bots. Nothing brings it back. */
const deletions = struct({
  delete_profile: optional(boolean),
  delete_public_channel_messages: optional(boolean),
  delete_private_channel_messages: optional(boolean),
  delete_direct_messages: optional(boolean),
});

const deletionWords = {
  delete_profile: "the profile",
  delete_public_channel_messages: "messages in public channels",
  delete_private_channel_messages: "messages in private channels",
  delete_direct_messages: "direct messages",
} satisfies Record<keyof Value<typeof deletions>, string>;

/** Returns what is deleted with an account, in words. */
const deletedWith = (actions: Value<typeof deletions> | undefined): string[] =>
  namesOf(deletionWords).flatMap((name) => (actions?.[name] ? [deletionWords[name]] : []));

/** https://zulip.com/api/deactivate-user */
export const deactivateUser = operation("users.deactivate", "DELETE /users/{user_id}", {
  effects: ({ user_id, actions }) =>
    ifKnown(user_id, (account) => ({ does: "deactivate", account, deletes: deletedWith(actions) })),
  who: { role: "administrator", owners: "deactivate owners" },
  params: {
    user_id: userId,
    deactivation_notification_comment: maybe(text()),
    actions: maybe(json(deletions, { since: 459, harmfulBelow: true, query: true })),
  },
  before: activity("user_id", false),
  // Their bots are deactivated with them.
  previous: {
    read: getUsers,
    values: ({ members }: AnswerOf<typeof getUsers>, { user_id }) => ({
      is_active: members.some((each) => each.user_id === user_id && each.is_active !== false),
      bots: members
        .filter(({ bot_owner_id, is_active }) => bot_owner_id === user_id && is_active !== false)
        .map((bot) => bot.user_id),
    }),
  },
  sets: { is_active: false },
});

/** https://zulip.com/api/reactivate-user */
export const reactivateUser = operation("users.reactivate", "POST /users/{user_id}/reactivate", {
  effects: ({ user_id }) => ifKnown(user_id, (account) => ({ does: "reactivate", account })),
  who: { role: "administrator" },
  params: { user_id: userId },
  before: activity("user_id"),
  sets: { is_active: true },
});

/** https://zulip.com/api/deactivate-own-user */
export const deactivateOwnUser = operation("users.me.deactivate", "DELETE /users/me", {
  effects: () => [{ does: "deactivate", account: "self" }],
});

/** The old key stops working at once. */
export const regenerateKey = operation("users.me.regenerate-key", "POST /users/me/api_key/regenerate", {
  effects: () => [{ does: "replace key", account: "self" }],
  result: { api_key: string },
  secretAnswer: ["api_key"],
});

/** https://zulip.com/api/get-user-channels */
export const getUserChannels = operation("users.channels", "GET /users/{user_id}/channels", {
  since: 440,
  params: { user_id: userId },
  result: { subscribed_channel_ids: list(integer) },
});

/** https://zulip.com/api/get-subscription-status */
export const getSubscribed = operation("users.subscribed", "GET /users/{user_id}/subscriptions/{stream_id}", {
  params: { user_id: userId, stream_id: json(integer, { of: "channel" }) },
  result: { is_subscribed: boolean },
});
