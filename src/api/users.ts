import { operation, type PreviousRead } from "../wire/operation.ts";
import { json, maybe } from "../wire/params.ts";
import { boolean, integer, list, nullable, object, optional, string, type Value } from "../wire/types.ts";

export const userSchema = object({
  user_id: integer,
  email: string,
  full_name: string,
  delivery_email: optional(nullable(string)),
  is_active: optional(boolean),
  is_bot: boolean,
  role: integer,
  bot_owner_id: optional(nullable(integer)),
  /** Only if true: the account was deactivated with its profile, and cannot be reactivated. */
  is_deleted: optional(boolean),
});
export type User = Value<typeof userSchema>;

/**
 * Returns the real e-mail address. Undefined if it is hidden from the account: then `email` is `user12@…`. In new
 * organizations from level 442 on, `email` has that form for everybody.
 */
export const userAddress = ({
  user_id,
  email,
  delivery_email,
}: Pick<User, "user_id" | "email" | "delivery_email">): string | undefined =>
  delivery_email ?? (delivery_email === undefined && !email.startsWith(`user${user_id}@`) ? email : undefined);

/** `active`, `deactivated`, or `deleted`: deactivated with the profile. */
export const accountState = ({ is_active, is_deleted }: Pick<User, "is_active" | "is_deleted">): string =>
  is_deleted ? "deleted" : is_active === false ? "deactivated" : "active";

/** Returns whether the account has this address, the visible one if the real one is hidden. */
export const hasUserAddress = (user: User, address: string): boolean =>
  (userAddress(user) ?? user.email).toLowerCase() === address.toLowerCase();

/** For tables, which say when an address is hidden from the account. */
export const userAddressText = (user: Parameters<typeof userAddress>[0]): string => userAddress(user) ?? "hidden";

/** https://zulip.com/api/get-users */
export const getUsers = operation("users.list", "GET /users", {
  params: {
    client_gravatar: maybe(json(boolean)),
    include_custom_profile_fields: maybe(json(boolean)),
    user_ids: maybe(json(list(integer), { of: "user", since: 384 })),
  },
  result: { members: list(userSchema) },
});

/** Whether servers of a level can return only some people. */
export const choosesUsers = (level: number): boolean => level >= (getUsers.params.user_ids.since ?? 0);

/** How to read whether accounts are active. `ofBots`: only bots, or only people. */
export const activity = (id: "user_id" | "bot_id", ofBots?: boolean): PreviousRead<Record<string, unknown>> => ({
  read: getUsers,
  inList: { list: "members", id: "user_id", idOf: (args) => args[id] },
  values: ({ is_active, is_bot }) =>
    ofBots === undefined || ofBots === is_bot ? { is_active: is_active !== false } : {},
});

/** https://zulip.com/api/get-own-user */
export const getOwnUser = operation("users.me", "GET /users/me", {
  result: { user_id: integer, email: string, full_name: string, role: integer },
});
