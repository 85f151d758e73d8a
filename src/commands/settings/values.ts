/** The settings of the organization, and those that new people get: which there are, and what they are now. */
import { distance } from "fastest-levenshtein";
import { onlyPart, register } from "../../api/events.ts";
import type { GroupSetting, GroupSettingUpdate } from "../../api/group-setting.ts";
import { settingsIn, updateOrganization } from "../../api/organization.ts";
import { leastOf, organizationSettings, type Setting, type SettingKind } from "../../api/settings.ts";
import { personalSettings, updateDefaults } from "../../api/user-settings.ts";
import type { Server } from "../../client/server.ts";
import { Usage } from "../../errors.ts";
import { readJson } from "../../notation/json.ts";
import { readReference, readWho } from "../../notation/who.ts";
import type { Context } from "../../run/context.ts";
import type { Label } from "../../run/labels.ts";
import type { AnyOperation, ArgsOf } from "../../wire/operation.ts";
import { quoted, whoInWords } from "../channel/settings.ts";

/** One of the two collections of settings. */
export interface Collection {
  /** How the words of a command choose it. */
  readonly flag: string;
  readonly settings: Readonly<Record<string, Setting>>;
  /** The call that changes them. */
  readonly update: AnyOperation;
  /** The part of the organization that they are read with. */
  readonly part: string;
  /** What the settings are now, by name, out of the answer. */
  now(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

const ofOrganization: Collection = {
  flag: "",
  settings: organizationSettings,
  update: updateOrganization,
  part: "realm",
  now: settingsIn,
};

const ofNewPeople: Collection = {
  flag: " --new-users",
  settings: personalSettings,
  update: updateDefaults,
  part: "realm_user_settings_defaults",
  now: ({ realm_user_settings_defaults: all = {} }) => all as Record<string, unknown>,
};

export const collectionOf = (newUsers: boolean | undefined): Collection => (newUsers ? ofNewPeople : ofOrganization);

export const settingOf = ({ settings }: Collection, name: string): Setting | undefined =>
  Object.hasOwn(settings, name) ? settings[name] : undefined;

export const readArgs = ({ part }: Collection): ArgsOf<typeof register> => onlyPart(part);

/** What the settings are now. */
export const current = async (server: Server, collection: Collection): Promise<Readonly<Record<string, unknown>>> =>
  collection.now(await server.call(register, readArgs(collection)));

/** What people call the kinds that have no word of their own. */
const kinds = new Map([
  ["jitsi_server_url", "url"],
  ["authentication_methods", "methods"],
]);

export const kindOf = (name: string, { kind }: { kind: SettingKind }): string => kinds.get(name) ?? kind;

export const whoMay = ({ owner }: Setting): string => (owner ? "owners" : "administrators");

const most = 5;

function near(wanted: string, names: readonly string[]): string[] {
  const off = (name: string) => (name.includes(wanted) || wanted.includes(name) ? 0 : distance(wanted, name));
  return names
    .filter((name) => off(name) <= Math.max(2, Math.floor(wanted.length / 4)))
    .sort((one, other) => off(one) - off(other))
    .slice(0, most);
}

/** The name as the server has it, typed so or with dashes. Throws `Usage` with near matches. */
export function settingName(collection: Collection, typed: string): string {
  const name = typed.trim().toLowerCase().replaceAll("-", "_");
  if (settingOf(collection, name)) return name;
  const other = collectionOf(collection === ofOrganization);
  const close = near(name, Object.keys(collection.settings));
  const hint = settingOf(other, name)
    ? collection === ofOrganization
      ? "It is a setting of people. Change the default of new people with --new-users."
      : "It is a setting of the organization: remove --new-users."
    : close.length
      ? `Did you mean: ${close.join(", ")}?`
      : `List them with: zulipctl settings list${collection.flag}`;
  throw new Usage(`unknown setting "${typed}"`, { hint });
}

/** What a setting is to be. */
export interface Wanted {
  /** As it travels. */
  value: unknown;
  words: string;
}

const yes: Readonly<Record<string, boolean>> = { true: true, yes: true, on: true, false: false, no: false, off: false };

function wholeNumber(name: string, text: string, least: number, otherwise = ""): number {
  const number = Number(text);
  if (/^-?\d{1,15}$/.test(text) && number >= least) return number;
  throw new Usage(`${name}: "${text}" must be a whole number${least > 0 ? ` of at least ${least}` : ""}${otherwise}`);
}

function oneOf(name: string, text: string, values: readonly (number | string)[]): number | string {
  const all = values.map(String);
  // Of a number a newer server may know more; a word travels only where it is known.
  if (typeof values[0] === "number" && /^\d{1,9}$/.test(text)) return Number(text);
  const found = values.find((value) => String(value) === text.toLowerCase());
  if (found !== undefined) return found;
  const close = all.filter((each) => distance(each, text.toLowerCase()) <= 2);
  throw new Usage(`${name}: invalid value "${text}": must be one of ${all.join(", ")}`, {
    ...(close.length && { hint: `Did you mean ${close.join(" or ")}?` }),
  });
}

/** Names of methods that are to be on, or which are on and off as JSON. */
function methods(name: string, text: string): readonly string[] | Readonly<Record<string, boolean>> {
  if (!text.trimStart().startsWith("{")) return text.split(",").map((each) => each.trim());
  const read = readJson(text);
  const value = "value" in read ? read.value : undefined;
  if (typeof value !== "object" || value === null || Object.values(value).some((each) => typeof each !== "boolean"))
    throw new Usage(`${name}: ${text} must be an object of true and false`, {
      hint: `For example: ${name}='{"Email":true}'`,
    });
  return value as Record<string, boolean>;
}

type Local = { value: unknown } | { channel: string } | { who: string } | { methods: ReturnType<typeof methods> };

/** What this machine can tell of a value. Throws `Usage` for one of another kind. */
export function readValue(name: string, setting: Setting, text: string): Local {
  const { kind, values } = setting;
  const least = leastOf(setting) ?? 0;
  switch (kind) {
    case "boolean": {
      const word = text.toLowerCase();
      if (Object.hasOwn(yes, word)) return { value: yes[word] };
      throw new Usage(`${name}: "${text}" must be true or false`);
    }
    case "number":
      return { value: wholeNumber(name, text, least) };
    case "limit":
      return { value: text === "unlimited" ? text : wholeNumber(name, text, least, " and not unlimited") };
    case "choice":
      return { value: oneOf(name, text, values ?? []) };
    case "channel":
      if (text === "none" || text === "-1") return { value: -1 };
      readReference(text, name, "#");
      return { channel: text };
    case "group":
      readWho(text, name);
      return { who: text };
    case "other":
      return name === "authentication_methods" ? { methods: methods(name, text) } : { value: text };
    default:
      return { value: text };
  }
}

type Methods = Readonly<Record<string, { enabled: boolean; available?: boolean } | boolean>>;

const isOn = (method: Methods[string] | undefined): boolean =>
  typeof method === "object" ? method.enabled : Boolean(method);

const onOnly = (all: Methods): string[] => Object.keys(all).filter((name) => isOn(all[name]));

/** All that there are, on where they are named. */
function switched(name: string, wanted: readonly string[], now: Methods): Record<string, boolean> {
  const find = (one: string) => Object.keys(now).find((known) => known.toLowerCase() === one.toLowerCase());
  const strange = wanted.find((one) => find(one) === undefined);
  if (strange !== undefined)
    throw new Usage(`${name}: unknown sign-in method "${strange}" on this server`, {
      hint: `Available: ${Object.keys(now).join(", ")}.`,
    });
  const on = wanted.map(find);
  return Object.fromEntries(Object.keys(now).map((known) => [known, on.includes(known)]));
}

/** The value as it travels, with look-ups; `now` is what it is. */
export async function wantedValue(
  { find }: Pick<Context, "find">,
  name: string,
  local: Local,
  now: unknown,
): Promise<Wanted> {
  if ("channel" in local) {
    const id = await find.channel(local.channel, name);
    return { value: id, words: (await find.called("channel", id)) ?? local.channel };
  }
  if ("who" in local) {
    const value = await find.who(local.who, name);
    return { value, words: await whoInWords(find, local.who, value) };
  }
  if ("methods" in local) {
    const { methods } = local;
    const value = Array.isArray(methods) ? switched(name, methods, (now ?? {}) as Methods) : methods;
    return { value, words: onOnly(value as Methods).join(", ") || "none" };
  }
  const { value } = local;
  if (value === -1) return { value, words: "none" };
  return { value, words: typeof value === "string" && value !== "unlimited" ? quoted(value) : String(value) };
}

/** A group setting as an update of it travels; `old` is what it is expected to be. */
export const groupUpdate = (value: GroupSetting, old: GroupSetting | undefined): GroupSettingUpdate => ({
  new: value,
  ...(old !== undefined && { old }),
});

/** What the ids in values are ids of. */
export const namedKinds = ["channel", "group", "user"] as const;
export type NamedKind = (typeof namedKinds)[number];

export type Labels = (kind: NamedKind) => Label;

/** The ids of one kind in the value of a setting. */
export function idsIn(kind: NamedKind, { kind: is, value }: { kind: string; value: unknown }): readonly number[] {
  if (is === "channel") return kind === "channel" && typeof value === "number" && value >= 0 ? [value] : [];
  if (is !== "group" || kind === "channel") return [];
  const who = value as GroupSetting;
  if (typeof who === "number") return kind === "group" ? [who] : [];
  return kind === "user" ? who.direct_members : who.direct_subgroups;
}

/** The value as it is read, in the words that `settings update` takes, but for names in place of ids. */
export function inWords(name: string, { kind }: Setting, now: unknown, label: Labels): string {
  if (kind === "limit" && (now === null || now === -1)) return "unlimited";
  if (kind === "channel") return typeof now !== "number" || now < 0 ? "none" : String(label("channel")(now));
  if (kind === "group") {
    if (typeof now !== "object" || now === null) return String(label("group")(now as number));
    const { direct_members, direct_subgroups } = now as Exclude<GroupSetting, number>;
    const all = [
      ...direct_members.map((id) => `user ${label("user")(id)}`),
      ...direct_subgroups.map((id) => `group ${label("group")(id)}`),
    ];
    return all.join(", ") || "nobody";
  }
  if (name === "jitsi_server_url") return String(now ?? "default");
  if (name === "authentication_methods") return onOnly(now as Methods).join(", ");
  return String(now);
}
