/** By parameter of a channel, the flags that stand for it. */
import { channelPermissions } from "../../api/channel-settings.ts";

export const flagOf = (setting: string): string => `--${setting.replaceAll("_", "-")}`;

export const channelFlags: Readonly<Record<string, string>> = {
  new_name: "--new-name",
  description: "--description",
  is_private: "--private",
  is_web_public: "--web-public",
  history_public_to_subscribers: "--history-public-to-subscribers",
  is_default_stream: "--default",
  message_retention_days: "--message-retention-days",
  is_archived: "--no-archived",
  folder_id: "--folder",
  topics_policy: "--topics-policy",
  ...Object.fromEntries(channelPermissions.map((setting) => [setting, flagOf(setting)])),
};
