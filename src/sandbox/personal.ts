/** Personal records and settings of one account. */
import { notificationSounds, personalSettings } from "../model/personal.ts";
import { settingAt } from "../model/setting.ts";
import { ApiError } from "./answers.ts";
import type { StoredUser } from "./state.ts";
import type { Owned, PersonalValue } from "./stored-personal.ts";

/** Settings that new people get whatever the organization chooses. */
export const initialValues = { default_language: "en", enable_login_emails: true, enable_marketing_emails: true };

/** They, and the choices that servers list. */
const fixedSettings = (level: number) => ({
  ...initialValues,
  allow_private_data_export: false,
  available_notification_sounds: notificationSounds,
  emojiset_choices: [
    { key: "google", text: "Google" },
    { key: "twitter", text: "Twitter" },
    { key: "text", text: "Plain text" },
    ...(level > 371 ? [] : [{ key: "google-blob", text: "Google blobs" }]),
  ],
});

/** Settings of people or of new people as servers of a level show them. */
export const settingsAt = (level: number, settings: Readonly<Record<string, PersonalValue>>): object => ({
  ...fixedSettings(level),
  ...Object.fromEntries(
    Object.entries(settings)
      .filter(([name]) => level >= (personalSettings[name]?.since ?? 0))
      .map(([name, value]) => settingAt(level, personalSettings, name, value)),
  ),
});

export const settingsOfPerson = (user: StoredUser): Record<string, PersonalValue> => ({
  ...user.settings,
  email_address_visibility: user.email_address_visibility,
  enable_drafts_synchronization: user.enable_drafts_synchronization,
  allow_private_data_export: user.allow_private_data_export,
  timezone: user.timezone,
});

/** The things of an account, the oldest first. */
export const ownedBy = <T extends Owned>(all: ReadonlyMap<number, T>, { user_id }: StoredUser): T[] =>
  [...all.values()].filter((each) => each.user_id === user_id).sort((a, b) => a.timestamp - b.timestamp || a.id - b.id);

/** The thing with that id. Those of other accounts count as missing. */
export function ownThing<T extends Owned>(
  all: ReadonlyMap<number, T>,
  { user_id }: StoredUser,
  id: number,
  kind: string,
): T {
  const found = all.get(id);
  if (found?.user_id !== user_id) throw new ApiError(404, "BAD_REQUEST", `${kind} does not exist`);
  return found;
}
