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
    token: text({ doc: "The device token.", secret: true }),
    appid: text({ doc: "The app's id, such as org.zulip.Zulip." }),
  },
  result: {},
});

const token = text({ doc: "The device token.", secret: true });

/** https://zulip.com/api/remove-apns-token */
export const removeApnsToken = operation({
  name: "apns.unregister",
  method: "DELETE",
  path: "/users/me/apns_device_token",
  doc: "Unregister an iOS device.",
  deprecated: 406,
  params: { token },
  result: {},
});
