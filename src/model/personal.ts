/** The settings of people, and their defaults for new people. */
import { type Choices, choiceSetting, type Setting } from "./setting.ts";

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

/** `initial`: the value in a new organization. */
export type PersonalSetting = Setting & { initial: boolean | number | string };

const about = (description: string, setting: PersonalSetting, since?: number): PersonalSetting => ({
  ...setting,
  description,
  since,
});
const on = (description: string, since?: number) => about(description, { kind: "boolean", initial: true }, since);
const off = (description: string, since?: number) => about(description, { kind: "boolean", initial: false }, since);
const oneOf = (initial: number, choices: Choices): PersonalSetting => choiceSetting(choices, { initial });
const number = (initial: number): PersonalSetting => ({ kind: "number", initial });
const oneWord = (initial: string, ...others: string[]): PersonalSetting => ({
  kind: "choice",
  plain: true,
  values: [initial, ...others],
  initial,
});

const frequencies = { automatic: 1, always: 2, never: 3 };
const topicEvents = { on_participation: 1, on_send: 2, on_initiation: 3, never: 4 };
const visibilities = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 };
const channelViews = { top_topic: 1, channel_feed: 2, list_of_topics: 3, top_unread_topic: 4 };

const followed = "Whether people hear of a message in a topic that they follow";
const ofChannels = "Whether people hear of every message in their channels";
const direct = "Whether people hear of direct messages and mentions";

/** The settings by name. */
export const personalSettings: { readonly [name: string]: PersonalSetting } = {
  automatically_follow_topics_policy: about(
    "When people follow a topic without asking for it.",
    oneOf(3, topicEvents),
    214,
  ),
  automatically_follow_topics_where_mentioned: on("Whether people follow topics in which they are mentioned.", 235),
  automatically_unmute_topics_in_muted_streams_policy: about(
    "When topics of muted channels are unmuted without asking for it.",
    oneOf(2, topicEvents),
    214,
  ),
  color_scheme: about("The colors of the web app.", oneOf(1, { automatic: 1, dark: 2, light: 3 })),
  demote_inactive_streams: about(
    "Whether channels without recent messages stand at the end of the list.",
    oneOf(1, frequencies),
  ),
  desktop_icon_count_display: about(
    "What the number on the app's icon counts.",
    oneOf(1, { messages: 1, dm_mention_followed_topic: 2, dm_mention: 3, none: 4 }),
  ),
  display_emoji_reaction_users: on("Whether names of people stand beside their reactions where there are few.", 125),
  email_address_visibility: about("Who sees a person's email address.", oneOf(1, visibilities), 163),
  email_notifications_batching_period_seconds: about(
    "How long mails about messages are held back to be sent together.",
    number(120),
    82,
  ),
  emojiset: about("The style in which emoji are drawn.", oneWord("google", "twitter", "text", "google-blob")),
  enable_desktop_notifications: on(`${direct} by a notification on the desktop.`),
  enable_digest_emails: on("Whether people get the weekly mail of what they missed."),
  enable_drafts_synchronization: on("Whether drafts are the same on all devices of a person."),
  enable_followed_topic_audible_notifications: on(`${followed} by a sound.`, 189),
  enable_followed_topic_desktop_notifications: on(`${followed} by a notification on the desktop.`, 189),
  enable_followed_topic_email_notifications: on(`${followed} by mail.`, 189),
  enable_followed_topic_push_notifications: on(`${followed} by a notification on the phone.`, 189),
  enable_followed_topic_wildcard_mentions_notify: on(
    "Whether mentions of everybody in followed topics notify people.",
    189,
  ),
  enable_offline_email_notifications: on(`${direct} by mail while they are away.`),
  enable_offline_push_notifications: on(`${direct} by a notification on the phone while they are away.`),
  enable_online_push_notifications: on(`${direct} by a notification on the phone while they are online, too.`),
  enable_sounds: on(`${direct} by a sound.`),
  enable_stream_audible_notifications: off(`${ofChannels} by a sound.`),
  enable_stream_desktop_notifications: off(`${ofChannels} by a notification on the desktop.`),
  enable_stream_email_notifications: off(`${ofChannels} by mail.`),
  enable_stream_push_notifications: off(`${ofChannels} by a notification on the phone.`),
  enter_sends: off("Whether the Enter key sends a message; if false, it begins a new line."),
  fluid_layout_width: off("Whether the web app is as wide as the window."),
  hide_ai_features: off("Whether features that use AI are hidden.", 350),
  high_contrast_mode: off("Whether the web app uses stronger contrasts."),
  left_side_userlist: off("Whether the list of people stands on the left in narrow windows."),
  message_content_in_email_notifications: on("Whether mails about messages contain what they say."),
  notification_sound: about("The sound of notifications; none for no sound.", {
    kind: "text",
    plain: true,
    initial: "zulip",
  }),
  pm_content_in_desktop_notifications: on("Whether notifications on the desktop contain what direct messages say."),
  presence_enabled: on("Whether others see that a person is online."),
  realm_name_in_email_notifications_policy: about(
    "Whether the subject of mails names the organization.",
    oneOf(1, frequencies),
    168,
  ),
  receives_typing_notifications: on("Whether people see that others are typing.", 253),
  resolved_topic_notice_auto_read_policy: about(
    "Whether notices that a topic was resolved count as read.",
    oneWord("except_followed", "always", "never"),
    385,
  ),
  send_private_typing_notifications: on("Whether others see that a person is typing a direct message."),
  send_read_receipts: on("Whether others see what a person has read.", 105),
  send_stream_typing_notifications: on("Whether others see that a person is typing in a channel."),
  starred_message_counts: on("Whether the number of starred messages is shown."),
  translate_emoticons: off("Whether emoticons such as :) become emoji."),
  twenty_four_hour_time: off("Whether times are shown as 17:00; if false, as 5:00 PM."),
  user_list_style: about(
    "How the list of people looks.",
    oneOf(3, { compact: 1, with_status: 2, with_avatar: 3 }),
    141,
  ),
  web_animate_image_previews: about("When animated images move.", oneWord("on_hover", "always", "never"), 275),
  web_channel_default_view: about("What a click on a channel opens.", oneOf(1, channelViews), 269),
  web_escape_navigates_to_home_view: on("Whether the Escape key opens the home view."),
  web_font_size_px: about("The size of text in the web app, in pixels.", number(16), 245),
  web_home_view: about("The view that the web app opens with.", {
    ...oneWord("inbox", "recent", "all_messages"),
    older: { below: 454, words: { recent: "recent_topics" } },
  }),
  web_inbox_show_channel_folders: on("Whether the inbox groups channels by their folders.", 431),
  web_left_sidebar_show_channel_folders: on("Whether the list of channels is grouped by folders.", 411),
  web_left_sidebar_unreads_count_summary: on(
    "Whether headings of the left sidebar show numbers of unread messages.",
    398,
  ),
  web_line_height_percent: about(
    "The distance of lines in the web app, in percent of the size of text.",
    number(140),
    245,
  ),
  web_mark_read_on_scroll_policy: about(
    "In which views scrolling marks messages as read.",
    oneOf(1, { always: 1, conversation_only: 2, never: 3 }),
  ),
  web_navigate_to_sent_message: on("Whether the web app goes to the conversation in which a message was sent.", 268),
  web_stream_unreads_count_display_policy: about(
    "For which channels the number of unread messages is shown.",
    oneOf(2, { all_channels: 1, unmuted_channels: 2, no_channels: 3 }),
  ),
  web_suggest_update_timezone: on(
    "Whether the web app offers to change the time zone where the computer has another.",
    329,
  ),
  wildcard_mentions_notify: on("Whether mentions of everybody in a channel notify people."),
};

/** Settings that nobody can change for others. The server ignores a name without a word. */
export const ownSettings: readonly string[] = (
  "full_name email new_password timezone allow_private_data_export email_address_visibility enable_digest_emails " +
  "enable_login_emails enable_marketing_emails presence_enabled send_private_typing_notifications send_read_receipts " +
  "send_stream_typing_notifications"
).split(" ");

/** The settings that administrators can change for others. Servers do not check these three for others. */
export const settingsOfOthers: Readonly<Record<string, Setting>> = {
  ...Object.fromEntries(Object.entries(personalSettings).filter(([name]) => !ownSettings.includes(name))),
  default_language: { kind: "choice", plain: true, values: languages },
  notification_sound: { kind: "choice", plain: true, values: ["none", ...notificationSounds] },
  email_notifications_batching_period_seconds: { kind: "number", since: 82, least: 1, most: longestBatchingPeriod },
};
