/** The settings of the organization: how each is sent, who may change it, and its first feature level. */

import { json, maybe, type Param, type Replacement, textOf } from "../wire/params.ts";
import { boolean, either, integer, record, string, type Type, word } from "../wire/types.ts";
import { groupSettingUpdate } from "./group-setting.ts";

export type SettingKind =
  | "boolean"
  | "text"
  | "number"
  | "limit"
  | "choice"
  | "channel"
  | "group"
  | "other"
  | "unknown";

/** The numbers or codes that are sent, by their words. */
export type Choices = Readonly<Record<string, number | string>>;

/** How servers below a level have a setting: its name, and their words for some of today's. */
export interface OlderSetting {
  below: number;
  name?: string;
  words?: Readonly<Record<string, string>>;
}

export interface Setting {
  kind: SettingKind;
  /** The first feature level with it. */
  since?: number;
  older?: OlderSetting;
  /** From this level on servers have another setting. */
  until?: Replacement;
  /** Only owners can change it. Administrators can change others. */
  owner?: true;
  /** The allowed numbers or words. */
  values?: readonly (number | string)[];
  /** The smallest and the largest number, if the kind does not determine them. */
  least?: number;
  most?: number;
  /** Words for the numbers. */
  choices?: Choices;
  /** Members of `register` that list the numbers of this server. The first existing one counts. */
  choicesMembers?: readonly string[];
  /** The type, if the kind does not determine it. */
  type?: Type;
  /** Sent as text, without JSON. */
  plain?: true;
}

const toggle = (since?: number): Setting => ({ kind: "boolean", since });
const forOwners = (kind: SettingKind, more: Partial<Setting> = {}): Setting => ({ kind, owner: true, ...more });
const group = (since: number): Setting => ({ kind: "group", since });
const limit = (since: number): Setting => ({ kind: "limit", since });
const channel = (since: number): Setting => ({ kind: "channel", since });
export const choice = (choices: Choices, more: Partial<Setting> = {}): Setting => ({
  kind: "choice",
  choices,
  values: Object.values(choices),
  ...more,
});

const weekdays = { monday: 0, tuesday: 1, wednesday: 2, thursday: 3, friday: 4, saturday: 5, sunday: 6 };
const callProviders = {
  ...{ disabled: 0, jitsi_meet: 1, zoom: 3, big_blue_button: 4, zoom_server_to_server: 5 },
  ...{ constructor_groups: 6, nextcloud_talk: 7, webex: 8 },
};
/** Older servers have other numbers, which they list. Only they have `y`. */
const gifRatings = { disabled: 0, g: 1, pg: 2, "pg-13": 3, r: 4, y: 1 };
const previewSizes = { small: 100, medium: 150, large: 200 };
const organizationTypes = {
  unspecified: 0,
  business: 10,
  open_source: 20,
  education_nonprofit: 30,
  education_for_profit: 35,
  research: 40,
  event: 50,
  nonprofit: 60,
  government: 70,
  political_group: 80,
  community: 90,
  personal: 100,
  other: 1000,
};

const policyOfMandatoryTopics = new Map([
  [true, "disable_empty_topic"],
  [false, "allow_empty_topic"],
]);

/** Settings by name, in the order in which servers check them. */
export const organizationSettings = {
  name: { kind: "text", plain: true },
  description: { kind: "text", plain: true },
  emails_restricted_to_domains: forOwners("boolean"),
  disallow_disposable_email_addresses: forOwners("boolean"),
  invite_required: forOwners("boolean"),
  create_multiuse_invite_group: forOwners("group", { since: 209 }),
  require_unique_names: toggle(246),
  name_changes_disabled: toggle(),
  email_changes_disabled: toggle(),
  avatar_changes_disabled: toggle(),
  default_avatar_source: choice({ gravatar: "G", jdenticon: "J" }, { since: 456, plain: true }),
  inline_image_preview: toggle(),
  inline_url_embed_preview: toggle(),
  media_preview_size: choice(previewSizes, { since: 469 }),
  message_content_edit_limit_seconds: limit(138),
  message_content_delete_limit_seconds: limit(100),
  allow_message_editing: toggle(),
  message_edit_history_visibility_policy: { kind: "choice", since: 358, values: ["all", "moves", "none"], plain: true },
  default_language: { kind: "text", plain: true },
  waiting_period_threshold: forOwners("number"),
  authentication_methods: forOwners("other", { since: 1, type: record(boolean) }),
  new_stream_announcements_stream_id: channel(241),
  signup_announcements_stream_id: channel(241),
  zulip_update_announcements_stream_id: channel(242),
  moderation_request_channel_id: channel(331),
  message_retention_days: forOwners("limit", { since: 17 }),
  send_channel_events_messages: toggle(434),
  send_welcome_emails: toggle(),
  welcome_message_custom_text: { kind: "text", since: 416, plain: true },
  require_e2ee_push_notifications: toggle(409),
  digest_emails_enabled: toggle(),
  message_content_allowed_in_email_notifications: toggle(),
  digest_weekday: choice(weekdays, { since: 1 }),
  video_chat_provider: choice(callProviders, { choicesMembers: ["realm_available_video_chat_providers"] }),
  jitsi_server_url: { kind: "other", since: 212, type: string },
  gif_rating_policy: choice(gifRatings, {
    since: 55,
    older: { below: 453, name: "giphy_rating" },
    choicesMembers: ["gif_rating_policy_options", "gif_rating_options", "giphy_rating_options"],
  }),
  default_code_block_language: { kind: "text", since: 195, plain: true },
  string_id: forOwners("text", { since: 104, plain: true }),
  org_type: choice(organizationTypes, { since: 128 }),
  mandatory_topics: { kind: "boolean", until: { level: 392, by: "topics_policy", values: policyOfMandatoryTopics } },
  topics_policy: { kind: "choice", since: 392, values: ["allow_empty_topic", "disable_empty_topic"], plain: true },
  enable_spectator_access: toggle(109),
  want_advertise_in_communities_directory: toggle(129),
  enable_read_receipts: toggle(137),
  move_messages_within_stream_limit_seconds: limit(162),
  move_messages_between_streams_limit_seconds: limit(162),
  enable_guest_user_indicator: toggle(216),
  enable_guest_user_dm_warning: toggle(348),
  can_access_all_users_group: group(232),
  can_add_subscribers_group: group(341),
  can_add_custom_emoji_group: group(307),
  can_create_bots_group: group(344),
  can_create_groups: forOwners("group", { since: 299 }),
  can_create_public_channel_group: group(264),
  can_create_private_channel_group: group(266),
  can_create_web_public_channel_group: group(280),
  can_create_write_only_bots_group: group(344),
  can_delete_any_message_group: group(281),
  can_delete_own_message_group: group(291),
  can_invite_users_group: forOwners("group", { since: 321 }),
  can_manage_all_groups: forOwners("group", { since: 299 }),
  can_manage_billing_group: forOwners("group", { since: 363 }),
  can_mention_many_users_group: group(352),
  can_move_messages_between_channels_group: group(310),
  can_move_messages_between_topics_group: group(316),
  can_resolve_topics_group: group(367),
  can_set_delete_message_policy_group: group(407),
  can_set_topics_policy_group: group(392),
  can_summarize_topics_group: group(350),
  direct_message_initiator_group: group(270),
  direct_message_permission_group: group(270),
} as const satisfies { [name: string]: Setting };

export type OrganizationSetting = keyof typeof organizationSettings;

/** Returns a setting by today's name, with today's word for its value. */
export function newestSetting(
  settings: Readonly<Record<string, Setting>>,
  name: string,
  value: unknown,
): [name: string, value: unknown] {
  const [newest = name, setting] = Object.hasOwn(settings, name)
    ? [name, settings[name]]
    : (Object.entries(settings).find(([, { older }]) => older?.name === name) ?? []);
  return [newest, Object.entries(setting?.older?.words ?? {}).find(([, word]) => word === value)?.[0] ?? value];
}

/** The opposite of `newestSetting`: name and value as a server of this level has them. */
export function settingAt(
  level: number,
  settings: Readonly<Record<string, Setting>>,
  name: string,
  value: unknown,
): [name: string, value: unknown] {
  const older = Object.hasOwn(settings, name) ? settings[name]?.older : undefined;
  return older && level < older.below ? [older.name ?? name, older.words?.[String(value)] ?? value] : [name, value];
}

/** Returns the smallest allowed number. Undefined if the setting is no number. */
export const minimumOf = ({ kind, least }: Pick<Setting, "kind" | "least">): number | undefined =>
  least ?? (kind === "number" ? 0 : kind === "limit" ? 1 : undefined);

const types: { [K in Exclude<SettingKind, "choice" | "other" | "unknown">]: Type } = {
  boolean,
  text: string,
  number: integer,
  limit: either(integer, word("unlimited")),
  channel: integer,
  group: groupSettingUpdate,
};

/**
 * Returns the words of a choice with their numbers on this server: those in its answer to `register`, or `choices`.
 * Undefined for settings without words.
 */
export function choicesOf(
  { choices, choicesMembers = [] }: Setting,
  registered: Readonly<Record<string, unknown>>,
): Choices | undefined {
  const list = choicesMembers.map((name) => registered[name]).find((all) => typeof all === "object" && all !== null);
  if (!choices || !list) return choices;
  return Object.fromEntries(Object.entries(list).map(([word, each]) => [word, Number(Object(each).id)]));
}

/** Returns the word for a number, or the value itself. */
export const wordOf = (choices: Choices | undefined, value: unknown): unknown =>
  Object.entries(choices ?? {}).find(([, number]) => number === value)?.[0] ?? value;

/** Returns a setting as an optional parameter. */
export function settingParam(name: string, setting: Setting): Param<unknown, true> {
  const { kind, since, until, older, plain, values, type } = setting;
  const { words, ...before } = older ?? { below: 0 };
  const convert = words && ((value: unknown) => words[String(value)] ?? value);
  const options = { doc: `The setting ${name}.`, since, until, ...(older && { older: [{ ...before, convert }] }) };
  if (plain) return maybe(textOf(values ? word(...(values as string[])) : string, options)) as Param<unknown, true>;
  const of = kind === "group" ? "who" : kind === "channel" ? "channel" : undefined;
  return maybe(
    json(type ?? (kind === "choice" || kind === "other" || kind === "unknown" ? integer : types[kind]), {
      ...options,
      of,
    }),
  );
}

/** Members of `register` named `realm_…` that are no settings, without that part. */
const noSettings = new Set(
  (
    "allow_edit_history available_video_chat_providers billing bot_domain bots create_private_stream_policy " +
    "create_public_stream_policy create_web_public_stream_policy date_created default_external_accounts " +
    "default_stream_groups default_streams domains email_auth_enabled embedded_bots emoji empty_topic_display_name " +
    "export filters icon_source icon_url id id_str incoming_webhook_bots is_zephyr_mirror_realm linkifiers logo_source " +
    "logo_url night_logo_source night_logo_url non_active_users owner_full_content_access password_auth_enabled " +
    "plan_type playgrounds presence_disabled push_notifications_enabled push_notifications_enabled_end_timestamp " +
    "upload_quota_mib uri url user_groups user_settings_defaults users uuid wildcard_mention_policy"
  ).split(" "),
);

export const isNoSetting = (name: string): boolean => noSettings.has(name);

/** Servers refuse every change of it, and some fail. */
export const unchangeable = "workplace_users_group";

/** What `server_supported_permission_settings` says of a permission. */
export interface PermissionInfo {
  readonly allow_everyone_group?: boolean | undefined;
  readonly allow_nobody_group?: boolean | undefined;
  readonly allowed_system_groups?: readonly string[] | undefined;
  readonly default_group_name?: string | undefined;
  readonly require_system_group?: boolean | undefined;
}

type Rules = Readonly<Record<string, PermissionInfo>>;

/** Returns what the server says of its permissions. `kind`: what they are about. */
export function permissionsOfServer(
  answer: Readonly<Record<string, unknown>>,
  kind: "realm" | "stream" | "group",
): Rules {
  const { server_supported_permission_settings: all } = answer;
  return Object(Object(all)[kind]);
}

/** Returns the settings that the server has and this program does not know, by name. */
export function settingsOfServer(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, Setting>> {
  const permissions = permissionsOfServer(answer, "realm");
  const names = Object.keys(answer)
    .filter((member) => member.startsWith("realm_"))
    .map((member) => newestSetting(organizationSettings, member.slice("realm_".length), undefined)[0])
    .filter((name) => !Object.hasOwn(organizationSettings, name) && !noSettings.has(name));
  return Object.fromEntries(
    names.map((name) => [name, { kind: Object.hasOwn(permissions, name) ? "group" : "unknown" }]),
  );
}
