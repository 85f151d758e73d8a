import { operation } from "../wire/operation.ts";
import { text } from "../wire/params.ts";
import { boolean, integer, optional, record, string } from "../wire/types.ts";

/** https://zulip.com/api/get-server-settings. An absent feature level means 0. */
export const getServerSettings = operation("server.info", "GET /server_settings", {
  anonymous: true,
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

/** https://zulip.com/api/fetch-api-key */
export const fetchKey = operation("fetch-key", "POST /fetch_api_key", {
  effect: "login",
  anonymous: true,
  params: {
    username: text(),
    password: text({ secret: true }),
  },
  result: { api_key: string, email: string, user_id: optional(integer) },
  secretAnswer: ["api_key"],
});
