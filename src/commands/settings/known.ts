/** The settings of the organization, and those that new people get: which there are, and what they are now. */
import { distance } from "fastest-levenshtein";
import { onlyPart, register } from "../../api/events.ts";
import { settingsIn, updateOrganization } from "../../api/organization.ts";
import { organizationSettings, type Setting, type SettingKind } from "../../api/settings.ts";
import { personalSettings, updateDefaults } from "../../api/user-settings.ts";
import type { Server } from "../../client/server.ts";
import { Usage } from "../../errors.ts";
import type { AnyOperation, ArgsOf } from "../../wire/operation.ts";

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
