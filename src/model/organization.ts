/** The settings of the organization: what each is about, its first level, who may change it, and its words. */
import { namesOf, valueNamed } from "../common/object-members.ts";
import { callProviders, gifRatings, organizationTypes, previewSizes, weekdays } from "./organization-choices.ts";
import { type PermissionRule, permissionRule } from "./permission.ts";
import { deletesMessages, ifSwitchedOff, showsChannels, switchesOffMethods } from "./risk.ts";
import { choiceSetting, type DestructiveEffect, type RiskContext, type Setting, type SettingKind } from "./setting.ts";

/** Returns a function that states a setting of a kind. `initial`: absent if new organizations differ. */
const row =
  <K extends SettingKind, I>(kind: K) =>
  (initial: I | undefined, description: string, since?: number) => ({ kind, initial, description, since });
const toggle = row<"boolean", boolean>("boolean");
const number = row<"number", number>("number");
const limit = row<"limit", number>("limit");
const channel = row<"channel", -1>("channel");
const plain = { plain: true } as const;
const text = (...facts: Parameters<ReturnType<typeof row<"text", string>>>) => ({
  ...row<"text", string>("text")(...facts),
  ...plain,
});
const word = (values: readonly [string, ...string[]], description: string, since: number) => ({
  ...row<"choice", string>("choice")(values[0], description, since),
  ...plain,
  values,
});
const permission = (since: number, rule: PermissionRule) => ({ kind: "group" as const, since, rule });
const forOwners = <S extends Setting>(setting: S) => ({ ...setting, owner: true as const });

const members = permissionRule("role:members");
const everybody = permissionRule("role:everyone", { everyone: true });

const policyOfMandatoryTopics = new Map([
  [true, "disable_empty_topic"],
  [false, "allow_empty_topic"],
]);

/** Settings by name, in the order in which servers check them. */
export const organizationSettings = {
  name: text(undefined, "The organization's name, shown above everything."),
  description: text("", "What the organization is about, shown on its login page."),
  emails_restricted_to_domains: forOwners({
    ...toggle(false, "Whether new accounts need an email address of one of the allowed domains."),
    risk: ifSwitchedOff("lets people join with an e-mail address of any domain"),
  }),
  disallow_disposable_email_addresses: forOwners({
    ...toggle(true, "Whether addresses of throw-away email services are refused for new accounts."),
    risk: ifSwitchedOff("lets people join with disposable e-mail addresses"),
  }),
  invite_required: forOwners({
    ...toggle(true, "Whether people need an invitation to join. If false, everybody with an allowed address can join."),
    risk: ifSwitchedOff("lets anybody join without an invitation"),
  }),
  create_multiuse_invite_group: forOwners(permission(209, permissionRule("role:administrators"))),
  require_unique_names: toggle(false, "Whether two people must not have the same name.", 246),
  name_changes_disabled: toggle(false, "Whether people are kept from changing their own name."),
  email_changes_disabled: toggle(false, "Whether people are kept from changing their own email address."),
  avatar_changes_disabled: toggle(false, "Whether people are kept from changing their own picture."),
  default_avatar_source: choiceSetting(
    { gravatar: "G", jdenticon: "J" },
    {
      description: "Where the pictures of people who have uploaded none come from.",
      initial: "jdenticon",
      since: 456,
      plain: true,
    },
  ),
  inline_image_preview: toggle(true, "Whether images that a message links to are shown below it."),
  inline_url_embed_preview: toggle(false, "Whether websites that a message links to are previewed below it."),
  media_preview_size: choiceSetting(previewSizes, {
    description: "How large previews of images and videos are.",
    initial: "small",
    since: 469,
  }),
  message_content_edit_limit_seconds: limit(
    600,
    "How long after sending people may edit the content of their messages.",
    138,
  ),
  message_content_delete_limit_seconds: limit(600, "How long after sending people may delete their messages.", 100),
  allow_message_editing: toggle(true, "Whether people may edit the content of their messages at all."),
  message_edit_history_visibility_policy: word(
    ["all", "moves", "none"],
    "What of a message's earlier versions people see.",
    358,
  ),
  default_language: text("en", "The language of new people and of mails to them, by its code."),
  waiting_period_threshold: forOwners(number(0, "Days after which a new member counts as a full member.")),
  authentication_methods: forOwners({
    kind: "methods",
    since: 1,
    description: "The ways in which people can log in.",
    risk: switchesOffMethods,
  }),
  new_stream_announcements_stream_id: channel(
    undefined,
    "The channel in which new public channels are announced.",
    241,
  ),
  signup_announcements_stream_id: channel(-1, "The channel in which new people are announced.", 241),
  zulip_update_announcements_stream_id: channel(
    undefined,
    "The channel in which new features of Zulip are announced.",
    242,
  ),
  moderation_request_channel_id: channel(-1, "The private channel that gets reports about messages.", 331),
  message_retention_days: forOwners({
    ...limit(-1, "Days after which messages are deleted, where a channel has no rule of its own.", 17),
    unlimited: -1,
    risk: deletesMessages,
  }),
  send_channel_events_messages: toggle(false, "Whether changes of channels are announced by messages in them.", 434),
  send_welcome_emails: toggle(true, "Whether new people get mails that introduce Zulip."),
  welcome_message_custom_text: text("", "A text that new people get with their first message from Zulip.", 416),
  require_e2ee_push_notifications: toggle(
    false,
    "Whether phones get the content of messages only by end-to-end encryption.",
    409,
  ),
  digest_emails_enabled: toggle(false, "Whether people who were away get a weekly mail of what they missed."),
  message_content_allowed_in_email_notifications: toggle(true, "Whether mails about messages contain what they say."),
  digest_weekday: choiceSetting(weekdays, {
    description: "The day on which weekly mails are sent.",
    initial: "tuesday",
    since: 1,
  }),
  video_chat_provider: choiceSetting(callProviders, {
    description: "The service that the button for calls uses.",
    initial: "jitsi_meet",
    choicesMembers: ["realm_available_video_chat_providers"],
  }),
  jitsi_server_url: {
    kind: "url",
    since: 212,
    initial: null,
    description: "The Jitsi server for calls; default is that of the Zulip server.",
  },
  gif_rating_policy: choiceSetting(gifRatings, {
    description: "The strongest rating of GIFs that people can pick.",
    initial: "g",
    since: 55,
    older: { below: 453, name: "giphy_rating" },
    choicesMembers: ["gif_rating_policy_options", "gif_rating_options", "giphy_rating_options"],
  }),
  default_code_block_language: text("", "The language in which code blocks without one are highlighted.", 195),
  string_id: forOwners(text(undefined, "The organization's part of the address, changed only in demonstrations.", 104)),
  org_type: choiceSetting(organizationTypes, {
    description: "The kind of organization, which decides some defaults when it is made.",
    initial: "unspecified",
    since: 128,
  }),
  mandatory_topics: {
    ...toggle(false, "Whether messages in channels need a topic."),
    until: { level: 392, by: "topics_policy", values: policyOfMandatoryTopics },
  },
  topics_policy: word(
    ["allow_empty_topic", "disable_empty_topic"],
    "Whether messages in channels may have an empty topic.",
    392,
  ),
  enable_spectator_access: {
    ...toggle(false, "Whether web-public channels can be read without an account.", 109),
    risk: showsChannels,
  },
  want_advertise_in_communities_directory: toggle(
    false,
    "Whether the organization is listed in the directory of communities.",
    129,
  ),
  enable_read_receipts: toggle(undefined, "Whether people see who has read a message.", 137),
  move_messages_within_stream_limit_seconds: limit(
    604_800,
    "How long after sending messages may be moved to another topic by people who are not moderators.",
    162,
  ),
  move_messages_between_streams_limit_seconds: limit(
    604_800,
    "How long after sending messages may be moved to another channel by people who are not moderators.",
    162,
  ),
  enable_guest_user_indicator: toggle(true, "Whether the names of guests are marked as those of guests.", 216),
  enable_guest_user_dm_warning: toggle(
    true,
    "Whether people are warned when they write a direct message to a guest.",
    348,
  ),
  can_access_all_users_group: permission(
    232,
    permissionRule("role:everyone", {
      everyone: true,
      neverNobody: true,
      allowed: ["role:everyone", "role:members"],
    }),
  ),
  can_add_subscribers_group: permission(341, members),
  can_add_custom_emoji_group: permission(307, members),
  can_create_bots_group: permission(344, members),
  can_create_groups: forOwners(permission(299, members)),
  can_create_public_channel_group: permission(264, members),
  can_create_private_channel_group: permission(266, members),
  can_create_web_public_channel_group: permission(
    280,
    permissionRule("role:owners", {
      allowed: ["role:moderators", "role:administrators", "role:owners", "role:nobody"],
    }),
  ),
  can_create_write_only_bots_group: permission(344, members),
  can_delete_any_message_group: permission(281, permissionRule("role:administrators")),
  can_delete_own_message_group: permission(291, everybody),
  can_invite_users_group: forOwners(permission(321, members)),
  can_manage_all_groups: forOwners(permission(299, permissionRule("role:owners", { neverNobody: true }))),
  can_manage_billing_group: forOwners(permission(363, permissionRule("role:administrators", { neverNobody: true }))),
  can_mention_many_users_group: permission(352, permissionRule("role:administrators", { everyone: true })),
  can_move_messages_between_channels_group: permission(310, members),
  can_move_messages_between_topics_group: permission(316, everybody),
  can_resolve_topics_group: permission(367, everybody),
  can_set_delete_message_policy_group: permission(407, permissionRule("role:moderators")),
  can_set_topics_policy_group: permission(392, permissionRule("role:members", { everyone: true })),
  can_summarize_topics_group: permission(350, everybody),
  direct_message_initiator_group: permission(270, everybody),
  direct_message_permission_group: permission(270, everybody),
} as const satisfies { [name: string]: Setting };

export type OrganizationSetting = keyof typeof organizationSettings;

export const isOrganizationSetting = (name: string): name is OrganizationSetting =>
  Object.hasOwn(organizationSettings, name);

/** What names a channel: settings of the organization, and the list of the channels of new people. */
export interface ChannelUses {
  readonly settings: readonly string[];
  readonly isDefault: boolean;
}

/** `values`: the settings of the organization. */
export const channelUses = (
  id: number,
  values: Readonly<Record<string, unknown>>,
  defaults: readonly unknown[],
): ChannelUses => ({
  settings: Object.entries(organizationSettings).flatMap(([name, { kind }]) =>
    kind === "channel" && values[name] === id ? [name] : [],
  ),
  isDefault: defaults.includes(id),
});

/** Returns what names a channel, as phrases that follow "it" when the channel goes. */
export const channelReferences = ({ settings, isDefault }: ChannelUses): string[] => [
  ...(settings.length ? [`leaves ${settings.join(", ")} without a channel`] : []),
  ...(isDefault ? ["takes it from the channels of new people"] : []),
];

/** Returns what is destructive about a change of a setting. Undefined if nothing is. */
export const settingRisk = (
  name: string,
  from: unknown,
  to: unknown,
  context: RiskContext = {},
): DestructiveEffect | undefined => valueNamed<Setting>(organizationSettings, name)?.risk?.(from, to, context);

type OfKind<K extends SettingKind> = {
  [N in OrganizationSetting]: (typeof organizationSettings)[N]["kind"] extends K ? N : never;
}[OrganizationSetting];

/** Permissions of the organization. */
export type OrganizationPermission = OfKind<"group">;

const ofKind = <K extends SettingKind>(kind: K) =>
  namesOf(organizationSettings).filter((name): name is OfKind<K> => organizationSettings[name].kind === kind);

/** Settings that name a channel. */
export const channelSettings = ofKind("channel");
export const organizationPermissions = ofKind("group");

/** Servers refuse every change of it, and some fail. */
export const unchangeable = "workplace_users_group";
