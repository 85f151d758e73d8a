import { operation } from "../wire/operation.ts";
import { text } from "../wire/params.ts";
import { integer, optional, string } from "../wire/types.ts";

/** https://zulip.com/api/fetch-api-key */
export const fetchKey = operation({
  name: "fetch-key",
  method: "POST",
  path: "/fetch_api_key",
  doc: "Get the API key of an account from its password, and keep it.",
  effect: "login",
  anonymous: true,
  params: {
    username: text({ doc: "Usually the e-mail address." }),
    password: text({ doc: "The password.", secret: true }),
  },
  result: { api_key: string, email: string, user_id: optional(integer) },
});
