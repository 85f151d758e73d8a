/** The organization's settings, one line each: how each travels, who may change it and since when it is there. */

import { json, maybe, type Param, type Replacement, text, words } from "../wire/params.ts";
import { boolean, either, integer, record, string, type Type, word } from "../wire/types.ts";
import { groupSettingUpdate } from "./group-setting.ts";

export type SettingKind = "boolean" | "text" | "number" | "limit" | "choice" | "channel" | "group" | "other";

export interface Setting {
  kind: SettingKind;
  /** The first level that has it. */
  since?: number;
  /** Servers have another in its place from a level on. */
  until?: Replacement;
  /** For owners alone; the others are for administrators too. */
  owner?: true;
  /** The numbers or words it may be. */
  values?: readonly (number | string)[];
  /** Its type, where the kind does not determine it. */
  type?: Type;
  /** Travels as it stands, without JSON. */
  plain?: true;
}

const yesNo = (since?: number): Setting => ({ kind: "boolean", since });
const forOwners = (kind: SettingKind, more: Partial<Setting> = {}): Setting => ({ kind, owner: true, ...more });
const group = (since: number): Setting => ({ kind: "group", since });
const limit = (since: number): Setting => ({ kind: "limit", since });
const channel = (since: number): Setting => ({ kind: "channel", since });
const choice = (values: readonly number[], since?: number): Setting => ({ kind: "choice", since, values });

const organizationTypes = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000];

/** By name, in the order in which a server judges the parameters. */
export const organizationSettings = {
  name: { kind: "text", plain: true },
  description: { kind: "text", plain: true },
  emails_restricted_to_domains: forOwners("boolean"),
  disallow_disposable_email_addresses: forOwners("boolean"),
  invite_required: forOwners("boolean"),
  create_multiuse_invite_group: forOwners("group", { since: 209 }),
  require_unique_names: yesNo(246),
  name_changes_disabled: yesNo(),
  email_changes_disabled: yesNo(),
  avatar_changes_disabled: yesNo(),
  inline_image_preview: yesNo(),
  inline_url_embed_preview: yesNo(),
  message_content_edit_limit_seconds: limit(138),
  message_content_delete_limit_seconds: limit(100),
  allow_message_editing: yesNo(),
  message_edit_history_visibility_policy: { kind: "choice", since: 358, values: ["all", "moves", "none"], plain: true },
  default_language: { kind: "text", plain: true },
  waiting_period_threshold: forOwners("number"),
  authentication_methods: forOwners("other", { since: 1, type: record(boolean) }),
  new_stream_announcements_stream_id: channel(241),
  signup_announcements_stream_id: channel(241),
  zulip_update_announcements_stream_id: channel(242),
  moderation_request_channel_id: channel(331),
  message_retention_days: forOwners("limit", { since: 17 }),
  send_channel_events_messages: yesNo(434),
  send_welcome_emails: yesNo(),
  welcome_message_custom_text: { kind: "text", since: 416, plain: true },
  require_e2ee_push_notifications: yesNo(409),
  digest_emails_enabled: yesNo(),
  message_content_allowed_in_email_notifications: yesNo(),
  digest_weekday: choice([0, 1, 2, 3, 4, 5, 6], 1),
  video_chat_provider: choice([0, 1, 3, 4, 5]),
  jitsi_server_url: { kind: "other", since: 212, type: string },
  giphy_rating: choice([0, 1, 2, 3, 4, 5], 55),
  default_code_block_language: { kind: "text", since: 195, plain: true },
  string_id: forOwners("text", { since: 104, plain: true }),
  org_type: choice(organizationTypes, 128),
  mandatory_topics: { kind: "boolean", until: { level: 392, by: "topics_policy" } },
  topics_policy: { kind: "choice", since: 392, values: ["allow_empty_topic", "disable_empty_topic"], plain: true },
  enable_spectator_access: yesNo(109),
  want_advertise_in_communities_directory: yesNo(129),
  enable_read_receipts: yesNo(137),
  move_messages_within_stream_limit_seconds: limit(162),
  move_messages_between_streams_limit_seconds: limit(162),
  enable_guest_user_indicator: yesNo(216),
  enable_guest_user_dm_warning: yesNo(348),
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

/** The smallest number that a setting may be; undefined where it is none. */
export const leastOf = ({ kind }: Pick<Setting, "kind">): number | undefined =>
  kind === "number" ? 0 : kind === "limit" ? 1 : undefined;

const types: { [K in Exclude<SettingKind, "choice" | "other">]: Type } = {
  boolean,
  text: string,
  number: integer,
  limit: either(integer, word("unlimited")),
  channel: integer,
  group: groupSettingUpdate,
};

/** A setting as a parameter: optional, since a request names what it changes. */
export function settingParam(name: string, setting: Setting): Param<unknown, true> {
  const { kind, since, until, plain, values } = setting;
  const doc = `The setting ${name}.`;
  if (plain) {
    const type = values ? (word(...(values as string[])) as Type<string>) : string;
    return maybe(values ? words(type, { doc, since, until }) : text({ doc, since, until })) as Param<unknown, true>;
  }
  const type = setting.type ?? (kind === "choice" || kind === "other" ? integer : types[kind]);
  const of = kind === "group" ? "who" : kind === "channel" ? "channel" : undefined;
  return maybe(json(type, { doc, since, until, of }));
}
