/** What belongs to the organization as a whole: its settings and small collections. */
import type { GroupSetting } from "../api/group-setting.ts";
import type { OrganizationSetting } from "../api/settings.ts";

/** Permissions of the organization, by their names on the wire. */
export type OrganizationPermission = Extract<
  OrganizationSetting,
  | `can_${string}`
  | "create_multiuse_invite_group"
  | "direct_message_initiator_group"
  | "direct_message_permission_group"
>;

/** Settings other than permissions, as a new organization has them. */
export const newOrganizationSettings = {
  name: "Sandbox",
  description: "",
  emails_restricted_to_domains: false,
  disallow_disposable_email_addresses: true,
  invite_required: true,
  require_unique_names: false,
  name_changes_disabled: false,
  email_changes_disabled: false,
  avatar_changes_disabled: false,
  inline_image_preview: true,
  inline_url_embed_preview: false,
  /** Seconds; null is without limit, as for the three that follow. */
  message_content_edit_limit_seconds: 600 as number | null,
  message_content_delete_limit_seconds: 600 as number | null,
  move_messages_within_stream_limit_seconds: 604_800 as number | null,
  move_messages_between_streams_limit_seconds: 604_800 as number | null,
  allow_message_editing: true,
  message_edit_history_visibility_policy: "all",
  default_language: "en",
  waiting_period_threshold: 0,
  /** Ids of channels; -1 is none. */
  new_stream_announcements_stream_id: -1,
  signup_announcements_stream_id: -1,
  zulip_update_announcements_stream_id: -1,
  moderation_request_channel_id: -1,
  /** Days; -1 is for ever. */
  message_retention_days: -1,
  send_channel_events_messages: false,
  send_welcome_emails: true,
  welcome_message_custom_text: "",
  require_e2ee_push_notifications: false,
  digest_emails_enabled: false,
  message_content_allowed_in_email_notifications: true,
  digest_weekday: 1,
  video_chat_provider: 1,
  jitsi_server_url: null as string | null,
  giphy_rating: 2,
  default_code_block_language: "",
  org_type: 0,
  topics_policy: "allow_empty_topic",
  /** Where there is no policy yet; afterwards it is what the policy says. */
  mandatory_topics: false,
  enable_spectator_access: false,
  want_advertise_in_communities_directory: false,
  enable_read_receipts: true,
  enable_guest_user_indicator: true,
  enable_guest_user_dm_warning: true,
};
export type OrganizationSettings = typeof newOrganizationSettings;

export const channelSettingsOfOrganization = [
  "new_stream_announcements_stream_id",
  "signup_announcements_stream_id",
  "zulip_update_announcements_stream_id",
  "moderation_request_channel_id",
] as const;

export interface Organization {
  /** The host name, for addresses of people who hide theirs. */
  host: string;
  date_created: number;
  is_deactivated: boolean;
  password_login: boolean;
  /** The server allows web-public channels; the organization does with `enable_spectator_access`. */
  web_public: boolean;
  owner_full_content_access: boolean;
  settings: OrganizationSettings;
  permissions: Record<OrganizationPermission, GroupSetting>;
  /** Settings of people who come. */
  defaults: { [name: string]: boolean | number | string };
  /** Mail to the address of a channel is posted there. Without, channels have none. */
  mail_gateway: boolean;
  estimated_messages_sent: number;
  upload_bytes: number;
  manual_export_email: string;
  /** Bytes of the file that an export makes. */
  export_size: number;
}

/** Server and organization both allow web-public channels. */
export const allowsWebPublic = ({ web_public, settings }: Organization): boolean =>
  web_public && settings.enable_spectator_access;

/** Types: 1 short text, 2 long text, 3 list, 4 date, 5 URL, 6 people, 7 external account, 8 pronouns. */
export interface ProfileField {
  id: number;
  name: string;
  type: number;
  hint: string;
  field_data: string;
  order: number;
  required: boolean;
  editable_by_user: boolean;
  display_in_profile_summary: boolean;
}

export interface Domain {
  id: number;
  domain: string;
  allow_subdomains: boolean;
}

export interface Playground {
  id: number;
  name: string;
  pygments_language: string;
  url_template: string;
}

export interface Emoji {
  id: number;
  name: string;
  author_id: number;
  deactivated: boolean;
}

/** By mail or by a link; the two have ids of their own. */
export interface Invitation {
  id: number;
  /** Null for a link. */
  email: string | null;
  /** Of the link. */
  key: string;
  invited_by_user_id: number;
  invited: number;
  expiry_date: number | null;
  invited_as: number;
  notify_referrer_on_join: boolean;
  revoked: boolean;
}
