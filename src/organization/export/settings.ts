import type { GroupSetting } from "../../api/group-setting.ts";
import { type OrganizationSetting, organizationSettings, type Setting } from "../../api/settings.ts";
import { sections } from "../file.ts";
import type { Naming } from "../naming.ts";
import type { Entry, ExportContext, Telling } from "./entry.ts";

const methods = (value: unknown): Entry =>
  Object.fromEntries(
    Object.entries(value as Entry)
      .map(([name, told]) => [name, typeof told === "object" ? (told as { enabled?: unknown }).enabled : told] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** What the setting is in the words in which it is written. */
function written(name: OrganizationSetting, value: unknown, { who, channel }: Naming): unknown {
  const { kind }: Setting = organizationSettings[name];
  if (value === undefined) return undefined;
  if (kind === "group") return who(value as GroupSetting);
  if (kind === "channel") return value === -1 ? null : channel(value as number);
  if (kind === "limit") return value === null || value === -1 ? "unlimited" : value;
  if (name === "authentication_methods") return methods(value);
  if (name === "jitsi_server_url") return value ?? "default";
  return value;
}

/** What a setting is, in the words in which it is written; undefined where the server does not tell. */
export const settingTold = ({ snapshot, naming }: Telling, section: "settings" | "new_users", name: string): unknown =>
  section === "new_users"
    ? snapshot.organization.realm_user_settings_defaults?.[name]
    : written(name as OrganizationSetting, (snapshot.organization as Entry)[`realm_${name}`], naming);

export function settingsOf(context: ExportContext, section: "settings" | "new_users"): Entry {
  const told = Object.keys(sections[section].members).map((name): [string, unknown] => [
    name,
    settingTold(context, section, name),
  ]);
  return Object.fromEntries(told.filter(([, value]) => value !== undefined));
}
