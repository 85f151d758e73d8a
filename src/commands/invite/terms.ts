import { roles } from "../../api/users.ts";

/** What those who come will be and find. */
export interface Terms {
  role?: keyof typeof roles | undefined;
  channel?: number[] | undefined;
  group?: number[] | undefined;
  expires?: number | null | undefined;
  defaultChannels?: boolean | undefined;
  welcome?: string | undefined;
}

/** Only what was given. */
export const termsOf = ({ role, group, expires, defaultChannels, welcome }: Terms) => ({
  invite_as: role && roles[role],
  invite_expires_in_minutes: expires,
  group_ids: group,
  include_realm_default_subscriptions: defaultChannels,
  welcome_message_custom_text: welcome,
});
