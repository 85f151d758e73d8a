import type { permissions } from "../../src/commands/permissions.ts";
import { type CasesOf, read } from "./case.ts";

const reads = [
  `POST /register ${[
    "client_gravatar=true",
    "include_subscribers=true",
    `client_capabilities=${encodeURIComponent(
      '{"notification_settings_null":false,"linkifier_url_template":true,"include_deactivated_groups":true,"archived_channels":true}',
    )}`,
    "event_types=%5B%5D",
    `fetch_event_types=${encodeURIComponent(
      '["realm","realm_user","realm_user_groups","stream","subscription","default_streams","custom_profile_fields",' +
        '"realm_emoji","realm_domains","realm_playgrounds","realm_linkifiers","realm_user_settings_defaults"]',
    )}`,
  ].join("&")}`,
  "DELETE /events queue_id=bb3ddc32-1357-715a-e204-c7a91c6a9519",
  "GET /channel_folders?include_archived=true",
];

export const cases: CasesOf<typeof permissions> = {
  list: read({
    takes: [
      "--scope <organization|channel|group>",
      "--channel <channel>",
      "--group <group>",
      "--permission <permission>",
      "--granted-to <group>",
      "--from <file>",
    ],
    lines: [
      {
        typed: "--channel design --permission can-send-message",
        sends: reads,
        prints:
          "SCOPE\tTARGET\tPERMISSION\tGRANTED TO\tPEOPLE\tGUESTS\tBOTS\n" +
          "channel\tdesign\tcan_send_message_group\trole:everyone\t6\t1\t1\n",
        ids: "1\n",
      },
    ],
  }),
};
