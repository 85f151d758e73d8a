import { operation } from "../wire/operation.ts";
import { text } from "../wire/params.ts";

/** https://zulip.com/api/add-apns-token */
export const addApnsToken = operation("apns.register", "POST /users/me/apns_device_token", {
  effects: { none: "only this account gets notifications" },
  deprecated: 406,
  params: {
    token: text({ secret: true }),
    appid: text(),
  },
});

const token = text({ secret: true });

/** https://zulip.com/api/remove-apns-token */
export const removeApnsToken = operation("apns.unregister", "DELETE /users/me/apns_device_token", {
  effects: { none: "only this account gets no more notifications, and can register again" },
  deprecated: 406,
  params: { token },
});
