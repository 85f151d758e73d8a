/** The part of `register` about the organization, its limits, and its server. */

import { namesOf } from "../common/object-members.ts";
import { channelFieldRows } from "../model/channel.ts";
import { type OrganizationPermission, organizationSettings } from "../model/organization.ts";
import { type Setting, settingAt } from "../model/setting.ts";
import { externalAccounts } from "./external-accounts.ts";
import { isIncluded, oldPolicies, policyNumber, systemGroupId, visibleSetting } from "./groups.ts";
import { organizationRulesInOrder, permissionSince, supportedPermissions } from "./permissions.ts";
import { described, type HandlerCall, since } from "./router.ts";
import { botDomain } from "./text.ts";

/** Real servers give each organization another one. */
const realmUuid = "5a6d2c1e-0b7f-4c1d-9e52-3f8a7b6c4d10";

export const maxUploadMiB = 100;

const providers = { disabled: { name: "None", id: 0 }, jitsi_meet: { name: "Jitsi Meet", id: 1 } };
/** Ratings of GIFs. `y` was removed between 371 and 442, which renumbered the others. */
function gifRatings(level: number): object {
  const words = {
    g: "G (General audience)",
    pg: "PG (Parental guidance)",
    "pg-13": "PG-13 (Parental guidance - under 13)",
    r: "R (Restricted)",
  };
  const kinds = Object.entries(level > 371 ? words : { y: "Y (Very young audience)", ...words });
  const rated = kinds.map(([key, word], index) => [key, { name: `Allow GIFs rated ${word}`, id: index + 1 }]);
  const integration = level > 371 ? "GIF" : "GIPHY";
  return {
    [level >= 453 ? "gif_rating_policy_options" : level > 371 ? "gif_rating_options" : "giphy_rating_options"]: {
      disabled: { name: `${integration} integration disabled`, id: 0 },
      ...Object.fromEntries(rated),
    },
  };
}
const reportTypes = {
  spam: "Spam",
  harassment: "Harassment",
  inappropriate: "Inappropriate content",
  norms: "Violates community norms",
  other: "Other reason",
};
const thumbnail = { max_width: 840, max_height: 560, format: "webp" };

/** Other numbers of old policies. */
const webPublicPolicies = { "role:administrators": 2, "role:moderators": 4, "role:nobody": 6, "role:owners": 7 };
const wildcardPolicies = {
  ...{ "role:members": 2, "role:fullmembers": 3 },
  ...{ "role:administrators": 5, "role:nobody": 6, "role:moderators": 7 },
};

function derivedSettings({ state }: HandlerCall): object {
  const { permissions, settings } = state.organization;
  const number = (name: OrganizationPermission, policies: { [group: string]: number }) =>
    policyNumber(state, permissions[name], policies);
  return {
    realm_allow_edit_history: settings.message_edit_history_visibility_policy !== "none",
    realm_create_public_stream_policy: number("can_create_public_channel_group", oldPolicies),
    realm_create_private_stream_policy: number("can_create_private_channel_group", oldPolicies),
    realm_create_web_public_stream_policy: number("can_create_web_public_channel_group", webPublicPolicies),
    realm_wildcard_mention_policy: number("can_mention_many_users_group", wildcardPolicies),
  };
}

function settingMembers({ state, level }: HandlerCall): object {
  const { settings, permissions } = state.organization;
  const all: { [name: string]: Setting } = organizationSettings;
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings))
    if (level >= (all[name]?.since ?? 0)) members[`realm_${settingAt(level, all, name, value)[0]}`] = value;
  // The policy replaced this setting and determines it.
  if (level >= channelFieldRows.topics_policy.since)
    members.realm_mandatory_topics = settings.topics_policy === "disable_empty_topic";
  for (const name of namesOf(organizationRulesInOrder))
    if (level >= permissionSince(name)) members[`realm_${name}`] = visibleSetting(state, permissions[name]);
  return members;
}

function serverMembers({ state, level, site }: HandlerCall): object {
  const { organization } = state;
  return {
    development_environment: false,
    event_queue_longpoll_timeout_seconds: 90,
    ...gifRatings(level),
    jitsi_server_url: organization.settings.jitsi_server_url ?? "https://meet.example",
    server_avatar_changes_disabled: false,
    server_can_summarize_topics: false,
    server_emoji_data_url: `${site}/static/generated/emoji/emoji_api.json`,
    server_generation: Math.floor(organization.date_created / 1000),
    server_inline_image_preview: true,
    server_inline_url_embed_preview: true,
    server_jitsi_server_url: "https://meet.example",
    server_max_deactivated_realm_deletion_days: null,
    server_min_deactivated_realm_deletion_days: 14,
    server_name_changes_disabled: false,
    server_needs_upgrade: false,
    server_presence_offline_threshold_seconds: 200,
    server_presence_ping_interval_seconds: 60,
    ...since(level, 435, {
      server_report_message_types: Object.entries(reportTypes).map(([key, name]) => ({ key, name })),
    }),
    server_supported_permission_settings: supportedPermissions(level),
    server_thumbnail_formats: [
      { name: "840x560-anim.webp", ...thumbnail, animated: true },
      { name: "840x560.webp", ...thumbnail, animated: false },
    ],
    server_typing_started_expiry_period_milliseconds: 45_000,
    server_typing_started_wait_period_milliseconds: 30_000,
    server_typing_stopped_wait_period_milliseconds: 12_000,
    server_web_public_streams_enabled: organization.web_public,
    settings_send_digest_emails: true,
    upgrade_text_for_wide_organization_logo: "Available on Zulip Cloud Standard. Upgrade to access.",
    zulip_plan_is_not_limited: true,
  };
}

export const defaultIcon = "/static/images/logo/zulip-icon-128x128.png";
const defaultLogo = "/static/images/logo/zulip-org-logo.svg?version=0";

const limits = (level: number): object => ({
  max_avatar_file_size_mib: 5,
  max_file_upload_size_mib: maxUploadMiB,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
  max_message_length: 10_000,
  max_stream_description_length: 1024,
  max_stream_name_length: 60,
  max_topic_length: 60,
  ...since(level, 397, { max_bulk_new_subscription_messages: 100 }),
  ...since(level, 410, { max_channel_folder_name_length: 60, max_channel_folder_description_length: 1024 }),
  ...since(level, 415, { max_reminder_note_length: 1000 }),
  password_min_guesses: 10_000,
  // Level 442 has 6, and level 468 has 8.
  password_min_length: level > 442 ? 8 : 6,
  password_max_length: 100,
});

export function realmPart(call: HandlerCall): object {
  const { state, level, site } = call;
  const { organization } = state;
  const enabled = organization.password_login;
  return {
    ...settingMembers(call),
    ...derivedSettings(call),
    ...limits(level),
    ...serverMembers(call),
    realm_authentication_methods: { Email: { enabled, available: true } },
    realm_available_video_chat_providers: providers,
    realm_bot_domain: botDomain(state),
    realm_date_created: Math.floor(organization.date_created / 1000),
    realm_default_external_accounts: externalAccounts(level),
    realm_email_auth_enabled: enabled,
    realm_empty_topic_display_name: "general chat",
    realm_icon_url: `${site}${defaultIcon}`,
    realm_icon_source: "G",
    realm_logo_url: `${site}${defaultLogo}`,
    realm_logo_source: "D",
    realm_night_logo_url: `${site}${defaultLogo}`,
    realm_night_logo_source: "D",
    ...(level > 371 ? {} : { realm_is_zephyr_mirror_realm: false }),
    ...since(level, 438, { realm_owner_full_content_access: organization.owner_full_content_access }),
    realm_password_auth_enabled: enabled,
    realm_plan_type: 1,
    realm_presence_disabled: false,
    realm_push_notifications_enabled: false,
    realm_push_notifications_enabled_end_timestamp: null,
    realm_upload_quota_mib: null,
    realm_uri: site,
    realm_url: site,
    ...since(level, described, { demo_organization_scheduled_deletion_date: null }),
    ...since(level, 466, { realm_uuid: realmUuid }),
    ...since(level, 477, { realm_workplace_users_group: systemGroupId(state, "role:everyone") }),
  };
}

/** The caller's permissions, for the official apps. */
export function callerRights({ state, caller, level }: HandlerCall): object {
  const { organization } = state;
  const isAllowed = (name: OrganizationPermission) => isIncluded(state, caller, organization.permissions[name]);
  const [open, canCreatePrivate] = [
    isAllowed("can_create_public_channel_group"),
    isAllowed("can_create_private_channel_group"),
  ];
  // These do not consider settings for web-public channels.
  const canCreateWebPublic = isAllowed("can_create_web_public_channel_group");
  return {
    can_create_private_streams: canCreatePrivate,
    can_create_public_streams: open,
    can_create_web_public_streams: canCreateWebPublic,
    can_create_streams: open || canCreatePrivate || canCreateWebPublic,
    ...since(level, described, { can_subscribe_other_users: isAllowed("can_add_subscribers_group") }),
    can_invite_others_to_realm: isAllowed("can_invite_users_group"),
  };
}
