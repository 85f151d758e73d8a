import { operation } from "../wire/operation.ts";
import { text } from "../wire/params.ts";

/** https://zulip.com/api/add-apns-token */
export const addApnsToken = operation({
  name: "apns.register",
  method: "POST",
  path: "/users/me/apns_device_token",
  doc: "Register an iOS device for push notifications.",
  deprecated: 406,
  params: {
    token: text({ doc: "The device token.", flag: "--token", secret: true }),
    appid: text({ doc: "The app's id, such as org.zulip.Zulip.", flag: "--appid" }),
  },
  result: {},
});
