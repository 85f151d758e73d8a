/** Single people: looking at them, changing them, letting them go and back in. */
import { strip } from "../folding.ts";
import { operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { anything, boolean, either, integer, list, nullable, object, oneOf, optional, string } from "../wire/types.ts";
import { getUsers, user } from "./users.ts";

const userId = json(integer, { doc: "The account's id.", of: "user" });
const address = text({ doc: "The account's address." });
const looking = {
  client_gravatar: maybe(json(boolean, { doc: "Leave the URLs of gravatars out." })),
  include_custom_profile_fields: maybe(json(boolean, { doc: "Add `profile_data`." })),
};

/** https://zulip.com/api/get-user */
export const getUser = operation({
  name: "users.get",
  method: "GET",
  path: "/users/{user_id}",
  params: { user_id: userId, ...looking },
  result: { user },
});

/** https://zulip.com/api/get-user-by-email */
export const getUserByEmail = operation({
  name: "users.get-by-email",
  method: "GET",
  path: "/users/{email}",
  params: { email: address, ...looking },
  result: { user },
});

const profile = list(object({ id: integer, value: nullable(either(string, list(integer))) }));
const changes = {
  full_name: maybe(text({ doc: "The new name.", earlier: [{ below: 106, travel: "json" }] })),
  role: maybe(json(oneOf(100, 200, 300, 400, 600), { doc: "The new role.", since: 7, of: "role" })),
  profile_data: maybe(json(profile, { doc: "Values of custom profile fields; null clears one." })),
  new_email: maybe(text({ doc: "The new address.", since: 313 })),
};

/** Returns the value of a profile field. Null if it is empty. People are the text of a list. */
function fieldValue(data: unknown, id: number, people: boolean): string | readonly number[] | null {
  const { value } = (data as Record<string, { value?: string | null } | undefined> | undefined)?.[id] ?? {};
  if (typeof value !== "string" || value === "") return null;
  return people ? (JSON.parse(value) as number[]) : value;
}

/** https://zulip.com/api/update-user */
export const updateUser = operation({
  name: "users.update",
  method: "PATCH",
  path: "/users/{user_id}",
  who: {
    role: "administrator",
    owners: "give and take the role owner",
    permission: { name: "can_change_user_emails", refusal: "User not authorized to change user emails" },
  },
  params: { user_id: userId, ...changes },
  before: {
    read: getUsers,
    asks: ({ user_id, profile_data }, { alone, level }) => ({
      ...(profile_data && { include_custom_profile_fields: true }),
      ...(alone && level >= 384 && { user_ids: [user_id] }),
    }),
    among: { list: "members", id: "user_id", which: ({ user_id }) => user_id },
    values: ({ full_name, role, delivery_email, email, profile_data }, { profile_data: desired = [] }) => ({
      full_name,
      role,
      new_email: delivery_email ?? email,
      profile_data: desired.map(({ id, value }) => ({ id, value: fieldValue(profile_data, id, Array.isArray(value)) })),
    }),
    kept: ({ full_name, profile_data }) => ({
      full_name: full_name === undefined ? undefined : strip(full_name),
      profile_data: profile_data?.map(({ id, value }) => ({ id, value: value === "" ? null : value })),
    }),
  },
});

/** https://zulip.com/api/update-user-by-email */
export const updateUserByEmail = operation({
  name: "users.update-by-email",
  method: "PATCH",
  path: "/users/{email}",
  who: {
    role: "administrator",
    owners: "give and take the role owner",
    permission: { name: "can_change_user_emails", refusal: "User not authorized to change user emails" },
  },
  params: { email: address, ...changes },
  target: ({ email }) => `user ${email}`,
});

/** https://zulip.com/api/create-user */
export const createUser = operation({
  name: "users.create",
  method: "POST",
  path: "/users",
  who: {
    role: "administrator",
    permission: {
      name: "can_create_users",
      refusal: "User not authorized to create users",
      instead: "Invite people instead with: zulipctl invite add",
    },
  },
  params: {
    email: text({ doc: "The address." }),
    password: text({ doc: "The password.", secret: true }),
    full_name: text({ doc: "The name." }),
  },
  result: { user_id: optional(integer) },
});

/** https://zulip.com/api/deactivate-user */
export const deactivateUser = operation({
  name: "users.deactivate",
  method: "DELETE",
  path: "/users/{user_id}",
  who: { role: "administrator", owners: "deactivate owners" },
  params: {
    user_id: userId,
    deactivation_notification_comment: maybe(
      text({ doc: "What the mail to the person says; empty for a mail without comment." }),
    ),
    actions: maybe(json(anything, { doc: "What to delete of what the person wrote.", since: 459 })),
  },
});

/** https://zulip.com/api/reactivate-user */
export const reactivateUser = operation({
  name: "users.reactivate",
  method: "POST",
  path: "/users/{user_id}/reactivate",
  who: { role: "administrator" },
  params: { user_id: userId },
});

/** https://zulip.com/api/deactivate-own-user */
export const deactivateOwnUser = operation({
  name: "users.me.deactivate",
  method: "DELETE",
  path: "/users/me",
});

/** The old key stops working at once. */
export const regenerateKey = operation({
  name: "users.me.regenerate-key",
  method: "POST",
  path: "/users/me/api_key/regenerate",
  result: { api_key: string },
});

/** https://zulip.com/api/get-user-channels */
export const getUserChannels = operation({
  name: "users.channels",
  method: "GET",
  path: "/users/{user_id}/channels",
  since: 440,
  params: { user_id: userId },
  result: { subscribed_channel_ids: list(integer) },
});

/** https://zulip.com/api/get-subscription-status */
export const getSubscribed = operation({
  name: "users.subscribed",
  method: "GET",
  path: "/users/{user_id}/subscriptions/{stream_id}",
  params: { user_id: userId, stream_id: json(integer, { doc: "The channel's id.", of: "channel" }) },
  result: { is_subscribed: boolean },
});
