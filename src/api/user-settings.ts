/** Personal settings and their defaults for new people. */

import { fits } from "../wire/fits.ts";
import { operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { anything, boolean, integer, list, record, struct } from "../wire/types.ts";
import { register, registerPart } from "./events.ts";
import { type Choices, choice, newestSetting, type Setting, settingParam } from "./settings.ts";

/** The notification sounds of servers, except `none`. */
export const notificationSounds: readonly string[] = (
  "ascend, beep_boop, bink, bright, brlip, chime, deep tom, ding, double tap, down, dry bongos, dutdut, fast ascend, " +
  "flute, friendly, kick roll, loud tintong, metallic snare, pan, shaker, simple, stairs, subtle, swish, tintong, up, " +
  "wood block, zaping, zing, zulip"
).split(", ");

/** The longest time in seconds for which servers hold back mails. */
export const longestBatchingPeriod = 7 * 24 * 3600;

/** The languages of servers, by their codes. */
export const languages: readonly string[] = (
  "ar be bg bn bqi ca cs cy da de en en-gb eo es et eu fa fi fr gl gu hi hr hu id it ja ko lt lv ml mn nl no " +
  "pl pt pt-br pt-pt ro ru si sr sv ta tl tr uk uz vi zh-hans zh-hant zh-tw"
).split(" ");

/** `first`: the value in a new organization. */
export type PersonalSetting = Setting & { first: boolean | number | string };

const off: PersonalSetting = { kind: "boolean", first: false };
const on: PersonalSetting = { kind: "boolean", first: true };
const since = (level: number, setting: PersonalSetting): PersonalSetting => ({ ...setting, since: level });
const oneOf = (first: number, choices: Choices): PersonalSetting => ({ ...choice(choices), first });
const number = (first: number): PersonalSetting => ({ kind: "number", first });
const oneWord = (first: string, ...others: string[]): PersonalSetting => ({
  kind: "choice",
  plain: true,
  values: [first, ...others],
  first,
});

const frequencies = { automatic: 1, always: 2, never: 3 };
const topicEvents = { on_participation: 1, on_send: 2, on_initiation: 3, never: 4 };
const visibilities = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 };
const channelViews = { top_topic: 1, channel_feed: 2, list_of_topics: 3, top_unread_topic: 4 };

/** The settings by name. */
export const personalSettings: { readonly [name: string]: PersonalSetting } = {
  automatically_follow_topics_policy: since(214, oneOf(3, topicEvents)),
  automatically_follow_topics_where_mentioned: since(235, on),
  automatically_unmute_topics_in_muted_streams_policy: since(214, oneOf(2, topicEvents)),
  color_scheme: oneOf(1, { automatic: 1, dark: 2, light: 3 }),
  demote_inactive_streams: oneOf(1, frequencies),
  desktop_icon_count_display: oneOf(1, { messages: 1, dm_mention_followed_topic: 2, dm_mention: 3, none: 4 }),
  display_emoji_reaction_users: since(125, on),
  email_address_visibility: since(163, oneOf(1, visibilities)),
  email_notifications_batching_period_seconds: since(82, number(120)),
  emojiset: oneWord("google", "twitter", "text", "google-blob"),
  enable_desktop_notifications: on,
  enable_digest_emails: on,
  enable_drafts_synchronization: on,
  enable_followed_topic_audible_notifications: since(189, on),
  enable_followed_topic_desktop_notifications: since(189, on),
  enable_followed_topic_email_notifications: since(189, on),
  enable_followed_topic_push_notifications: since(189, on),
  enable_followed_topic_wildcard_mentions_notify: since(189, on),
  enable_offline_email_notifications: on,
  enable_offline_push_notifications: on,
  enable_online_push_notifications: on,
  enable_sounds: on,
  enable_stream_audible_notifications: off,
  enable_stream_desktop_notifications: off,
  enable_stream_email_notifications: off,
  enable_stream_push_notifications: off,
  enter_sends: off,
  fluid_layout_width: off,
  hide_ai_features: since(350, off),
  high_contrast_mode: off,
  left_side_userlist: off,
  message_content_in_email_notifications: on,
  notification_sound: { kind: "text", plain: true, first: "zulip" },
  pm_content_in_desktop_notifications: on,
  presence_enabled: on,
  realm_name_in_email_notifications_policy: since(168, oneOf(1, frequencies)),
  receives_typing_notifications: since(253, on),
  resolved_topic_notice_auto_read_policy: since(385, oneWord("except_followed", "always", "never")),
  send_private_typing_notifications: on,
  send_read_receipts: since(105, on),
  send_stream_typing_notifications: on,
  starred_message_counts: on,
  translate_emoticons: off,
  twenty_four_hour_time: off,
  user_list_style: since(141, oneOf(3, { compact: 1, with_status: 2, with_avatar: 3 })),
  web_animate_image_previews: since(275, oneWord("on_hover", "always", "never")),
  web_channel_default_view: since(269, oneOf(1, channelViews)),
  web_escape_navigates_to_home_view: on,
  web_font_size_px: since(245, number(16)),
  web_home_view: {
    ...oneWord("inbox", "recent", "all_messages"),
    older: { below: 454, words: { recent: "recent_topics" } },
  },
  web_inbox_show_channel_folders: since(431, on),
  web_left_sidebar_show_channel_folders: since(411, on),
  web_left_sidebar_unreads_count_summary: since(398, on),
  web_line_height_percent: since(245, number(140)),
  web_mark_read_on_scroll_policy: oneOf(1, { always: 1, conversation_only: 2, never: 3 }),
  web_navigate_to_sent_message: since(268, on),
  web_stream_unreads_count_display_policy: oneOf(2, { all_channels: 1, unmuted_channels: 2, no_channels: 3 }),
  web_suggest_update_timezone: since(329, on),
  wildcard_mentions_notify: on,
};

/** Returns the defaults of new people in an answer, by today's names and in today's words. */
export function defaultsIn({ realm_user_settings_defaults: all }: Readonly<Record<string, unknown>>) {
  const entries = fits(record(anything))(all) ? Object.entries(all) : [];
  return Object.fromEntries(entries.map(([name, value]) => newestSetting(personalSettings, name, value)));
}

/** Returns the settings as parameters. */
const params = Object.fromEntries(
  Object.entries(personalSettings).map(([name, setting]) => [name, settingParam(name, setting)]),
);

/** Settings that nobody can change for others. The server ignores a name without a word. */
export const ownSettings: readonly string[] = [
  ...["full_name", "email", "new_password", "timezone", "allow_private_data_export", "email_address_visibility"],
  ...["enable_digest_emails", "enable_login_emails", "enable_marketing_emails", "presence_enabled"],
  ...["send_private_typing_notifications", "send_read_receipts", "send_stream_typing_notifications"],
];

/** The settings that administrators can change for others. Servers do not check these three for others. */
export const settingsOfOthers: Readonly<Record<string, Setting>> = {
  ...Object.fromEntries(Object.entries(personalSettings).filter(([name]) => !ownSettings.includes(name))),
  default_language: { kind: "choice", plain: true, values: languages },
  notification_sound: { kind: "choice", plain: true, values: ["none", ...notificationSounds] },
  email_notifications_batching_period_seconds: { kind: "number", since: 82, least: 1, most: longestBatchingPeriod },
};

/**
 * https://zulip.com/api/update-settings, for people who are there already. Servers below level 444 ignore `target_users`
 * and change the caller's own settings. So it is required here, and it requires the level.
 */
export const updateSettings = operation("settings.update-people", "PATCH /settings", {
  who: { role: "administrator" },
  params: {
    target_users: json(
      struct({
        user_ids: list(integer),
        group_ids: list(integer),
        /** Leaves out who has changed the same setting. */
        skip_if_already_edited: boolean,
      }),
      { since: 444, harmfulBelow: true, of: "people" },
    ),
    default_language: maybe(text()),
    ...Object.fromEntries(Object.entries(params).filter(([name]) => !ownSettings.includes(name))),
  },
  target: () => "settings of people",
});

/** https://zulip.com/api/update-realm-user-settings-defaults */
export const updateDefaults = operation("organization.defaults", "PATCH /realm/user_settings_defaults", {
  who: { role: "administrator" },
  params,
  applyOrder: Object.keys(personalSettings),
  target: () => "defaults",
  before: {
    read: register,
    argsOf: () => registerPart("realm_user_settings_defaults"),
    values: defaultsIn,
  },
});
