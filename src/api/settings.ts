/** Settings as parameters, and what a server says of those that this program does not know. */
import { everyKind } from "../model/kinds/index.ts";
import { isOrganizationSetting, organizationSettings } from "../model/organization.ts";
import { newestSetting, noLimit, type Setting, type SettingKind } from "../model/setting.ts";
import { fits } from "../wire/fits.ts";
import { json, maybe, type Param, textOf } from "../wire/params.ts";
import {
  boolean,
  either,
  integer,
  list,
  object,
  optional,
  record,
  string,
  type Type,
  type Value,
  word,
} from "../wire/types.ts";
import { groupSettingUpdate } from "./group-setting.ts";

const types: { readonly [K in SettingKind]: Type } = {
  boolean,
  text: string,
  number: integer,
  limit: either(integer, word(noLimit)),
  choice: integer,
  channel: integer,
  group: groupSettingUpdate,
  url: string,
  methods: record(boolean),
  unknown: integer,
};

/** Returns a setting as an optional parameter. */
export function settingParam(name: string, setting: Setting): Param<unknown, true> {
  const { kind, since, until, older, plain, values } = setting;
  const { words, ...before } = older ?? { below: 0 };
  const convert = words && ((value: unknown) => words[String(value)] ?? value);
  const options = { doc: `The setting ${name}.`, since, until, ...(older && { older: [{ ...before, convert }] }) };
  if (plain) return maybe(textOf(values ? word(...(values as string[])) : string, options)) as Param<unknown, true>;
  const of = kind === "group" ? "who" : kind === "channel" ? "channel" : undefined;
  return maybe(json(types[kind], { ...options, of }));
}

/** What `server_supported_permission_settings` says of a permission. */
export const permissionInfo = object({
  allow_everyone_group: optional(boolean),
  allow_nobody_group: optional(boolean),
  allowed_system_groups: optional(list(string)),
  default_group_name: optional(string),
  require_system_group: optional(boolean),
});
export type PermissionInfo = Value<typeof permissionInfo>;

const isSupported = fits(record(record(permissionInfo)));

/** Returns what the server says of its permissions. `kind`: what they are about. */
export function permissionsOfServer(
  { server_supported_permission_settings: all }: Readonly<Record<string, unknown>>,
  kind: "realm" | "stream" | "group",
): Readonly<Record<string, PermissionInfo>> {
  return (isSupported(all) && all[kind]) || {};
}

/** Members of `register` named `realm_…` that are no settings, without that part. */
const noSettings = new Set(
  (
    "allow_edit_history available_video_chat_providers billing bot_domain bots create_private_stream_policy " +
    "create_public_stream_policy create_web_public_stream_policy date_created default_external_accounts " +
    "default_stream_groups default_streams email_auth_enabled embedded_bots empty_topic_display_name " +
    "export filters icon_source icon_url id id_str incoming_webhook_bots is_zephyr_mirror_realm logo_source " +
    "logo_url night_logo_source night_logo_url owner_full_content_access password_auth_enabled " +
    "plan_type presence_disabled push_notifications_enabled push_notifications_enabled_end_timestamp " +
    "upload_quota_mib uri url user_settings_defaults uuid wildcard_mention_policy"
  ).split(" "),
);

/** The members of `register` with things. */
const listed = new Set(everyKind.flatMap(([, { registered }]) => registered?.lists ?? []));

export const isNoSetting = (name: string): boolean => noSettings.has(name) || listed.has(`realm_${name}`);

/** Returns the settings that the server has and this program does not know, by name. */
export function settingsOfServer(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, Setting>> {
  const permissions = permissionsOfServer(answer, "realm");
  const names = Object.keys(answer)
    .filter((member) => member.startsWith("realm_"))
    .map((member) => newestSetting(organizationSettings, member.slice("realm_".length), undefined)[0])
    .filter((name) => !isOrganizationSetting(name) && !isNoSetting(name));
  return Object.fromEntries(
    names.map((name) => [name, { kind: Object.hasOwn(permissions, name) ? "group" : "unknown" }]),
  );
}
