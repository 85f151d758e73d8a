/** Personal settings and their defaults for new people. */

import { ownSettings, personalSettings } from "../model/personal.ts";
import { newestSetting } from "../model/setting.ts";
import { fits } from "../wire/fits.ts";
import { operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { anything, boolean, integer, list, record, struct } from "../wire/types.ts";
import { register, registerPart } from "./events.ts";
import { settingParam } from "./settings.ts";

/** Returns the defaults of new people in an answer, by today's names and in today's words. */
export function defaultsIn({ realm_user_settings_defaults: all }: Readonly<Record<string, unknown>>) {
  const entries = fits(record(anything))(all) ? Object.entries(all) : [];
  return Object.fromEntries(entries.map(([name, value]) => newestSetting(personalSettings, name, value)));
}

/** Returns the settings as parameters. */
const params = Object.fromEntries(
  Object.entries(personalSettings).map(([name, setting]) => [name, settingParam(name, setting)]),
);

/**
 * https://zulip.com/api/update-settings, for people who are there already. Servers below level 444 ignore `target_users`
 * and change the caller's own settings. So it is required here, and it requires the level.
 */
export const updateSettings = operation("settings.update-people", "PATCH /settings", {
  effects: { none: "people can set their settings back themselves" },
  who: { role: "administrator" },
  params: {
    target_users: json(
      struct({
        user_ids: list(integer),
        group_ids: list(integer),
        /** Leaves out who has changed the same setting. Servers require it. */
        skip_if_already_edited: boolean,
      }),
      { since: 444, harmfulBelow: true, of: "people" },
    ),
    default_language: maybe(text()),
    ...Object.fromEntries(Object.entries(params).filter(([name]) => !ownSettings.includes(name))),
  },
  target: () => "settings of people",
});

/** https://zulip.com/api/update-realm-user-settings-defaults */
export const updateDefaults = operation("organization.defaults", "PATCH /realm/user_settings_defaults", {
  effects: { none: "only people who join later get the values, and can change them" },
  who: { role: "administrator" },
  params,
  applyOrder: Object.keys(personalSettings),
  target: () => "defaults",
  before: {
    read: register,
    argsOf: () => registerPart("realm_user_settings_defaults"),
    values: defaultsIn,
  },
});
