/** The settings of the organization and of new users, with their current values. */

import { type register, registerPart } from "../../api/events.ts";
import { registeredSettings, updateOrganization } from "../../api/organization.ts";
import { isNoSetting, settingsOfServer } from "../../api/settings.ts";
import { defaultsIn, updateDefaults } from "../../api/user-settings.ts";
import { type IdsOfKind, idsInWho, type Labels, readLabels, whoText } from "../../cli/columns.ts";
import { isBlank } from "../../common/folding.ts";
import type { Fields } from "../../common/object-members.ts";
import { didYouMean } from "../../common/suggestions.ts";
import { Usage } from "../../errors.ts";
import { valueForPeople } from "../../model/field.ts";
import { isOrganizationSetting, organizationSettings } from "../../model/organization.ts";
import { ownSettings, personalSettings, settingsOfOthers } from "../../model/personal.ts";
import {
  choicesOf,
  methodStates,
  minimumOf,
  newestSetting,
  noLimit,
  type Setting,
  sentValue,
} from "../../model/setting.ts";
import { spanExample, unitOf } from "../../model/unit.ts";
import { readJson } from "../../notation/read-json.ts";
import { readGroupSetting, readReference } from "../../notation/references.ts";
import { readPlainValue } from "../../notation/setting-text.ts";
import { jsonText } from "../../output/sanitize.ts";
import type { NameResolver } from "../../resolve/resolver.ts";
import type { Context } from "../../run/context.ts";
import type { AnyOperation, ArgsOf } from "../../wire/operation.ts";

/** One of the two sets of settings. */
export interface Collection {
  /** The words that choose it in commands. */
  readonly flag: string;
  readonly settings: Readonly<Record<string, Setting>>;
  readonly update: AnyOperation;
  /** Reads the values. */
  readonly read: ArgsOf<typeof register>;
  /** Returns the current values by name. */
  valuesIn(answer: Fields): Fields;
}

const organizationSet: Collection = {
  flag: "",
  settings: organizationSettings,
  update: updateOrganization,
  read: registerPart("realm"),
  valuesIn: registeredSettings,
};

const newUsersSet: Collection = {
  flag: " --new-users",
  settings: personalSettings,
  update: updateDefaults,
  read: registerPart("realm_user_settings_defaults"),
  valuesIn: defaultsIn,
};

/** Adds what only the server knows. */
export const withServersSettings = (collection: Collection, answer: Fields): Collection =>
  collection === organizationSet
    ? { ...collection, settings: { ...collection.settings, ...settingsOfServer(answer) } }
    : collection;

/** Returns whether a name may be that of a setting that only the server knows. */
export const mayBeNewer = (collection: Collection, typed: string): boolean =>
  collection === organizationSet &&
  !Object.hasOwn(collection.settings, nameIn(collection.settings, typed)) &&
  !isNoSetting(nameIn(collection.settings, typed)) &&
  !Object.hasOwn(personalSettings, nameIn(personalSettings, typed));

export const collectionOf = (newUsers: boolean | undefined): Collection => (newUsers ? newUsersSet : organizationSet);

/** Returns the wire name of a setting, typed with dashes or underscores. */
const nameIn = (settings: Collection["settings"], typed: string): string =>
  newestSetting(settings, typed.trim().toLowerCase().replaceAll("-", "_"), undefined)[0];

/** Returns the wire name of a setting. Throws `Usage` with similar names. */
export function settingName(collection: Collection, typed: string): string {
  const name = nameIn(collection.settings, typed);
  if (Object.hasOwn(collection.settings, name)) return name;
  if (isNoSetting(name)) throw new Usage(`${name} is not a setting: nobody can change it`);
  const isOrganization = collection.update === updateOrganization;
  const other = collectionOf(isOrganization);
  const hint = Object.hasOwn(other.settings, name)
    ? isOrganization
      ? "It is a setting of people. Change the default of new people with --new-users, and those of others with --people."
      : "It is a setting of the organization: remove --new-users."
    : undefined;
  throw unknownSetting(collection, typed, name, hint);
}

/** Returns the wire name of a setting that administrators can change for others. Throws `Usage`. */
export function settingNameOfOthers(typed: string): string {
  const name = nameIn(settingsOfOthers, typed);
  if (Object.hasOwn(settingsOfOthers, name)) return name;
  if (name === "full_name")
    throw new Usage("full_name: servers ignore it with --people", {
      hint: "Rename people with: zulipctl users update <user> --full-name <name>",
    });
  if (ownSettings.includes(name)) throw new Usage(`${name} is private: nobody can change it for others`);
  const hint = isOrganizationSetting(name) ? "It is a setting of the organization: remove --people." : undefined;
  throw unknownSetting({ settings: settingsOfOthers, flag: newUsersSet.flag }, typed, name, hint);
}

const unknownSetting = (
  { settings, flag }: Pick<Collection, "settings" | "flag">,
  typed: string,
  name: string,
  hint = didYouMean(name, Object.keys(settings)) ?? `List them with: zulipctl settings list${flag}`,
) => new Usage(`unknown setting "${typed}"`, { hint });

function oneOf(name: string, text: string, all: readonly string[]): Usage {
  return new Usage(`${name}: invalid value "${text}": must be one of ${all.join(", ")}`, {
    hint: didYouMean(text, all),
  });
}

/** Returns the failure for a text that the setting cannot have. */
function invalidValue(name: string, setting: Setting, text: string): Usage {
  const { kind, choices, values = [] } = setting;
  if (kind === "boolean") return new Usage(`${name}: "${text}" must be true or false`);
  if (kind === "choice") return oneOf(name, text, choices ? Object.keys(choices) : values.map(String));
  const least = minimumOf(setting) ?? 0;
  const most = setting.most === undefined ? "" : ` and at most ${setting.most}`;
  const number = `a whole number${least > 0 ? ` of at least ${least}` : ""}${most}`;
  const unit = unitOf(name);
  const also = [unit && spanExample(unit), kind === "limit" && noLimit].filter(Boolean);
  return new Usage(`${name}: "${text}" must be ${[number, ...also].join(", or ")}`);
}

const maxInteger = 2 ** 31 - 1;

/** Reads a value of a setting that only the server knows: its current value says what it can be. */
function readUnknown(name: string, text: string, now: unknown): unknown {
  if (typeof now === "string") return text;
  const what = typeof now === "boolean" ? "true or false" : "a whole number";
  if (typeof now !== "boolean" && typeof now !== "number")
    throw new Usage(
      `${name}: unknown to this version of zulipctl, and its current value is not a text, a number or a boolean`,
      {
        hint: "Upgrade zulipctl, or use: zulipctl api PATCH /realm",
      },
    );
  const value = readPlainValue(
    name,
    { kind: typeof now === "boolean" ? "boolean" : "number", least: -maxInteger },
    text,
  );
  if (value === undefined) throw new Usage(`${name}: "${text}" must be ${what}, as its current value is`);
  return value;
}

/** Looks up names in a value. `now`: the current value. `registered`: the server's answer. */
type ValueReader = (names: NameResolver, now: unknown, registered: Fields) => Promise<unknown>;

/** Reads a typed value. Throws `Usage` if the kind is wrong. */
export function readValue(name: string, setting: Setting, text: string): ValueReader {
  const { kind, choices } = setting;
  switch (kind) {
    case "boolean":
    case "number":
    case "limit":
    case "choice": {
      const value = readPlainValue(name, setting, text);
      if (value === undefined) throw invalidValue(name, setting, text);
      return choices ? readChoice(name, setting, text, value) : async () => value;
    }
    case "channel":
      if (text === "none" || text === "-1") return async () => -1;
      readReference(text, name, "#");
      return (names) => names.channel(text, name);
    case "group":
      readGroupSetting(text, name);
      return (names) => names.who(text, name);
    case "unknown":
      return async (_, now) => readUnknown(name, text, now);
    case "methods":
      return readMethods(name, text);
    case "url":
      if (isBlank(text)) throw new Usage(`${name} is empty`, { hint: `For the server's own: ${name}=default` });
      return async () => text;
    default:
      // Servers accept it, but only an unset variable asks for it.
      if (name === "name" && isBlank(text)) throw new Usage("name is empty: an organization needs a name");
      return async () => text;
  }
}

/** Returns the number of a word. Some servers list their choices. */
function readChoice(name: string, setting: Setting, text: string, read: unknown): ValueReader {
  return async (_, __, registered) => {
    const all = choicesOf(setting, registered) ?? {};
    const value = typeof read === "number" ? read : all[String(read)];
    // A newer server may know more numbers.
    if (value === undefined || (all !== setting.choices && !Object.values(all).includes(value)))
      throw new Usage(`${name}: this server has no "${text}": must be one of ${Object.keys(all).join(", ")}`);
    return value;
  };
}

const enabledMethods = (all: unknown): string =>
  Object.entries(methodStates(all))
    .filter(([, isOn]) => isOn)
    .map(([name]) => name)
    .join(", ");

/** `true`, or as servers store it. */
const isMethodState = (state: unknown): boolean =>
  typeof state === "boolean" || (typeof state === "object" && state !== null && "enabled" in state);

/** Reads names of sign-in methods to switch on, or a JSON object. */
function readMethods(name: string, text: string): ValueReader {
  if (!text.trimStart().startsWith("{"))
    return async (_, now) => withMethods(name, text.split(","), Object.keys(methodStates(now)));
  const read = readJson(text);
  const value = "value" in read ? read.value : undefined;
  if (typeof value !== "object" || value === null || !Object.values(value).every(isMethodState))
    throw new Usage(`${name}: ${text} must be an object of true and false`, {
      hint: `For example: ${name}='{"Email":true}'`,
    });
  return async () => methodStates(value);
}

/** Returns all methods, with the named ones on. */
function withMethods(name: string, typed: readonly string[], all: readonly string[]): Record<string, boolean> {
  const methods = new Map(all.map((method) => [method.toLowerCase(), method]));
  const on = new Set(typed.map((method) => method.trim().toLowerCase()));
  const unknown = typed.find((method) => !methods.has(method.trim().toLowerCase()));
  if (unknown !== undefined)
    throw new Usage(`${name}: unknown sign-in method "${unknown.trim()}" on this server`, {
      hint: `Available: ${all.join(", ")}.`,
    });
  return Object.fromEntries([...methods].map(([lowercase, method]) => [method, on.has(lowercase)]));
}

/** Reads the names of all ids in the values. */
export const labelsOf = (context: Context, records: readonly { kind: string; value: unknown }[]): Promise<Labels> =>
  readLabels(
    context,
    records.flatMap(({ kind, value }): IdsOfKind[] => {
      if (kind === "group") return idsInWho(value);
      return kind === "channel" && typeof value === "number" && value >= 0 ? [["channel", [value]]] : [];
    }),
  );

/**
 * Formats a value in the words of `settings update`, with names in place of ids and units for spans of time.
 * `registered`: the server's answer.
 */
export function inWords(name: string, setting: Setting, now: unknown, label: Labels, registered: Fields): string {
  const { kind } = setting;
  if (kind === "channel") return typeof now !== "number" || now < 0 ? "none" : String(label("channel")(now));
  if (kind === "group") return String(whoText(now, label));
  if (kind === "unknown") return typeof now === "string" ? now : jsonText(now);
  if (kind === "methods") return enabledMethods(now);
  return String(valueForPeople(name, sentValue(setting, now), registered));
}
