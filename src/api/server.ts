import { operation } from "../wire/operation.ts";
import { boolean, integer, optional, record, string } from "../wire/types.ts";

/** https://zulip.com/api/get-server-settings. An absent feature level means 0. */
export const getServerSettings = operation({
  name: "server.info",
  method: "GET",
  path: "/server_settings",
  doc: "What the server is and how to log in.",
  anonymous: true,
  params: {},
  result: {
    zulip_version: string,
    zulip_feature_level: optional(integer),
    realm_name: optional(string),
    realm_url: optional(string),
    realm_uri: optional(string),
    email_auth_enabled: optional(boolean),
    require_email_format_usernames: optional(boolean),
    authentication_methods: optional(record(boolean)),
  },
});
