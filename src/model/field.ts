/** What people call the fields of things, and the words of values that name nothing. */
import { valueNamed } from "../common/object-members.ts";
import { botKinds } from "./bot.ts";
import { channelFieldRules, channelValueInWords } from "./channel.ts";
import { organizationSettings } from "./organization.ts";
import { roles } from "./person.ts";
import { personalSettings } from "./personal.ts";
import { fieldTypes } from "./profile-field.ts";
import { type Choices, choicesOf, type Setting, wordOf } from "./setting.ts";
import { withUnit } from "./unit.ts";

/** By parameter, names that are clearer. Those of channels are stated with them. */
const labels: Readonly<Record<string, string>> = {
  bot_owner_id: "owner",
  profile_data: "profile",
  ordered_linkifier_ids: "order",
  drafts: "text",
};

/** Returns the name of a parameter for people: `folder` for `folder_id`. */
export const fieldLabel = (parameter: string): string =>
  valueNamed(channelFieldRules, parameter)?.called ?? valueNamed(labels, parameter) ?? parameter;

const settings: Readonly<Record<string, Setting>> = { ...personalSettings, ...organizationSettings };

const numbered: Readonly<Record<string, Choices>> = {
  role: roles,
  invite_as: roles,
  bot_type: botKinds,
  field_type: fieldTypes,
};

function choicesNamed(name: string, registered?: Readonly<Record<string, unknown>>): Choices | undefined {
  const setting = valueNamed(settings, name);
  if (!setting) return valueNamed(numbered, name);
  // These numbers differ between servers: only the server's list explains them.
  return name === "gif_rating_policy" && !registered ? undefined : choicesOf(setting, registered ?? {});
}

/** Returns the word for a value, or the value without one. `registered`: the server's answer, if it lists the words. */
export const valueInWords = (name: string, value: unknown, registered?: Readonly<Record<string, unknown>>): unknown =>
  wordOf(choicesNamed(name, registered), value);

/** The same for people: spans of time have their units. */
export const valueForPeople = (name: string, value: unknown, registered?: Readonly<Record<string, unknown>>): unknown =>
  withUnit(name, valueInWords(name, channelValueInWords(name, value), registered));
