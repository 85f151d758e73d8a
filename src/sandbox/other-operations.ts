/** Calls of other clients. zulipctl does not make them, but they change what it reads. */
import { setStatus } from "../api/presence.ts";
import { updateSettings } from "../api/user-settings.ts";
import { operation } from "../wire/operation.ts";
import { json, maybe } from "../wire/params.ts";
import { anything, integer, list } from "../wire/types.ts";

/** Settings of the caller at the addresses of older clients. They take the same parameters. */
export const updateDisplaySettings = operation("settings.update-display", "PATCH /settings/display", {
  effects: { none: "only settings of the caller" },
  params: updateSettings.params,
});
export const updateNotificationSettings = operation("settings.update-notifications", "PATCH /settings/notifications", {
  effects: { none: "only settings of the caller" },
  params: updateSettings.params,
});

/** https://zulip.com/api/update-status-for-user */
export const setStatusOf = operation("status.set-of-user", "POST /users/{user_id}/status", {
  effects: { none: "a status passes by itself" },
  since: 407,
  params: { user_id: json(integer, { of: "user" }), ...setStatus.params },
});

/** Profile values of the caller. */
export const updateOwnProfile = operation("profile.update", "PATCH /users/me/profile_data", {
  effects: { none: "only the profile of the caller" },
  params: { data: json(list(anything)) },
});
export const clearOwnProfile = operation("profile.clear", "DELETE /users/me/profile_data", {
  effects: { none: "only the profile of the caller" },
  params: { data: json(list(integer)) },
});

/** https://zulip.com/api/update-subscriptions */
export const updateSubscriptions = operation("channel.update-subscriptions", "PATCH /users/me/subscriptions", {
  effects: { none: "only subscriptions of the caller" },
  params: { add: maybe(json(list(anything))), delete: maybe(json(list(anything))) },
});
