/** The meaning of each setting, and its default in a new organization (`initial`). */
import type { OrganizationSetting } from "../../api/settings.ts";

export interface About {
  readonly description: string;
  readonly initial?: unknown;
}

const meaning = (description: string, initial?: unknown): About => ({ description, initial });
const onByDefault = (description: string): About => meaning(description, true);
const offByDefault = (description: string): About => meaning(description, false);

/** Without permissions: servers send their defaults, and `permissions` describes them. */
export const aboutOrganization: { readonly [N in OrganizationSetting]?: About } = {
  name: meaning("The organization's name, shown above everything."),
  description: meaning("What the organization is about, shown on its login page.", ""),
  emails_restricted_to_domains: offByDefault(
    "Whether new accounts need an email address of one of the allowed domains.",
  ),
  disallow_disposable_email_addresses: onByDefault(
    "Whether addresses of throw-away email services are refused for new accounts.",
  ),
  invite_required: onByDefault(
    "Whether people need an invitation to join. If false, everybody with an allowed address can join.",
  ),
  require_unique_names: offByDefault("Whether two people must not have the same name."),
  name_changes_disabled: offByDefault("Whether people are kept from changing their own name."),
  email_changes_disabled: offByDefault("Whether people are kept from changing their own email address."),
  avatar_changes_disabled: offByDefault("Whether people are kept from changing their own picture."),
  default_avatar_source: meaning("Where the pictures of people who have uploaded none come from.", "jdenticon"),
  inline_image_preview: onByDefault("Whether images that a message links to are shown below it."),
  inline_url_embed_preview: offByDefault("Whether websites that a message links to are previewed below it."),
  media_preview_size: meaning("How large previews of images and videos are.", "small"),
  message_content_edit_limit_seconds: meaning(
    "How long after sending people may edit the content of their messages.",
    600,
  ),
  message_content_delete_limit_seconds: meaning("How long after sending people may delete their messages.", 600),
  allow_message_editing: onByDefault("Whether people may edit the content of their messages at all."),
  message_edit_history_visibility_policy: meaning("What of a message's earlier versions people see.", "all"),
  default_language: meaning("The language of new people and of mails to them, by its code.", "en"),
  waiting_period_threshold: meaning("Days after which a new member counts as a full member.", 0),
  authentication_methods: meaning("The ways in which people can log in."),
  new_stream_announcements_stream_id: meaning("The channel in which new public channels are announced."),
  signup_announcements_stream_id: meaning("The channel in which new people are announced.", -1),
  zulip_update_announcements_stream_id: meaning("The channel in which new features of Zulip are announced."),
  moderation_request_channel_id: meaning("The private channel that gets reports about messages.", -1),
  message_retention_days: meaning("Days after which messages are deleted, where a channel has no rule of its own.", -1),
  send_channel_events_messages: offByDefault("Whether changes of channels are announced by messages in them."),
  send_welcome_emails: onByDefault("Whether new people get mails that introduce Zulip."),
  welcome_message_custom_text: meaning("A text that new people get with their first message from Zulip.", ""),
  require_e2ee_push_notifications: offByDefault(
    "Whether phones get the content of messages only by end-to-end encryption.",
  ),
  digest_emails_enabled: offByDefault("Whether people who were away get a weekly mail of what they missed."),
  message_content_allowed_in_email_notifications: onByDefault("Whether mails about messages contain what they say."),
  digest_weekday: meaning("The day on which weekly mails are sent.", 1),
  video_chat_provider: meaning("The service that the button for calls uses.", 1),
  jitsi_server_url: meaning("The Jitsi server for calls; default is that of the Zulip server.", null),
  gif_rating_policy: meaning("The strongest rating of GIFs that people can pick.", "g"),
  default_code_block_language: meaning("The language in which code blocks without one are highlighted.", ""),
  string_id: meaning("The organization's part of the address, changed only in demonstrations."),
  org_type: meaning("The kind of organization, which decides some defaults when it is made.", 0),
  mandatory_topics: offByDefault("Whether messages in channels need a topic."),
  topics_policy: meaning("Whether messages in channels may have an empty topic.", "allow_empty_topic"),
  enable_spectator_access: offByDefault("Whether web-public channels can be read without an account."),
  want_advertise_in_communities_directory: offByDefault(
    "Whether the organization is listed in the directory of communities.",
  ),
  enable_read_receipts: meaning("Whether people see who has read a message."),
  move_messages_within_stream_limit_seconds: meaning(
    "How long after sending messages may be moved to another topic by people who are no moderators.",
    604_800,
  ),
  move_messages_between_streams_limit_seconds: meaning(
    "How long after sending messages may be moved to another channel by people who are no moderators.",
    604_800,
  ),
  enable_guest_user_indicator: onByDefault("Whether the names of guests are marked as those of guests."),
  enable_guest_user_dm_warning: onByDefault("Whether people are warned when they write a direct message to a guest."),
};

const followed = "Whether people hear of a message in a topic that they follow";
const ofChannels = "Whether people hear of every message in their channels";
const direct = "Whether people hear of direct messages and mentions";

/** The settings of new users. Their table has the defaults. */
export const aboutNewUsers: Readonly<Record<string, string>> = {
  automatically_follow_topics_policy: "When people follow a topic without asking for it.",
  automatically_follow_topics_where_mentioned: "Whether people follow topics in which they are mentioned.",
  automatically_unmute_topics_in_muted_streams_policy:
    "When topics of muted channels are unmuted without asking for it.",
  color_scheme: "The colors of the web app.",
  demote_inactive_streams: "Whether channels without recent messages stand at the end of the list.",
  desktop_icon_count_display: "What the number on the app's icon counts.",
  display_emoji_reaction_users: "Whether names of people stand beside their reactions where there are few.",
  email_address_visibility: "Who sees a person's email address.",
  email_notifications_batching_period_seconds: "How long mails about messages are held back to be sent together.",
  emojiset: "The style in which emoji are drawn.",
  enable_desktop_notifications: `${direct} by a notification on the desktop.`,
  enable_digest_emails: "Whether people get the weekly mail of what they missed.",
  enable_drafts_synchronization: "Whether drafts are the same on all devices of a person.",
  enable_followed_topic_audible_notifications: `${followed} by a sound.`,
  enable_followed_topic_desktop_notifications: `${followed} by a notification on the desktop.`,
  enable_followed_topic_email_notifications: `${followed} by mail.`,
  enable_followed_topic_push_notifications: `${followed} by a notification on the phone.`,
  enable_followed_topic_wildcard_mentions_notify: "Whether mentions of everybody in followed topics notify people.",
  enable_offline_email_notifications: `${direct} by mail while they are away.`,
  enable_offline_push_notifications: `${direct} by a notification on the phone while they are away.`,
  enable_online_push_notifications: `${direct} by a notification on the phone while they are online, too.`,
  enable_sounds: `${direct} by a sound.`,
  enable_stream_audible_notifications: `${ofChannels} by a sound.`,
  enable_stream_desktop_notifications: `${ofChannels} by a notification on the desktop.`,
  enable_stream_email_notifications: `${ofChannels} by mail.`,
  enable_stream_push_notifications: `${ofChannels} by a notification on the phone.`,
  enter_sends: "Whether the Enter key sends a message; if false, it begins a new line.",
  fluid_layout_width: "Whether the web app is as wide as the window.",
  hide_ai_features: "Whether features that use AI are hidden.",
  high_contrast_mode: "Whether the web app uses stronger contrasts.",
  left_side_userlist: "Whether the list of people stands on the left in narrow windows.",
  message_content_in_email_notifications: "Whether mails about messages contain what they say.",
  notification_sound: "The sound of notifications; none for no sound.",
  pm_content_in_desktop_notifications: "Whether notifications on the desktop contain what direct messages say.",
  presence_enabled: "Whether others see that a person is online.",
  realm_name_in_email_notifications_policy: "Whether the subject of mails names the organization.",
  receives_typing_notifications: "Whether people see that others are typing.",
  resolved_topic_notice_auto_read_policy: "Whether notices that a topic was resolved count as read.",
  send_private_typing_notifications: "Whether others see that a person is typing a direct message.",
  send_read_receipts: "Whether others see what a person has read.",
  send_stream_typing_notifications: "Whether others see that a person is typing in a channel.",
  starred_message_counts: "Whether the number of starred messages is shown.",
  translate_emoticons: "Whether emoticons such as :) become emoji.",
  twenty_four_hour_time: "Whether times are shown as 17:00; if false, as 5:00 PM.",
  user_list_style: "How the list of people looks.",
  web_animate_image_previews: "When animated images move.",
  web_channel_default_view: "What a click on a channel opens.",
  web_escape_navigates_to_home_view: "Whether the Escape key opens the home view.",
  web_font_size_px: "The size of text in the web app, in pixels.",
  web_home_view: "The view that the web app opens with.",
  web_inbox_show_channel_folders: "Whether the inbox groups channels by their folders.",
  web_left_sidebar_show_channel_folders: "Whether the list of channels is grouped by folders.",
  web_left_sidebar_unreads_count_summary: "Whether headings of the left sidebar show numbers of unread messages.",
  web_line_height_percent: "The distance of lines in the web app, in percent of the size of text.",
  web_mark_read_on_scroll_policy: "In which views scrolling marks messages as read.",
  web_navigate_to_sent_message: "Whether the web app goes to the conversation in which a message was sent.",
  web_stream_unreads_count_display_policy: "For which channels the number of unread messages is shown.",
  web_suggest_update_timezone: "Whether the web app offers to change the time zone where the computer has another.",
  wildcard_mentions_notify: "Whether mentions of everybody in a channel notify people.",
};
